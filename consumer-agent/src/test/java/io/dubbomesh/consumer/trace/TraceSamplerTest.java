package io.dubbomesh.consumer.trace;

import io.dubbomesh.consumer.record.Sampling;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TraceSamplerTest {
    private static int sampled(double ratio, int requests) {
        Sampling sampling = new TraceSampler(ratio).newSampling();
        int sampled = 0;
        for (int i = 0; i < requests; i++) {
            sampled += sampling.chooses() ? 1 : 0;
        }
        return sampled;
    }

    @Test
    void soManyAreSampled() {
        assertThat(sampled(0, 10_000)).isZero();
        assertThat(sampled(1, 10_000)).isEqualTo(10_000);
        // Eight standard deviations.
        assertThat(sampled(0.25, 100_000)).isCloseTo(25_000, within(1_100));
        assertThat(sampled(0.01, 1_000_000)).isCloseTo(10_000, within(800));
    }

    @Test
    void theChoiceOfOneDoesNotDependOnTheOneBefore() {
        Sampling sampling = new TraceSampler(0.25).newSampling();
        boolean before = false;
        int pairs = 0;
        for (int i = 0; i < 100_000; i++) {
            boolean chosen = sampling.chooses();
            pairs += before && chosen ? 1 : 0;
            before = chosen;
        }
        assertThat(pairs).isCloseTo(100_000 / 16, within(700));
    }

    /**
     * Checks that the choice is that of OpenTelemetry's TraceIdRatioBased, so that another sampler with the same ratio
     * decides alike.
     */
    @Test
    void theIdOfATraceIsOneThatIsSampled() {
        TraceSampler sampler = new TraceSampler(0.01);
        int negative = 0;
        for (int i = 0; i < 10_000; i++) {
            long id = sampler.newId();
            assertThat(Math.abs(id)).isBetween(1L, (long) (0.01 * Long.MAX_VALUE));
            negative += id < 0 ? 1 : 0;
        }
        assertThat(negative).isCloseTo(5_000, within(400));
    }
}
