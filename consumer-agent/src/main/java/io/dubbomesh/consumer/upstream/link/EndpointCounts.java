package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.metrics.LinkMetrics;

import java.util.HashMap;
import java.util.Map;

/** The counts of one event loop's calls and links to one address. Owned by the loop. */
final class EndpointCounts {
    final LinkMetrics links = new LinkMetrics();
    /** The name of the protocol by which calls are sent. */
    private String protocol;

    long sent;
    long failures;
    long refusals;
    /** Whether a pool has ever needed it: otherwise nothing is told of it. */
    boolean needed;
    /** The durations from when a call was sent until its answer was read; null where there are too many endpoints. */
    DurationHistogram durations;

    /** The number of ejections, by service. */
    private final Map<String, Long> ejections = new HashMap<>();
    /**
     * The endpoints that count here: one, or none while no pool of the loop has it; those that were retired are done.
     */
    private int users;

    void opened(EndpointProtocol by) {
        protocol = by.label();
        users++;
    }

    /** Returns whether no endpoint counts here any more. */
    boolean closed() {
        return --users == 0;
    }

    boolean isUsed() {
        return users > 0;
    }

    void ejected(String service) {
        ejections.merge(service, 1L, Long::sum);
    }

    void removeService(String service) {
        ejections.remove(service);
    }

    /** Records the duration of a call. */
    void recordDuration(long durationNs) {
        if (durations != null) {
            durations.record(durationNs);
        }
    }

    void addDurationsTo(MetricSamples samples, String endpoint) {
        if (durations != null) {
            samples.addHistogram(EndpointMetrics.DURATION, durations, endpoint);
        }
    }

    void addTo(MetricSamples samples, String endpoint) {
        samples.add(EndpointMetrics.REQUESTS, sent, endpoint, protocol);
        samples.add(EndpointMetrics.FAILURES, failures, endpoint, protocol);
        samples.add(EndpointMetrics.REFUSALS, refusals, endpoint, protocol);
        EndpointMetrics.add(samples, links, endpoint);
        ejections.forEach((service, count) -> samples.add(EndpointMetrics.EJECTIONS, count, service, endpoint));
    }
}
