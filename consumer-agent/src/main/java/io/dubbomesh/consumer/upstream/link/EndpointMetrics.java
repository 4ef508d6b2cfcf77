package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.metrics.LinkMetrics;

/** The metrics of the endpoints that calls have needed, and of the links to them. */
public final class EndpointMetrics {
    private static final String ENDPOINT = "endpoint";
    private static final String PROTOCOL = "protocol";

    static final Metric REQUESTS = Metric.counter(
            "dubbomesh_consumer_endpoint_requests_total", "Calls that were sent to the endpoint.", ENDPOINT, PROTOCOL);
    public static final Metric FAILURES = Metric.counter(
            "dubbomesh_consumer_endpoint_failures_total",
            "Calls that failed there: by 502, with the link, or by their deadline.",
            ENDPOINT,
            PROTOCOL);
    static final Metric REFUSALS = Metric.counter(
            "dubbomesh_consumer_endpoint_refusals_total",
            "Calls that it gave back (NOT_EXECUTED).",
            ENDPOINT,
            PROTOCOL);
    /** A histogram for the history alone: a scrape would get twenty series more for each endpoint. */
    static final Metric DURATION = Metric.histogram(
            "dubbomesh_consumer_endpoint_duration_seconds",
            "Time from when a call is sent to the endpoint until its answer is read.",
            ENDPOINT);

    static final Metric IN_FLIGHT =
            Metric.gauge("dubbomesh_consumer_endpoint_in_flight", "Calls that it has not answered yet.", ENDPOINT);
    static final Metric LIMIT = Metric.maximum(
            "dubbomesh_consumer_endpoint_limit", "Calls that it takes at once, from all consumer agents.", ENDPOINT);

    public static final Metric WEIGHT = Metric.maximum(
            "dubbomesh_consumer_endpoint_weight", "Its weight for the service in the registry.", "service", ENDPOINT);
    public static final Metric EJECTED = Metric.maximum(
            "dubbomesh_consumer_endpoint_ejected",
            "1 while an event loop sends it no calls of the service but probes.",
            "service",
            ENDPOINT);
    public static final Metric EJECTIONS = Metric.counter(
            "dubbomesh_consumer_endpoint_ejections_total",
            "How often event loops have ejected it from the service.",
            "service",
            ENDPOINT);

    private static final Metric LINKS = Metric.gauge(
            "dubbomesh_consumer_links", "Open links to the endpoint, at most one for each event loop.", ENDPOINT);
    private static final Metric LINKS_OPENED = Metric.counter(
            "dubbomesh_consumer_links_opened_total",
            "Links that were opened: more than loops means reconnects.",
            ENDPOINT);
    private static final Metric RECEIVED =
            Metric.counter("dubbomesh_consumer_link_received_bytes_total", "Bytes that came on its links.", ENDPOINT);
    private static final Metric SENT =
            Metric.counter("dubbomesh_consumer_link_sent_bytes_total", "Bytes that were sent on its links.", ENDPOINT);
    private static final Metric ROUND_TRIP =
            Metric.summary("dubbomesh_consumer_link_round_trip_seconds", "Time from a PING to its PONG.", ENDPOINT);

    private EndpointMetrics() {}

    static void add(MetricSamples samples, LinkMetrics links, String endpoint) {
        samples.add(LINKS, links.linksOpen(), endpoint);
        samples.add(LINKS_OPENED, links.linksOpened(), endpoint);
        samples.add(RECEIVED, links.receivedBytes(), endpoint);
        samples.add(SENT, links.sentBytes(), endpoint);
        samples.addSummary(ROUND_TRIP, links.roundTrips(), links.roundTripSeconds(), endpoint);
    }
}
