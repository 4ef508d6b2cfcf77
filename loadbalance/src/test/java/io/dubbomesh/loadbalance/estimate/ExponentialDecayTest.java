package io.dubbomesh.loadbalance.estimate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ExponentialDecayTest {
    @Test
    void isTheExponentialFunctionForShortAndLongTimes() {
        ExponentialDecay decay = new ExponentialDecay(10e9);

        assertThat(decay.left(0)).isEqualTo(1);
        for (long elapsedNs = 1; elapsedNs < 200_000_000_000L; elapsedNs = elapsedNs * 5 / 4 + 1) {
            assertThat(decay.left(elapsedNs)).isCloseTo(Math.exp(-elapsedNs / 10e9), within(1e-6));
        }
    }

    @Test
    void isNeverMoreAfterALongerTime() {
        ExponentialDecay decay = new ExponentialDecay(10e9);
        double before = 1;
        for (long elapsedNs = 0; elapsedNs < 1_000_000_000; elapsedNs += 100_000) {
            assertThat(decay.left(elapsedNs)).isLessThanOrEqualTo(before);
            before = decay.left(elapsedNs);
        }
    }
}
