package io.dubbomesh.loadbalance.estimate;

/**
 * A quantile of the last numbers, for numbers that need not be exact: each is counted in a class, whole numbers up to
 * 32 in one of their own, larger ones in four classes for each doubling. The class of the quantile follows each number
 * that is added, so that asking for it and comparing with it take a few instructions.
 */
public final class RecentQuantile {
    private static final int NUMBERS = 128;
    private static final int EXACT = 32;
    private static final int CLASSES = 128;
    /** A double without these bits has the exponent and the first two bits of the fraction: four classes a doubling. */
    private static final int DROPPED_BITS = 50;

    private static final long FIRST_WIDE = Double.doubleToRawLongBits(EXACT) >> DROPPED_BITS;

    private final byte[] numbers = new byte[NUMBERS];
    private final int[] counts = new int[CLASSES];
    private final double quantile;
    private int size;
    /** The place in which the next number is kept. */
    private int next;

    private int quantileClass;
    /** How many numbers are in the class of the quantile and those below. */
    private int counted;

    private double end = endOf(0);

    /** @param quantile the part of the numbers that it is not below, 0 to 1 */
    public RecentQuantile(double quantile) {
        this.quantile = quantile;
    }

    /** Adds a number, in the place of the oldest of 128. */
    public void add(double number) {
        if (size == NUMBERS) {
            count(numbers[next], -1);
        } else {
            size++;
        }
        int added = classOf(number);
        numbers[next] = (byte) added;
        next = (next + 1) % NUMBERS;
        count(added, 1);
        follow();
    }

    private void count(int of, int change) {
        counts[of] += change;
        counted += of <= quantileClass ? change : 0;
    }

    /** Moves to the lowest class that, with those below, has the wanted part of the numbers. */
    private void follow() {
        double wanted = size * quantile;
        int before = quantileClass;
        while (counted < wanted) {
            counted += counts[++quantileClass];
        }
        while (quantileClass > 0 && counted - counts[quantileClass] >= wanted) {
            counted -= counts[quantileClass--];
        }
        if (quantileClass != before) {
            end = endOf(quantileClass);
        }
    }

    /** Returns whether no number was added. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns whether the class of a number is above that of the quantile. */
    public boolean isBelow(double number) {
        return number >= end;
    }

    private static int classOf(double number) {
        if (number < EXACT - 0.5) {
            return (int) (number + 0.5);
        }
        long wide = (Double.doubleToRawLongBits(Math.max(EXACT, number)) >> DROPPED_BITS) - FIRST_WIDE;
        return (int) Math.min(CLASSES - 1, EXACT + wide);
    }

    /** Returns the lowest number of the class above. */
    private static double endOf(int of) {
        if (of < EXACT) {
            return of + 0.5;
        }
        return of == CLASSES - 1
                ? Double.POSITIVE_INFINITY
                : Double.longBitsToDouble(FIRST_WIDE + of + 1 - EXACT << DROPPED_BITS);
    }
}
