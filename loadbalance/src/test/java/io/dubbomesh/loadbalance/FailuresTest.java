package io.dubbomesh.loadbalance;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class FailuresTest {
    private static final long SECOND = 1_000_000_000;

    private final Failures failures = new Failures(2);

    @Test
    void eachFailureInARowCountsTwiceAsMuchAsTheOneBeforeUpToEight() {
        for (double expected : new double[] {1, 2, 4, 8, 8}) {
            failures.failed(0, 0);
            assertThat(failures.level(0, 0)).isEqualTo(expected);
        }
        assertThat(failures.level(1, 0)).isZero();
    }

    @Test
    void fiveSecondsHalveTheLevelUntilItIsNone() {
        fail(4, 3 * SECOND);
        assertLevel(8 * SECOND, 4);
        assertLevel(13 * SECOND, 2);
        assertLevel(33 * SECOND, 0.125);
        assertThat(failures.level(0, 38 * SECOND)).isZero();
        assertThat(failures.level(0, 38 * SECOND)).isZero();
    }

    @Test
    void aFailureAfterAPauseCountsAtLeastOne() {
        fail(1, 0);
        fail(1, 10 * SECOND);
        assertLevel(10 * SECOND, 1);
        fail(1, 12 * SECOND);
        assertLevel(12 * SECOND, 2 * Math.pow(2, -0.4));
    }

    @Test
    void anAnswerHalvesWhatIsLeft() {
        fail(4, 0);
        failures.answered(0, 5 * SECOND);
        assertLevel(5 * SECOND, 2);
        assertLevel(10 * SECOND, 1);
        failures.answered(1, 10 * SECOND);
        assertThat(failures.level(1, 10 * SECOND)).isZero();
    }

    @Test
    void callsWithoutAResultCountAsTheyDoBesideThoseOfTheOthers() {
        for (int i = 0; i < 500; i++) {
            failures.endedWithoutResult(0, 0);
        }
        assertLevel(0, 2.7);
        failures.answered(0, 0);
        assertLevel(0, 3 * (15.0 / 16 - 0.1));
        fail(1, 0);
        assertLevel(0, 1 + 3 * (15.0 / 16 - 0.1));
        failures.clear(0);
        assertLevel(0, 0);
    }

    @Test
    void aFailureStandsForTheCallsThatAnEndpointUsuallyHas() {
        fail(2, 0);
        assertThat(failures.calls(0, 0)).isEqualTo(2);
        failures.picked(64);
        assertThat(failures.calls(0, 0)).isEqualTo(4);
        failures.picked(1);
        assertThat(failures.calls(0, 0)).isEqualTo(4);
        failures.picked(65);
        assertThat(failures.calls(0, 0)).isEqualTo(6);
        assertThat(failures.calls(1, 0)).isZero();
    }

    @Test
    void inAChangedListThoseThatStayKeepTheirFailures() {
        fail(3, 2 * SECOND);
        failures.picked(64);
        for (int i = 0; i < 500; i++) {
            failures.endedWithoutResult(1, 2 * SECOND);
        }
        Failures changed = failures.changed(new int[] {-1, 0, 1});
        assertThat(changed.level(0, 2 * SECOND)).isZero();
        assertThat(changed.level(1, 2 * SECOND)).isEqualTo(4);
        assertThat(changed.level(1, 7 * SECOND)).isCloseTo(2, within(1e-9));
        assertThat(changed.calls(1, 2 * SECOND)).isEqualTo(8);
        assertThat(changed.level(2, 2 * SECOND)).isGreaterThan(1);
    }

    private void fail(int times, long nowNs) {
        for (int i = 0; i < times; i++) {
            failures.failed(0, nowNs);
        }
    }

    private void assertLevel(long nowNs, double expected) {
        assertThat(failures.level(0, nowNs)).isCloseTo(expected, within(1e-9));
    }
}
