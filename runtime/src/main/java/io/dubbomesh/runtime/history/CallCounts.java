package io.dubbomesh.runtime.history;

import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.MetricSamples.Sample;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of an agent's calls until one moment, by method and by endpoint. Read out of its metrics, whose names and
 * labels are a contract. Not changed once it is made.
 */
final class CallCounts {
    private static final String OK = "OK";

    /** The calls of a method. */
    static final class MethodTotals {
        /** The failures by code. */
        final Map<String, Long> failures = new TreeMap<>();

        long calls;
        long failed;
        /** Null if none has taken any time that was measured. */
        DurationHistogram durations;
    }

    /** The calls to an endpoint. */
    static final class EndpointTotals {
        long calls;
        long failed;
        long refused;
        long inFlight;
        /** Null if none was measured. */
        DurationHistogram durations;
    }

    record MethodKey(String service, String method) implements Comparable<MethodKey> {
        @Override
        public int compareTo(MethodKey other) {
            int byService = service.compareTo(other.service);
            return byService != 0 ? byService : method.compareTo(other.method);
        }
    }

    final Map<MethodKey, MethodTotals> methods = new TreeMap<>();
    final Map<String, EndpointTotals> endpoints = new TreeMap<>();
    final MethodTotals all = new MethodTotals();

    /** @param prefix of the names of the agent's metrics: {@code dubbomesh_consumer_} */
    CallCounts(MetricSamples samples, String prefix) {
        samples.forEach((metric, byLabels) -> {
            if (metric.name().startsWith(prefix)) {
                add(metric, metric.name().substring(prefix.length()), byLabels);
            }
        });
    }

    private void add(Metric metric, String name, Map<List<String>, Sample> byLabels) {
        switch (name) {
            case "requests_total" -> byLabels.forEach((labels, sample) -> answered(metric, labels, sample));
            case "request_duration_seconds" ->
                byLabels.forEach((labels, sample) -> method(metric, labels).durations = sample.durations());
            case "endpoint_requests_total" ->
                byLabels.forEach((labels, sample) -> endpoint(labels).calls = (long) sample.value());
            case "endpoint_failures_total" ->
                byLabels.forEach((labels, sample) -> endpoint(labels).failed = (long) sample.value());
            case "endpoint_refusals_total" ->
                byLabels.forEach((labels, sample) -> endpoint(labels).refused = (long) sample.value());
            case "endpoint_in_flight" ->
                byLabels.forEach((labels, sample) -> endpoint(labels).inFlight = (long) sample.value());
            case "endpoint_duration_seconds" ->
                byLabels.forEach((labels, sample) -> endpoint(labels).durations = sample.durations());
            default -> {
                // Tells nothing of calls.
            }
        }
    }

    private void answered(Metric metric, List<String> labels, Sample sample) {
        String code = labels.get(metric.labels().indexOf("code"));
        long count = (long) sample.value();
        for (MethodTotals each : List.of(method(metric, labels), all)) {
            each.calls += count;
            if (!code.equals(OK)) {
                each.failed += count;
                each.failures.merge(code, count, Long::sum);
            }
        }
    }

    private MethodTotals method(Metric metric, List<String> labels) {
        MethodKey key = new MethodKey(
                labels.get(metric.labels().indexOf("service")),
                labels.get(metric.labels().indexOf("method")));
        return methods.computeIfAbsent(key, made -> new MethodTotals());
    }

    private EndpointTotals endpoint(List<String> labels) {
        return endpoints.computeIfAbsent(labels.get(0), made -> new EndpointTotals());
    }
}
