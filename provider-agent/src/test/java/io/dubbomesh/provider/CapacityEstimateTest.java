package io.dubbomesh.provider;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CapacityEstimateTest {
    private static final long MS = 1_000_000;

    private final CapacityEstimate estimate = new CapacityEstimate();
    private long calls;
    private long callsNs;

    @Test
    void itIsTheLimitOverTheTimeOfACall() {
        start();
        assertThat(after(100, 50 * MS, 180)).isEqualTo(3600);
    }

    @Test
    void theFirstCallsDoNotCount() {
        assertThat(after(100, 500 * MS, 180)).isZero();
        assertThat(after(100, 50 * MS, 180)).isEqualTo(3600);
    }

    @Test
    void firstTheMeanIsTold() {
        start();
        assertThat(after(100, 100 * MS, 180)).isEqualTo(1800);
        assertThat(after(100, 25 * MS, 180)).as("half of the way, by factors").isEqualTo(3600);
    }

    @Test
    void aChangeWithinATenthIsNotTold() {
        start();
        for (int i = 0; i < 4; i++) {
            assertThat(after(100, 50 * MS, 180)).isEqualTo(i == 0 ? 3600 : 0);
        }
        assertThat(after(100, 54 * MS, 180)).isZero();
        assertThat(after(100, 100 * MS, 180))
                .as("a quarter of the way, by factors")
                .isBetween(2950, 3020);
        for (int i = 0; i < 10; i++) {
            after(100, 100 * MS, 180);
        }
        assertThat(after(100, 50 * MS, 180)).isBetween(2150, 2220);
    }

    @Test
    void fewCallsAreAddedUp() {
        start();
        assertThat(after(49, 50 * MS, 180)).isZero();
        assertThat(after(1, 50 * MS, 180)).isEqualTo(3600);
        assertThat(after(0, 0, 180)).isZero();
    }

    /** Nor do the calls count that were executed under another limit than the one that was found. */
    @Test
    void nothingIsToldWhileTheLimitIsLearnt() {
        assertThat(after(1000, 500 * MS, 0)).isZero();
        assertThat(after(1000, 500 * MS, 0)).isZero();
        assertThat(after(0, 0, 100)).isZero();
        assertThat(after(100, 50 * MS, 100)).isEqualTo(2000);
    }

    /** Executes the first calls. */
    private void start() {
        after(50, 500 * MS, 180);
    }

    private int after(int executed, long eachNs, int limit) {
        calls += executed;
        callsNs += executed * eachNs;
        return estimate.update(calls, callsNs, limit);
    }
}
