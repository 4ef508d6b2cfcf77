package io.dubbomesh.testsupport.random;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The requirements of each target of scripts/fuzz.sh on the reader of an input: its time, its buffers, and the same
 * result in pieces.
 */
public final class FuzzedInput {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long LIMIT_NS = 1_000_000_000;
    private static final int MAX_CUTS = 8;
    /** A long input comes in as many pieces of some bytes: to read each byte for itself would be most of its time. */
    private static final int MAX_PIECES = 4096;

    private static boolean countsAll;

    private FuzzedInput() {}

    /** Reads an input, with buffers from the allocator alone, which are released when this returns. */
    @FunctionalInterface
    public interface Reading<E extends Exception> {
        void run(ByteBufAllocator allocator) throws E;
    }

    /**
     * Called by Jazzer: nothing else in this process has buffers, so that those of Netty's pool have to be released,
     * too.
     */
    public static void countAllBuffers() {
        countsAll = true;
    }

    /**
     * Reads an input of at most 64 KiB.
     *
     * @throws AssertionError if that takes more than a second of the processor's time, or buffers are left
     */
    public static <E extends Exception> void check(Reading<E> reading) throws E {
        check(reading, LIMIT_NS, THREADS::getCurrentThreadCpuTime);
    }

    static <E extends Exception> void check(Reading<E> reading, long limitNs, LongSupplier cpuNs) throws E {
        if (readNs(reading, cpuNs) <= limitNs) {
            return;
        }
        // What the JVM did for the first time, such as to load classes, it does not do again.
        long again = readNs(reading, cpuNs);
        if (again > limitNs) {
            throw new AssertionError(
                    again / 1_000_000 + " ms of the processor's time (expected: at most " + limitNs / 1_000_000 + ")");
        }
    }

    private static <E extends Exception> long readNs(Reading<E> reading, LongSupplier cpuNs) throws E {
        // It counts what is left itself, so that Netty need not look for leaks.
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        long pooled = pooled();
        long beganNs = cpuNs.getAsLong();
        reading.run(allocator);
        long tookNs = cpuNs.getAsLong() - beganNs;
        if (used(allocator) != 0) {
            // An event loop keeps some buffers until it ends.
            FastThreadLocal.removeAll();
        }
        long left = used(allocator) + pooled() - pooled;
        if (left != 0) {
            throw new AssertionError(left + " bytes of buffers were not released");
        }
        return tookNs;
    }

    private static long pooled() {
        PooledByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
        return countsAll ? pool.pinnedHeapMemory() + pool.pinnedDirectMemory() : 0;
    }

    private static long used(UnpooledByteBufAllocator allocator) {
        return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
    }

    /**
     * Requires that the result is the same whether the input comes whole, byte by byte or cut at random.
     *
     * @param reading is given where each piece but the last ends
     */
    public static void requireSameInPieces(byte[] input, Function<int[], ?> reading) {
        Object whole = reading.apply(new int[0]);
        int[] small = new int[Math.min(input.length, MAX_PIECES)];
        Arrays.setAll(small, i -> (int) ((long) i * input.length / small.length));
        requireSame(whole, reading.apply(small));
        int[] cuts = new Random(Arrays.hashCode(input))
                .ints(MAX_CUTS, 0, input.length)
                .sorted()
                .toArray();
        requireSame(whole, reading.apply(cuts));
    }

    private static void requireSame(Object whole, Object pieces) {
        if (!whole.equals(pieces)) {
            throw new AssertionError("in pieces " + pieces + ", whole " + whole);
        }
    }
}
