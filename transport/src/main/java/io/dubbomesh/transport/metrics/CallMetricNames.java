package io.dubbomesh.transport.metrics;

import io.dubbomesh.runtime.metrics.Metric;

/**
 * The metrics of an agent's calls.
 *
 * @param servedStage the value of the label {@code stage} for the time from when a call is sent until its answer is
 *     there
 * @param restStage   that for the time from then until the call is answered; null where that is nothing
 */
public record CallMetricNames(Metric requests, Metric duration, Metric stage, String servedStage, String restStage) {
    static final String QUEUE = "queue";

    public static final CallMetricNames CONSUMER = new CallMetricNames(
            Metric.counter(
                    "dubbomesh_consumer_requests_total",
                    "HTTP requests that were answered.",
                    "service",
                    "method",
                    "code",
                    "status"),
            Metric.histogram(
                    "dubbomesh_consumer_request_duration_seconds",
                    "Time from the last byte of an HTTP request to its answer.",
                    "service",
                    "method"),
            Metric.summary(
                    "dubbomesh_consumer_request_stage_seconds",
                    "Parts of that time, of calls that a provider agent answered: in the queue, upstream, and after that in this agent.",
                    "service",
                    "method",
                    "stage"),
            "upstream",
            "agent");

    public static final CallMetricNames PROVIDER = new CallMetricNames(
            Metric.counter(
                    "dubbomesh_provider_requests_total",
                    "Requests of consumer agents that were answered or given back.",
                    "service",
                    "method",
                    "code",
                    "status"),
            Metric.histogram(
                    "dubbomesh_provider_request_duration_seconds",
                    "Time from a request to its answer, of calls that were sent to the provider or waited for that.",
                    "service",
                    "method"),
            Metric.summary(
                    "dubbomesh_provider_request_stage_seconds",
                    "Parts of that time, of calls that the provider answered: in the queue, and at the provider.",
                    "service",
                    "method",
                    "stage"),
            "provider",
            null);
}
