package io.dubbomesh.acceptance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** For what another process does without telling: asks again and again until it is so. */
final class Eventually {
    private static final long POLL_MS = 20;

    private Eventually() {}

    /** @throws AssertionError if it is still not so when the time is over */
    static void within(Duration time, String what, Callable<Boolean> condition) throws Exception {
        long startNs = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - startNs > time.toNanos()) {
                throw new AssertionError("not within " + time.toMillis() + " ms: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
