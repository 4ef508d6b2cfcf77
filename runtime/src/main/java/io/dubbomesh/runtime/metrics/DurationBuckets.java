package io.dubbomesh.runtime.metrics;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The cells that durations are counted in. Their bounds are those of a classic histogram and those of a native one
 * (schema 4: sixteen buckets in each power of two, so that a quantile is at most 4.4 % off) together, so that both can
 * be told exactly from one count.
 *
 * <pre>
 *   cell             has the durations
 *   0                up to ZERO_THRESHOLD_S, the zero bucket of the native histogram
 *   i                above bound i - 1, up to and with bound i
 *   CELLS - 1        above 64 s
 * </pre>
 *
 * All durations are whole nanoseconds.
 */
public final class DurationBuckets {
    public static final int SCHEMA = 4;
    public static final double ZERO_THRESHOLD_S = 0x1p-16;

    private static final int BUCKETS_PER_OCTAVE = 1 << SCHEMA;
    private static final int FIRST_INDEX = -16 * BUCKETS_PER_OCTAVE;
    /** The native bucket that ends at 64 s. */
    private static final int LAST_INDEX = 6 * BUCKETS_PER_OCTAVE;

    private static final double[] CLASSIC_S = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
    };
    /** The number of buckets, with the one above the last bound. */
    static final int CLASSIC_BUCKETS = CLASSIC_S.length + 1;

    private static final long[] BOUNDS_NS = boundsNs();

    public static final int CELLS = BOUNDS_NS.length + 1;

    /** A slot is a 32nd of a power of two; the cell that its first nanosecond falls into. */
    private static final int SLOT_BITS = 5;

    private static final int FIRST_EXPONENT = 63 - Long.numberOfLeadingZeros(BOUNDS_NS[0]);
    private static final short[] FIRST_CELLS = firstCells();

    private static final int[] NATIVE_INDEX = new int[CELLS];
    private static final int[] CLASSIC_INDEX = new int[CELLS];

    static {
        for (int cell = 0; cell < CELLS; cell++) {
            // What is above the last bound falls into the buckets behind the last ones.
            NATIVE_INDEX[cell] = LAST_INDEX + 1;
            CLASSIC_INDEX[cell] = CLASSIC_S.length;
            if (cell < BOUNDS_NS.length) {
                for (int index = LAST_INDEX; index >= FIRST_INDEX && nativeNs(index) >= BOUNDS_NS[cell]; index--) {
                    NATIVE_INDEX[cell] = index;
                }
                for (int i = CLASSIC_S.length - 1; i >= 0 && classicNs(i) >= BOUNDS_NS[cell]; i--) {
                    CLASSIC_INDEX[cell] = i;
                }
            }
        }
    }

    private DurationBuckets() {}

    private static long[] boundsNs() {
        TreeSet<Long> bounds = new TreeSet<>();
        for (int index = FIRST_INDEX; index <= LAST_INDEX; index++) {
            bounds.add(nativeNs(index));
        }
        for (int i = 0; i < CLASSIC_S.length; i++) {
            bounds.add(classicNs(i));
        }
        return bounds.stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns the longest duration in a native bucket. */
    private static long nativeNs(int index) {
        return (long) Math.floor(Math.pow(2, (double) index / BUCKETS_PER_OCTAVE) * 1e9);
    }

    private static long classicNs(int i) {
        return Math.round(CLASSIC_S[i] * 1e9);
    }

    private static short[] firstCells() {
        int lastExponent = 63 - Long.numberOfLeadingZeros(BOUNDS_NS[BOUNDS_NS.length - 1]);
        short[] cells = new short[lastExponent - FIRST_EXPONENT + 1 << SLOT_BITS];
        for (int slot = 0; slot < cells.length; slot++) {
            int exponent = FIRST_EXPONENT + (slot >> SLOT_BITS);
            long part = slot & (1 << SLOT_BITS) - 1;
            long firstNs = (1L << exponent) + (part << exponent - SLOT_BITS);
            int found = Arrays.binarySearch(BOUNDS_NS, firstNs);
            cells[slot] = (short) (found >= 0 ? found : -found - 1);
        }
        return cells;
    }

    /** Returns the cell of a duration; one below zero counts as zero. */
    static int cellOf(long durationNs) {
        if (durationNs <= BOUNDS_NS[0]) {
            return 0;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(durationNs);
        int part = (int) (durationNs >>> exponent - SLOT_BITS) & (1 << SLOT_BITS) - 1;
        int slot = exponent - FIRST_EXPONENT << SLOT_BITS | part;
        int cell = slot < FIRST_CELLS.length ? FIRST_CELLS[slot] : BOUNDS_NS.length;
        while (cell < BOUNDS_NS.length && durationNs > BOUNDS_NS[cell]) {
            cell++;
        }
        return cell;
    }

    /** Returns the lower bound of a cell, which its durations exceed. */
    public static long lowerBoundNs(int cell) {
        return cell == 0 ? 0 : BOUNDS_NS[cell - 1];
    }

    /** Returns the longest duration in a cell; of the last one, which has none, its lower bound. */
    public static long upperBoundNs(int cell) {
        return BOUNDS_NS[Math.min(cell, BOUNDS_NS.length - 1)];
    }

    /**
     * Returns the native bucket of a cell other than the first; bucket i has what is above 2^((i - 1) / 16) s, up to
     * 2^(i / 16) s.
     */
    public static int nativeIndex(int cell) {
        return NATIVE_INDEX[cell];
    }

    /** Returns the index of the {@link #classicBounds} of a cell. */
    public static int classicIndex(int cell) {
        return CLASSIC_INDEX[cell];
    }

    /** Returns the upper bounds of the classic buckets in seconds; the last one is infinite. */
    public static double[] classicBounds() {
        double[] bounds = Arrays.copyOf(CLASSIC_S, CLASSIC_S.length + 1);
        bounds[CLASSIC_S.length] = Double.POSITIVE_INFINITY;
        return bounds;
    }
}
