package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

/** The zone of this agent, if it has one, and how many calls of one event loop have left it. Owned by the loop. */
final class LocalZone {
    private static final Metric LEFT = Metric.counter(
            "dubbomesh_consumer_calls_out_of_zone_total",
            "Calls for an endpoint of another zone, though the service has endpoints in the agent's own.");

    private final String name;
    private long left;

    /** @param name empty for none */
    LocalZone(String name) {
        this.name = name;
    }

    /** Returns whether the agent has a zone. */
    boolean isSet() {
        return !name.isEmpty();
    }

    boolean has(Endpoint listed) {
        return listed.zone().equals(name);
    }

    /** Counts a call that goes elsewhere. */
    void countLeft() {
        left++;
    }

    long left() {
        return left;
    }

    void addTo(MetricSamples samples) {
        samples.add(LEFT, left);
    }
}
