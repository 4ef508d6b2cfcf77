package io.dubbomesh.testsupport;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for an event, or for a state that no event announces, and fails when the time is over. */
public final class Await {
    private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);
    private static final long FIRST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 10_000_000;
    private static final long LONGEST_PAUSE_OF_SLOW_CHECK_NS = 100_000_000;

    private Await() {}

    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    @FunctionalInterface
    public interface Assertion {
        void check() throws Exception;
    }

    /** Returns once the condition holds, which must be within ten seconds. */
    public static void until(String what, Condition condition) throws Exception {
        until(DEFAULT_LIMIT, what, condition);
    }

    /** @throws AssertionError if the condition does not hold when the time is over */
    public static void until(Duration limit, String what, Condition condition) throws Exception {
        long startNs = System.nanoTime();
        long pauseNs = FIRST_PAUSE_NS;
        for (long checkNs = startNs; !condition.holds(); checkNs = System.nanoTime()) {
            if (System.nanoTime() - startNs >= limit.toNanos()) {
                throw missed(limit, what);
            }
            pauseNs = pause(pauseNs, checkNs);
        }
    }

    /** Repeats the assertion until it passes; when the time is over, its last failure is thrown. */
    public static void untilAsserted(Duration limit, Assertion assertion) throws Exception {
        long startNs = System.nanoTime();
        long pauseNs = FIRST_PAUSE_NS;
        while (true) {
            long checkNs = System.nanoTime();
            try {
                assertion.check();
                return;
            } catch (AssertionError | Exception e) {
                if (System.nanoTime() - startNs >= limit.toNanos()) {
                    throw e;
                }
            }
            pauseNs = pause(pauseNs, checkNs);
        }
    }

    /**
     * Pauses for so long, or three times as long as the check has taken, so that checks leave the processor to what
     * they wait for.
     *
     * @return the pause behind the next check
     */
    private static long pause(long pauseNs, long checkNs) {
        long slowCheckNs = Math.min(3 * (System.nanoTime() - checkNs), LONGEST_PAUSE_OF_SLOW_CHECK_NS);
        LockSupport.parkNanos(Math.max(pauseNs, slowCheckNs));
        return Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
    }

    /** The next element of the queue, which must come within ten seconds. */
    public static <T> T next(BlockingQueue<T> queue, String what) throws InterruptedException {
        return next(DEFAULT_LIMIT, queue, what);
    }

    public static <T> T next(Duration limit, BlockingQueue<T> queue, String what) throws InterruptedException {
        T next = queue.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (next == null) {
            throw missed(limit, what);
        }
        return next;
    }

    private static AssertionError missed(Duration limit, String what) {
        return new AssertionError("not within " + limit.toMillis() + " ms: " + what);
    }
}
