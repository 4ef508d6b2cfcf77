package io.dubbomesh.consumer;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

/** The metrics of the list of endpoints. Written by the thread of the registry, read by any. */
final class DirectoryMetrics {
    private static final Metric UPDATES =
            Metric.counter("dubbomesh_registry_updates_total", "Lists of endpoints that the registry has given.");
    private static final Metric UPDATED = Metric.gauge(
            "dubbomesh_registry_last_update_timestamp_seconds", "When the last of them came; absent before the first.");
    private static final Metric SERVICES =
            Metric.gauge("dubbomesh_registry_services", "Services with at least one endpoint in the list.");
    private static final Metric ENDPOINTS = Metric.gauge("dubbomesh_registry_endpoints", "Endpoints in the list.");

    private static final Metric AGE = Metric.gauge(
            "dubbomesh_registry_age_seconds",
            "Time since the registry last confirmed the list; absent before the first one.");

    private final Registry registry;
    /** Null before the first list. */
    private volatile State state;

    private record State(long updates, long updatedMs, Directory directory) {}

    DirectoryMetrics(Registry registry) {
        this.registry = registry;
    }

    void updated(Directory directory) {
        State before = state;
        state = new State(before == null ? 1 : before.updates + 1, System.currentTimeMillis(), directory);
    }

    void addTo(MetricSamples samples) {
        State now = state;
        samples.add(UPDATES, now == null ? 0 : now.updates);
        long ageNs = registry.ageNs();
        if (ageNs >= 0) {
            samples.add(AGE, ageNs / 1e9);
        }
        if (now != null) {
            samples.add(UPDATED, now.updatedMs / 1e3);
            samples.add(
                    SERVICES,
                    now.directory.services().stream()
                            .filter(service -> !now.directory.endpoints(service).isEmpty())
                            .count());
            samples.add(ENDPOINTS, now.directory.all().size());
        }
    }
}
