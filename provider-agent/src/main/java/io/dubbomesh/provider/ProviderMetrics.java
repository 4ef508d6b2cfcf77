package io.dubbomesh.provider;

import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.provider.mesh.RefusedLinks;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.tls.TlsAcceptor;

/** The metrics of the provider, of the limit on calls in service, of the links and of the registration. */
final class ProviderMetrics {
    private static final String PROTOCOL = "protocol";
    private static final Metric CONNECTIONS = Metric.gauge(
            "dubbomesh_provider_connections",
            "Connections to the provider on which it takes calls, one for each event loop with links.",
            PROTOCOL);
    private static final Metric SILENT = Metric.gauge(
            "dubbomesh_provider_silent_connections", "Connections on which the provider answers nothing.", PROTOCOL);
    private static final Metric IN_SERVICE =
            Metric.gauge("dubbomesh_provider_calls_in_service", "Calls that the provider executes.");
    private static final Metric WAITING =
            Metric.gauge("dubbomesh_provider_calls_waiting", "Calls that wait for a permit of the limit.");
    private static final Metric LIMIT =
            Metric.gauge("dubbomesh_provider_limit", "Calls that may be in service at once (lb.limit).");

    private static final Metric LINKS = Metric.gauge("dubbomesh_provider_links", "Open links of consumer agents.");
    private static final Metric LINKS_OPENED =
            Metric.counter("dubbomesh_provider_links_opened_total", "Links that consumer agents have opened.");
    private static final Metric LINKS_REFUSED = Metric.counter(
            "dubbomesh_provider_links_refused_total", "Connections that did not become links.", "reason");
    private static final Metric RECEIVED =
            Metric.counter("dubbomesh_provider_link_received_bytes_total", "Bytes that came on links.");
    private static final Metric SENT =
            Metric.counter("dubbomesh_provider_link_sent_bytes_total", "Bytes that were sent on links.");
    private static final Metric ROUND_TRIP =
            Metric.summary("dubbomesh_provider_link_round_trip_seconds", "Time from a PING to its PONG.");

    private static final Metric REGISTERED = Metric.gauge(
            "dubbomesh_provider_registered", "1 while the agent is registered, as far as is known, else 0.");
    private static final Metric WEIGHT =
            Metric.gauge("dubbomesh_provider_weight", "The weight in force: of lb.weight, or as an operator set it.");

    private static final Metric LEASE = Metric.gauge(
            "dubbomesh_registry_lease_seconds",
            "Time until the registry forgets the agent if it hears nothing more of it; absent without a lease.");

    private ProviderMetrics() {}

    static void add(MetricSamples samples, LinkMetrics links) {
        samples.add(LINKS, links.linksOpen());
        samples.add(LINKS_OPENED, links.linksOpened());
        samples.add(RECEIVED, links.receivedBytes());
        samples.add(SENT, links.sentBytes());
        samples.addSummary(ROUND_TRIP, links.roundTrips(), links.roundTripSeconds());
    }

    static void add(MetricSamples samples, RefusedLinks refused) {
        for (RefusedLinks.Reason reason : RefusedLinks.Reason.values()) {
            samples.add(LINKS_REFUSED, refused.count(reason), reason.label());
        }
    }

    /** @param tls null for plain TCP */
    static void add(MetricSamples samples, TlsAcceptor tls) {
        samples.add(LINKS_REFUSED, tls == null ? 0 : tls.refused(), "tls");
    }

    static void add(MetricSamples samples, DubboUpstream upstream) {
        samples.add(
                CONNECTIONS, upstream.takesCalls() ? 1 : 0, upstream.protocol().label());
        samples.add(SILENT, upstream.isSilent() ? 1 : 0, upstream.protocol().label());
    }

    static void add(MetricSamples samples, ServiceLimit limit) {
        samples.add(IN_SERVICE, limit.inService());
        samples.add(WAITING, limit.waiting());
        samples.add(LIMIT, limit.advertised());
    }

    static void add(MetricSamples samples, Registration registration) {
        samples.add(REGISTERED, registration.registered() ? 1 : 0);
        samples.add(WEIGHT, registration.weight());
        long leaseLeftNs = registration.leaseLeftNs();
        if (leaseLeftNs >= 0) {
            samples.add(LEASE, leaseLeftNs / 1e9);
        }
    }
}
