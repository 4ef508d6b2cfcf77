package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class CallMetricsTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Turn turn = new Turn(channel.eventLoop());
    private final CallMetrics calls = new CallMetrics(CallMetricNames.CONSUMER, 8, turn);
    private final MethodMetrics method = calls.of("a.B", "m");

    @Test
    void theDurationsOfAnswersEndWithTheTurn() {
        long receivedNs = System.nanoTime() - 3_000_000;
        method.answeredInTurn(Outcome.TIMEOUT, receivedNs);
        method.servedInTurn(Outcome.OK, receivedNs, receivedNs + 1_000_000, receivedNs + 2_000_000);
        assertThat(method.answers(Outcome.OK)).isEqualTo(1);
        assertThat(method.durations().count()).isZero();

        channel.runPendingTasks();
        assertThat(method.durations().count()).isEqualTo(2);
        assertThat(method.durations().sumSeconds()).isGreaterThan(2 * 0.003);
        assertThat(method.served()).isEqualTo(1);
        assertThat(method.waitedSeconds()).isCloseTo(0.001, within(1e-9));
        assertThat(method.servedSeconds()).isCloseTo(0.001, within(1e-9));
        assertThat(method.restSeconds()).isCloseTo(method.durations().sumSeconds() / 2 - 0.002, within(1e-9));
    }

    @Test
    void aScrapeFindsWhatWasAnsweredInTheTurn() {
        method.answeredInTurn(Outcome.OK, System.nanoTime());
        calls.addTo(new MetricSamples());
        assertThat(method.durations().count()).isEqualTo(1);

        channel.runPendingTasks();
        assertThat(method.durations().count()).isEqualTo(1);
    }

    @Test
    void aTurnMayHaveManyAnswers() {
        MethodMetrics other = calls.of("a.B", "other");
        for (int i = 0; i < 1000; i++) {
            method.answeredInTurn(Outcome.OK, System.nanoTime());
            other.answeredInTurn(Outcome.OK, System.nanoTime());
        }
        channel.runPendingTasks();
        assertThat(method.durations().count()).isEqualTo(1000);
        assertThat(other.durations().count()).isEqualTo(1000);
    }

    @Test
    void methodsAreDistinguishedByServiceAndName() {
        assertThat(calls.of("a.B", "m")).isSameAs(method);
        assertThat(calls.of("a.B", "n")).isNotSameAs(method);
        assertThat(calls.of("a.C", "m")).isNotSameAs(method);
        assertThat(calls.known("a.C", "n")).isSameAs(calls.other());
    }
}
