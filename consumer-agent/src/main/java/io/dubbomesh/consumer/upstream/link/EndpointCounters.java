package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.MetricSamples;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The counters of one event loop's endpoints, by address. A counter must not fall, so it outlives the endpoint: a pool
 * may drop one, as its subset changes, and take it up again. It is removed when no service lists the address any more.
 * Owned by the loop.
 */
public final class EndpointCounters {
    /**
     * Endpoints of which durations are kept, as many as the history has: a histogram takes 3 KiB, and is copied each
     * time that it is read.
     */
    static final int MAX_MEASURED = 128;

    private final Executor eventLoop;
    private final Map<String, EndpointCounts> byAddress = new HashMap<>();
    /** Null until it is loaded. */
    private Directory directory;
    /** The number of these durations that are kept. */
    private int measured;
    /** Whether an address may be neither used nor listed any more. */
    private boolean mayHaveUnlisted;

    public EndpointCounters(Executor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /**
     * Returns the counts of an address, for an endpoint that is to be {@linkplain #close closed}.
     *
     * @param by the protocol by which it is called
     */
    EndpointCounts open(String address, EndpointProtocol by) {
        EndpointCounts counts = byAddress.computeIfAbsent(address, absent -> new EndpointCounts());
        counts.opened(by);
        return counts;
    }

    /** A pool needs the endpoint that counts there. */
    void need(EndpointCounts counts) {
        counts.needed = true;
        if (counts.durations == null && measured < MAX_MEASURED) {
            counts.durations = new DurationHistogram();
            measured++;
        }
    }

    void close(String address, EndpointCounts counts) {
        if (!counts.closed()) {
            return;
        }
        if (counts.needed) {
            mayHaveUnlisted = true;
        } else {
            byAddress.remove(address, counts);
        }
    }

    /** Takes a new list of the registry. */
    public void update(Directory changed) {
        directory = changed;
        mayHaveUnlisted |= byAddress.values().stream().anyMatch(counts -> !counts.isUsed());
    }

    /**
     * Removes the counts of addresses that are not listed any more; called now and then. Another thread collects the
     * addresses, of which there may be very many.
     */
    public void removeUnlisted() {
        if (!mayHaveUnlisted || directory == null) {
            return;
        }
        mayHaveUnlisted = false;
        Directory asked = directory;
        CompletableFuture.supplyAsync(() -> asked.byAddress().keySet())
                .thenAcceptAsync(listed -> retainListed(asked, listed), eventLoop);
    }

    private void retainListed(Directory asked, Set<String> listed) {
        if (asked == directory) {
            byAddress.entrySet().removeIf(entry -> !entry.getValue().isUsed() && !listed.contains(entry.getKey()));
            measured = (int) byAddress.values().stream()
                    .filter(counts -> counts.durations != null)
                    .count();
        }
    }

    /** Removes the ejections from a service of which no pool is left. */
    public void removeService(String service) {
        byAddress.values().forEach(counts -> counts.removeService(service));
    }

    /** Adds how long calls take at each endpoint. */
    public void addDurationsTo(MetricSamples samples) {
        byAddress.forEach((address, counts) -> counts.addDurationsTo(samples, address));
    }

    /** Adds what was counted of each endpoint that a pool has needed. */
    public void addTo(MetricSamples samples) {
        byAddress.forEach((address, counts) -> {
            if (counts.needed) {
                counts.addTo(samples, address);
            }
        });
    }
}
