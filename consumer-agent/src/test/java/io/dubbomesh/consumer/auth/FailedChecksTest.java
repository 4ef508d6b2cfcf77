package io.dubbomesh.consumer.auth;

import org.junit.jupiter.api.Test;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class FailedChecksTest {
    private static final long START_NS = Long.MAX_VALUE - SECONDS.toNanos(1);

    private final FailedChecks checks = new FailedChecks(START_NS);
    private long nowNs = START_NS;

    /** Returns the number of these checks that are made in a time in which there could be more of them. */
    private int checksIn(long ns, long eachNs) {
        int made = 0;
        for (long endNs = nowNs + ns; nowNs - endNs < 0; nowNs += eachNs) {
            if (checks.mayCheck(nowNs)) {
                checks.failed(eachNs);
                made++;
            }
        }
        return made;
    }

    @Test
    void failedChecksTakeATenthOfTheTime() {
        checksIn(SECONDS.toNanos(1), MILLISECONDS.toNanos(1));
        assertThat(checksIn(SECONDS.toNanos(10), MILLISECONDS.toNanos(1))).isBetween(990, 1010);
    }

    @Test
    void someMayFailAtOnce() {
        assertThat(checksIn(MILLISECONDS.toNanos(80), MILLISECONDS.toNanos(1))).isEqualTo(80);
        nowNs += SECONDS.toNanos(3600);
        assertThat(checksIn(MILLISECONDS.toNanos(200), MILLISECONDS.toNanos(1))).isBetween(100, 130);
    }

    @Test
    void aPauseDoesNotCountAsACheck() {
        checks.failed(SECONDS.toNanos(10));
        assertThat(checks.mayCheck(nowNs)).isTrue();
    }
}
