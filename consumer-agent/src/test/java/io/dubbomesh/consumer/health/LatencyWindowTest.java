package io.dubbomesh.consumer.health;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LatencyWindowTest {
    private final LatencyWindow window = new LatencyWindow();

    @Test
    void powersOfTwoHaveExactLogarithms() {
        assertThat(LatencyWindow.log2(1)).isZero();
        assertThat(LatencyWindow.log2(1 << 20)).isEqualTo(20);
        assertThat(LatencyWindow.log2(1L << 62)).isEqualTo(62);
    }

    @Test
    void otherLogarithmsAreWrongByLessThanATenth() {
        for (long ns = 1; ns < 10_000_000_000L; ns += 1 + ns / 7) {
            assertThat(LatencyWindow.log2(ns)).isCloseTo(Math.log(ns) / Math.log(2), within(0.09));
        }
    }

    @Test
    void aLatencyComesBackFromItsLogarithm() {
        for (long ns = 1; ns < 10_000_000_000L; ns += 1 + ns / 7) {
            assertThat(LatencyWindow.latencyNs(LatencyWindow.log2(ns))).isEqualTo(ns);
        }
    }

    @Test
    void aClockThatStandsStillIsNoLatencyOfNothing() {
        assertThat(LatencyWindow.log2(0)).isZero();
    }

    @Test
    void theMeanIsGeometric() {
        window.add(1 << 10);
        window.add(1 << 14);
        assertThat(window.mean()).isEqualTo(12);
    }

    @Test
    void equalLatenciesHaveNoError() {
        addAll(4, 1 << 10);
        assertThat(window.error()).isZero();
    }

    @Test
    void theErrorIsThatOfTheMean() {
        addAll(2, 1 << 10);
        addAll(2, 1 << 14);
        // A standard deviation of 2 in four samples.
        assertThat(window.error()).isEqualTo(1);
    }

    @Test
    void tenCallsAreEnough() {
        addAll(9, 1000);
        assertThat(window.hasEnough()).isFalse();
        addAll(1, 1000);
        assertThat(window.hasEnough()).isTrue();
    }

    @Test
    void whatAgesCountsHalf() {
        addAll(8, 1 << 10);
        window.age();
        addAll(4, 1 << 14);
        assertThat(window.mean()).isEqualTo(12);
    }

    @Test
    void nothingIsLeftWhenItIsCleared() {
        addAll(20, 1000);
        window.clear();
        assertThat(window.hasEnough()).isFalse();
        addAll(1, 1 << 14);
        assertThat(window.mean()).isEqualTo(14);
    }

    private void addAll(int count, long latencyNs) {
        for (int i = 0; i < count; i++) {
            window.add(latencyNs);
        }
    }
}
