package io.dubbomesh.runtime.metrics;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class MetricSamplesTest {
    private static final Metric CALLS = Metric.counter("calls_total", "Calls.", "service");
    private static final Metric LIMIT = Metric.maximum("limit", "The limit.");
    private static final Metric WAIT = Metric.summary("wait_seconds", "Waits.");
    private static final Metric DURATION = Metric.histogram("duration_seconds", "Durations.");

    @Test
    void theSamplesOfTwoLoopsAreAddedUpExceptForWhatIsTheSameOnBoth() {
        MetricSamples all = new MetricSamples();
        all.addAll(loop(2, 10));
        all.addAll(loop(3, 10));

        all.forEach((metric, byLabels) -> {
            MetricSamples.Sample only = byLabels.values().iterator().next();
            switch (metric.type()) {
                case COUNTER -> {
                    assertThat(byLabels.keySet()).containsExactly(List.of("a"));
                    assertThat(only.value()).isEqualTo(5);
                }
                case MAXIMUM -> assertThat(only.value()).isEqualTo(10);
                case SUMMARY -> {
                    assertThat(only.count()).isEqualTo(5);
                    assertThat(only.value()).isEqualTo(2.5);
                }
                case HISTOGRAM -> assertThat(only.durations().count()).isEqualTo(5);
                default -> throw new AssertionError(metric);
            }
        });
    }

    private static MetricSamples loop(int calls, int limit) {
        MetricSamples loop = new MetricSamples();
        DurationHistogram durations = new DurationHistogram();
        for (int i = 0; i < calls; i++) {
            loop.add(CALLS, 1, "a");
            durations.record(1_000_000);
        }
        loop.add(LIMIT, limit);
        loop.addSummary(WAIT, calls, calls * 0.5);
        loop.addHistogram(DURATION, durations);
        return loop;
    }
}
