package io.dubbomesh.consumer.trace;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TraceSamplerTest {
    private static int sampled(double ratio, int requests) {
        TraceSampler sampler = new TraceSampler(ratio);
        int sampled = 0;
        for (int i = 0; i < requests; i++) {
            sampled += sampler.sample() == 0 ? 0 : 1;
        }
        return sampled;
    }

    @Test
    void soManyAreSampled() {
        assertThat(sampled(0, 10_000)).isZero();
        assertThat(sampled(1, 10_000)).isEqualTo(10_000);
        // Eight standard deviations.
        assertThat(sampled(0.25, 100_000)).isCloseTo(25_000, within(1_100));
    }
}
