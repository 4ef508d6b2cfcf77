package io.dubbomesh.runtime.history;

import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class CallHistoryTest {
    private static final String PREFIX = "dubbomesh_consumer_";
    private static final Metric REQUESTS =
            Metric.counter(PREFIX + "requests_total", "help", "service", "method", "code", "status");
    private static final Metric DURATIONS =
            Metric.histogram(PREFIX + "request_duration_seconds", "help", "service", "method");
    private static final Metric SENT = Metric.counter(PREFIX + "endpoint_requests_total", "help", "endpoint");
    private static final Metric FAILED = Metric.counter(PREFIX + "endpoint_failures_total", "help", "endpoint");

    private static final Metric ENDPOINT_DURATIONS =
            Metric.histogram(PREFIX + "endpoint_duration_seconds", "help", "endpoint");

    private final CallHistory history = new CallHistory(5, 3);
    private final DurationHistogram durations = new DurationHistogram();
    private long nowNs = 1_000_000;
    private int calls;
    private int failed;

    private MetricSamples samples(String method, String endpoint) {
        MetricSamples samples = new MetricSamples();
        samples.add(REQUESTS, calls, "a.B", method, "OK", "200");
        samples.add(REQUESTS, failed, "a.B", method, "TIMEOUT", "504");
        samples.addHistogram(DURATIONS, durations, "a.B", method);
        samples.add(SENT, calls + failed, endpoint);
        samples.add(FAILED, failed, endpoint);
        return samples;
    }

    private void add(MetricSamples samples) {
        nowNs += TimeUnit.SECONDS.toNanos(5);
        history.add(new CallCounts(samples, PREFIX), nowNs, TimeUnit.NANOSECONDS.toMillis(nowNs));
    }

    @Test
    void aPointIsTheRateBetweenTwoLooks() {
        calls = 100;
        add(samples("c", "192.0.2.7:30000"));
        calls = 150;
        failed = 5;
        add(samples("c", "192.0.2.7:30000"));

        CallHistory.Document document = history.document();
        assertThat(document.calls()).containsExactly(null, null, 11.0);
        assertThat(document.failed()).containsExactly(null, null, 1.0);
        assertThat(document.methods()).singleElement().satisfies(method -> {
            assertThat(method.method()).isEqualTo("c");
            assertThat(method.calls()).containsExactly(null, null, 11.0);
        });
        assertThat(document.endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.id()).isEqualTo("192.0.2.7:30000");
            assertThat(endpoint.calls()).containsExactly(null, null, 11.0);
            assertThat(endpoint.failed()).containsExactly(null, null, 1.0);
        });
        assertThat(document.newest()).isEqualTo("1970-01-01T00:00:10.001Z");
    }

    @Test
    void recentRatesAreTheMeanOfTheIntervalsThatAreKnown() {
        add(samples("c", "192.0.2.7:30000"));
        calls = 50;
        add(samples("c", "192.0.2.7:30000"));
        calls = 150;
        add(samples("c", "192.0.2.7:30000"));

        assertThat(history.recentRates(1)).containsOnly(Map.entry("192.0.2.7:30000", 20.0));
        assertThat(history.recentRates(3)).containsOnly(Map.entry("192.0.2.7:30000", 15.0));
    }

    @Test
    void theOldestPointMakesPlaceForTheNewest() {
        for (int i = 0; i < 6; i++) {
            calls += 5 * i;
            add(samples("c", "192.0.2.7:30000"));
        }

        assertThat(history.document().calls()).containsExactly(3.0, 4.0, 5.0);
    }

    @Test
    void quantilesAreThoseOfTheIntervalAlone() {
        durations.record(TimeUnit.SECONDS.toNanos(30));
        calls = 1;
        add(samples("c", "192.0.2.7:30000"));
        for (int i = 0; i < 98; i++) {
            durations.record(TimeUnit.MILLISECONDS.toNanos(50));
        }
        durations.record(TimeUnit.MILLISECONDS.toNanos(900));
        durations.record(TimeUnit.MILLISECONDS.toNanos(900));
        calls = 101;
        add(samples("c", "192.0.2.7:30000"));
        add(samples("c", "192.0.2.7:30000"));

        CallHistory.Document document = history.document();
        assertThat(document.p50Ms().get(1)).isCloseTo(50, within(2.5));
        assertThat(document.p99Ms().get(1)).isCloseTo(900, within(40.0));
        assertThat(document.p50Ms().get(2)).as("without calls").isNull();
        assertThat(document.methods().get(0).p99Ms()).isEqualTo(document.p99Ms());
    }

    @Test
    void anEndpointHasItsOwnQuantiles() {
        add(ofEndpoint(0));
        durations.record(TimeUnit.MILLISECONDS.toNanos(50));
        durations.record(TimeUnit.MILLISECONDS.toNanos(50));
        durations.record(TimeUnit.MILLISECONDS.toNanos(900));
        add(ofEndpoint(3));
        add(ofEndpoint(1));

        CallHistory.EndpointHistory endpoint = history.document().endpoints().get(0);
        assertThat(endpoint.p50Ms().get(1)).isCloseTo(50, within(2.5));
        assertThat(endpoint.p99Ms().get(1)).isCloseTo(900, within(40.0));
        assertThat(endpoint.p50Ms().get(2)).as("counted from zero again").isNull();
    }

    private MetricSamples ofEndpoint(int sent) {
        MetricSamples samples = new MetricSamples();
        samples.add(SENT, sent, "192.0.2.7:30000");
        samples.addHistogram(ENDPOINT_DURATIONS, durations, "192.0.2.7:30000");
        return samples;
    }

    @Test
    void whatIsNotKnownIsAGapAndPartOfTheNextPoint() {
        add(samples("c", "192.0.2.7:30000"));
        calls = 10;
        nowNs += TimeUnit.SECONDS.toNanos(5);
        history.addUnknown(nowNs, TimeUnit.NANOSECONDS.toMillis(nowNs));
        calls = 20;
        add(samples("c", "192.0.2.7:30000"));

        assertThat(history.document().calls()).containsExactly(null, null, 2.0);
    }

    @Test
    void theTimeForWhichTheProcessStoodIsAGap() {
        CallHistory longer = new CallHistory(5, 6);
        longer.add(new CallCounts(samples("c", "192.0.2.7:30000"), PREFIX), 0, 0);
        calls = 10;
        longer.add(new CallCounts(samples("c", "192.0.2.7:30000"), PREFIX), TimeUnit.SECONDS.toNanos(5), 5_000);
        calls = 30;
        longer.add(new CallCounts(samples("c", "192.0.2.7:30000"), PREFIX), TimeUnit.SECONDS.toNanos(21), 21_000);

        assertThat(longer.document().calls()).containsExactly(null, null, 2.0, null, null, 1.25);
        assertThat(longer.document().methods().get(0).calls()).containsExactly(null, null, 2.0, null, null, 1.25);
        longer.add(new CallCounts(samples("c", "192.0.2.7:30000"), PREFIX), TimeUnit.DAYS.toNanos(1), 86_400_000);
        assertThat(longer.document().calls()).containsExactly(null, null, null, null, null, 0.0);
    }

    @Test
    void whatWasNotCalledForTheWholeTimeMakesPlaceForOthers() {
        add(samples("c", "192.0.2.7:30000"));
        for (int i = 0; i < CallHistory.MAX_SERIES + 9; i++) {
            calls++;
            add(samples("method " + i, "192.0.2.7:" + (30000 + i)));
        }

        assertThat(history.document().methods()).hasSize(3);
        assertThat(history.document().endpoints()).hasSize(3);
    }

    @Test
    void noMoreMethodsAndEndpointsAreKeptThanAllowed() {
        add(new MetricSamples());
        MetricSamples samples = new MetricSamples();
        for (int i = 0; i < CallHistory.MAX_SERIES + 9; i++) {
            samples.add(REQUESTS, 5, "a.B", "method " + i, "OK", "200");
            samples.add(SENT, 5, "192.0.2.7:" + (30000 + i));
        }
        add(samples);

        assertThat(history.document().methods()).hasSize(CallHistory.MAX_SERIES);
        assertThat(history.document().endpoints()).hasSize(CallHistory.MAX_SERIES);
        assertThat(history.document().calls().get(2)).as("of all methods").isEqualTo(CallHistory.MAX_SERIES + 9.0);
    }

    @Test
    void endpointsWithoutCallsTakeNoPlaceOfOthers() {
        MetricSamples before = new MetricSamples();
        MetricSamples after = new MetricSamples();
        for (int i = 0; i < CallHistory.MAX_SERIES; i++) {
            before.add(SENT, 7, "192.0.2.7:" + (30000 + i));
            after.add(SENT, 7, "192.0.2.7:" + (30000 + i));
        }
        before.add(SENT, 7, "192.0.2.9:30000");
        after.add(SENT, 12, "192.0.2.9:30000");
        add(before);
        add(after);

        assertThat(history.document().endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.id()).isEqualTo("192.0.2.9:30000");
            assertThat(endpoint.calls()).containsExactly(null, null, 1.0);
        });
    }

    @Test
    void anEndpointThatCountsFromZeroAgainHasNoNegativeRate() {
        add(samples("c", "192.0.2.7:30000"));
        calls = 500;
        add(samples("c", "192.0.2.7:30000"));
        MetricSamples removed = new MetricSamples();
        removed.add(REQUESTS, calls, "a.B", "c", "OK", "200");
        removed.add(SENT, 3, "192.0.2.7:30000");
        add(removed);

        assertThat(history.document().calls()).containsExactly(null, 100.0, 0.0);
        assertThat(history.document().endpoints().get(0).calls()).containsExactly(null, 100.0, 0.0);
    }
}
