package io.dubbomesh.registry.keep;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An agent's own entries, one for each service: compares what the store should hold (each entry with the weight in
 * force, bound to the agent's lease, or no entry) with what it holds as far as is known, and writes the difference.
 * Belongs to one thread, but for {@link #weight} and {@link #address}.
 *
 * <p>An entry is put before it is deleted, with a value that says that the agent leaves: one that just goes may have
 * lapsed. One that has lapsed is put once more to say so.
 */
final class AgentEntries {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_ROUNDS = 16;
    private static final int LINES_PER_MINUTE = 10;

    // Pauses before what others changed is written again: two agents with the same address must not keep the store
    // busy.
    private static final long MIN_REWRITE_MS = 20;
    private static final long MAX_REWRITE_MS = 2_000;
    private static final long CALM_NS = TimeUnit.SECONDS.toNanos(10);

    private final EntryStore store;
    private final RegistrationRequest request;
    private final List<AgentEntry> entries = new ArrayList<>();
    /** The limit of lines that others can cause as often as they like. */
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);

    private final Backoff refusedBackoff = new Backoff(MIN_REWRITE_MS, MAX_REWRITE_MS);
    private final Backoff rewriteBackoff = new Backoff(MIN_REWRITE_MS, MAX_REWRITE_MS);
    private long rewriteNs = System.nanoTime();
    private Map<String, List<Variant>> selected;
    private volatile int weight;
    /** The calls a second that the provider can execute; 0 if that is not known. */
    private int capacity;
    /** Null until the entries are named. */
    private volatile HostPort address;

    private String provider = "";

    AgentEntries(EntryStore store, RegistrationRequest request) {
        this.store = store;
        this.request = request;
        this.weight = request.weight();
        this.selected = request.services();
    }

    int weight() {
        return weight;
    }

    HostPort address() {
        return address;
    }

    /** Called when an operator has changed the weight at this agent; the next {@link #write} puts it. */
    void changeWeight(int changed) {
        weight = changed;
        entries.forEach(AgentEntry::weightChanged);
    }

    /** The next {@link #write} puts it. */
    void changeCapacity(int changed) {
        capacity = changed;
    }

    /**
     * Names the entries, until that has succeeded once: an agent that changed its address later would leave its old
     * ones.
     */
    void name(EntryStore.Session session) throws StoreFailure {
        if (address == null) {
            String host = request.host() == null ? session.localHost() : request.host();
            HostPort named = new HostPort(host, request.port());
            addMissing(request.services(), named);
            provider = request.providerAddress(host);
            address = named;
            select(selected);
        }
    }

    private void addMissing(Map<String, List<Variant>> services, HostPort at) {
        services.forEach((service, variants) -> {
            if (entries.stream().noneMatch(entry -> entry.service().equals(service))) {
                entries.add(store.entry(service, at, variants));
            }
        });
    }

    /** See {@link io.dubbomesh.registry.Registration#select}; {@link #write} does it. */
    void select(Map<String, List<Variant>> services) {
        selected = services;
        entries.forEach(entry -> entry.select(services));
        if (address != null) {
            addMissing(services, address);
        }
    }

    /** Called when the agent has other credentials, which may be granted what was refused. */
    void clearRefusals() {
        entries.forEach(AgentEntry::clearRefusal);
        refusedBackoff.reset();
    }

    /** Returns whether an entry is left, or has lapsed so that consumer agents may still use its endpoint. */
    boolean isAnyLeft() {
        return entries.stream().anyMatch(AgentEntry::isLeft);
    }

    /**
     * Makes the store hold what it should.
     *
     * @param registered whether it should hold the entries
     * @return in how many nanoseconds it has to be called again; -1 if everything is as it should be
     */
    long write(boolean registered) throws StoreFailure, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            long nextNs = Long.MAX_VALUE;
            boolean written = false;
            for (AgentEntry entry : entries) {
                long pauseNs = writeOrRefuse(entry, registered && entry.isSelected());
                if (pauseNs > 0) {
                    nextNs = Math.min(nextNs, pauseNs);
                }
                written |= pauseNs == 0;
            }
            if (!written) {
                return nextNs == Long.MAX_VALUE ? -1 : nextNs;
            }
        }
        throw new StoreFailure("the entries of this agent change all the time");
    }

    /** Returns as {@link #writeIfDue}; one entry that is refused does not stop the others. */
    private long writeOrRefuse(AgentEntry entry, boolean put) throws StoreFailure, InterruptedException {
        if (!put && entry.isAbandoned()) {
            return -1;
        }
        long leftNs = entry.refusedLeftNs(put, System.nanoTime());
        if (leftNs > 0) {
            return leftNs;
        }
        try {
            long pauseNs = writeIfDue(entry, put);
            if (pauseNs < 0 && entry.isRefused()) {
                entry.clearRefusal();
                refusedBackoff.reset();
            }
            return pauseNs;
        } catch (StoreFailure e) {
            if (!e.isOfOneEntry()) {
                throw e;
            }
            return refused(entry, put, e);
        }
    }

    private long refused(AgentEntry entry, boolean put, StoreFailure reason) {
        long nowNs = System.nanoTime();
        if (!entry.isRefused() && logLimit.tryLog(nowNs)) {
            LOG.warn("{} cannot be written: {}; this is tried again", entry.path(), reason.getMessage());
        }
        long pauseNs = TimeUnit.MILLISECONDS.toNanos(refusedBackoff.nextMs());
        entry.refused(put, nowNs + pauseNs);
        return !put && entry.isAbandoned() ? -1 : Math.max(1, pauseNs);
    }

    /**
     * Returns in how many nanoseconds the entry is to be written; 0 if it was written now, and -1 if it is as it should
     * be.
     */
    private long writeIfDue(AgentEntry entry, boolean put) throws StoreFailure, InterruptedException {
        if (entry.refresh()) {
            changed(entry, put);
        }
        if (isAsWanted(entry, put)) {
            if (put) {
                entry.confirmed();
            }
            return -1;
        }
        long nowNs = System.nanoTime();
        boolean saysLeaving = !put && entry.holds(leavingValue(entry));
        long pauseNs = put ? rewriteNs - nowNs : saysLeaving ? entry.leavingLeftNs(nowNs) : 0;
        if (pauseNs > 0) {
            return pauseNs;
        }
        if (put) {
            entry.put(value(entry), false);
        } else if (saysLeaving) {
            entry.delete();
        } else {
            entry.put(leavingValue(entry), true);
            entry.leavesUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(store.leavingMs()));
        }
        return 0;
    }

    /** Maybe by an operator or another agent: adopts the weight, and delays what is put next. */
    private void changed(AgentEntry entry, boolean put) {
        if (entry.isPresent() && !entry.isOurs()) {
            entry.takenOver();
        }
        boolean isLeaving = entry.isPresent() && entry.holds(leavingValue(entry));
        if (!entry.isSettled() || isLeaving || isAsWanted(entry, put)) {
            return;
        }
        if (entry.isPresent()) {
            adoptWeight(entry);
        } else if (logLimit.tryLog(System.nanoTime())) {
            LOG.info("{} was deleted", entry.path());
        }
        long nowNs = System.nanoTime();
        if (nowNs - rewriteNs > CALM_NS) {
            rewriteBackoff.reset();
        }
        rewriteNs = nowNs + TimeUnit.MILLISECONDS.toNanos(rewriteBackoff.nextMs());
    }

    private void adoptWeight(AgentEntry entry) {
        try {
            int found = EndpointCodec.parseValue(entry.value()).weight();
            if (found != weight) {
                if (logLimit.tryLog(System.nanoTime())) {
                    LOG.info("weight {} instead of {}, as set in {}", found, weight, entry.path());
                }
                weight = found;
            }
        } catch (IllegalArgumentException e) {
            if (logLimit.tryLog(System.nanoTime())) {
                LOG.warn(
                        "value of {} replaced: {}: {}",
                        entry.path(),
                        EndpointCodec.printable(entry.value()),
                        e.getMessage());
            }
        }
    }

    private boolean isAsWanted(AgentEntry entry, boolean put) {
        return put ? entry.isHeld() && entry.holds(value(entry)) : !entry.isLeft();
    }

    private byte[] value(AgentEntry entry) {
        return request.value(entry.service(), weight, capacity, entry.variants(), provider)
                .getBytes(UTF_8);
    }

    private byte[] leavingValue(AgentEntry entry) {
        return EndpointCodec.leavingValue(weight, request.limit(), entry.variants())
                .getBytes(UTF_8);
    }

    @Override
    public String toString() {
        return entries.stream()
                .filter(AgentEntry::isSelected)
                .map(AgentEntry::path)
                .collect(Collectors.joining(", "));
    }
}
