package io.dubbomesh.registry;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** For states that nobody announces, such as another process's. */
public final class Eventually {
    private Eventually() {}

    @FunctionalInterface
    public interface Assertion {
        void check() throws Exception;
    }

    /** Repeats the assertion until it holds; fails as it failed last. */
    public static void within(Duration limit, Assertion assertion) throws Exception {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                assertion.check();
                return;
            } catch (AssertionError | Exception e) {
                if (System.nanoTime() - deadlineNs >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }
}
