package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.call.CallCounters;
import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

/**
 * The metrics of all Dubbo providers that are called without a provider agent, the same as a provider agent has for its
 * own.
 */
final class DirectMetrics {
    private static final String PROTOCOL = "protocol";
    private static final Metric CONNECTIONS = Metric.gauge(
            "dubbomesh_consumer_dubbo_connections",
            "Connections to providers without an agent, on which they take calls.",
            PROTOCOL);
    private static final Metric SILENT = Metric.gauge(
            "dubbomesh_consumer_dubbo_silent_connections",
            "Connections on which such a provider answers nothing.",
            PROTOCOL);
    private static final Metric IN_SERVICE =
            Metric.gauge("dubbomesh_consumer_dubbo_calls_in_service", "Calls that such providers execute.");
    private static final Metric WAITING =
            Metric.gauge("dubbomesh_consumer_dubbo_calls_waiting", "Calls that wait for a permit of such a provider.");
    private static final Metric EXPIRED = Metric.counter(
            "dubbomesh_consumer_dubbo_calls_expired_total",
            "Calls whose deadline had passed before they reached such a provider.");
    private static final Metric FORGOTTEN = Metric.counter(
            "dubbomesh_consumer_dubbo_calls_forgotten_total",
            "Calls that such a provider had not answered long after any deadline.");
    private static final Metric LOST = Metric.counter(
            "dubbomesh_consumer_dubbo_calls_lost_total",
            "Calls in flight when the connection to such a provider was lost.");
    private static final Metric LATE = Metric.counter(
            "dubbomesh_consumer_dubbo_responses_late_total",
            "Answers of such providers to calls that had ended before.");

    private DirectMetrics() {}

    static void add(MetricSamples samples, CallCounters counters) {
        samples.add(EXPIRED, counters.expired);
        samples.add(FORGOTTEN, counters.forgotten);
        samples.add(LOST, counters.lost);
        samples.add(LATE, counters.lateResponses);
        // Also where there is no connection.
        add(samples, EndpointProtocol.DUBBO, 0, 0);
        add(samples, EndpointProtocol.TRIPLE, 0, 0);
        samples.add(IN_SERVICE, 0);
        samples.add(WAITING, 0);
    }

    static void add(MetricSamples samples, EndpointProtocol by, DubboUpstream upstream, ProviderCalls calls) {
        add(samples, by, upstream.takesCalls() ? 1 : 0, upstream.isSilent() ? 1 : 0);
        samples.add(IN_SERVICE, calls.inService());
        samples.add(WAITING, calls.waiting());
    }

    private static void add(MetricSamples samples, EndpointProtocol by, int connections, int silent) {
        samples.add(CONNECTIONS, connections, by.label());
        samples.add(SILENT, silent, by.label());
    }
}
