package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.LogLimit;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import io.etcd.jetcd.ByteSequence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An agent's own keys, one for each service: compares what etcd should hold (each key with the weight in force under
 * the agent's lease, or no key) with what it holds as far as is known, and writes the difference. Belongs to one
 * thread, but for {@link #weight} and {@link #address}.
 *
 * <p>Each write is conditional on the key being as it is known. Hence no change by an operator is overwritten unseen,
 * and a write that was given up but reaches etcd late finds another key and does nothing; only a first put may still
 * come after its deletion, and the watch sees that one, so it is deleted again. Of a write whose answer was lost, the
 * key's history tells whether etcd has executed it: a change that came after it holds.
 */
final class EtcdKeys {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_ROUNDS = 16;
    private static final int LINES_PER_MINUTE = 10;

    // Pauses before what others changed is written again: two agents with the same address must not keep etcd busy.
    private static final long MIN_REWRITE_MS = 20;
    private static final long MAX_REWRITE_MS = 2_000;
    private static final long CALM_NS = TimeUnit.SECONDS.toNanos(10);

    private final RegistrationRequest request;
    private final EtcdLease lease;
    private final List<EtcdKey> keys = new ArrayList<>();
    /** Of what others can cause as often as they like. */
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);

    private final Backoff rewriteBackoff = new Backoff(MIN_REWRITE_MS, MAX_REWRITE_MS);
    private long rewriteNs = System.nanoTime();
    private Map<String, List<Variant>> selected;
    private volatile int weight;
    /** Null until the keys are named. */
    private volatile HostPort address;

    private String provider = "";

    EtcdKeys(RegistrationRequest request, EtcdLease lease) {
        this.request = request;
        this.lease = lease;
        this.weight = request.weight();
        selected = request.services();
    }

    int weight() {
        return weight;
    }

    HostPort address() {
        return address;
    }

    /** An operator has changed the weight at this agent; the next {@link #write} puts it. */
    void changeWeight(int changed) {
        weight = changed;
        keys.forEach(EtcdKey::weightChanged);
    }

    List<EtcdKey> all() {
        return keys;
    }

    /** Names the keys, the first time only: an agent that changed its address later would leave its old keys behind. */
    void name(EtcdSession session) throws EtcdFailure {
        if (address != null) {
            return;
        }
        HostPort named = new HostPort(request.host() == null ? session.localHost() : request.host(), request.port());
        provider = request.providerAddress(named.host());
        address = named;
        request.services().forEach(this::add);
        select(selected);
    }

    private void add(String service, List<Variant> variants) {
        String name = new EndpointCodec.Key(service, address).toString();
        keys.add(new EtcdKey(service, name, variants));
    }

    /**
     * See {@link io.dubbomesh.registry.Registration#select}; {@link #write} does it, when keys that are new are
     * watched.
     */
    void select(Map<String, List<Variant>> services) {
        selected = services;
        if (address != null) {
            services.forEach((service, variants) -> {
                if (keys.stream().noneMatch(key -> key.service().equals(service))) {
                    add(service, variants);
                }
            });
        }
        keys.forEach(key -> key.select(services));
    }

    /** Whether a key of this agent is left, or has lapsed so that consumer agents may still use its endpoint. */
    boolean isAnyLeft() {
        return keys.stream().anyMatch(this::isLeft);
    }

    private boolean isLeft(EtcdKey key) {
        return key.present() ? isOurs(key) : key.listed();
    }

    /** Under another lease it belongs to an agent that has taken this one's place. */
    private boolean isOurs(EtcdKey key) {
        return key.present() && (key.lease() == 0 || key.lease() == lease.id());
    }

    /** When {@link #write} has to be called again after it returned false. */
    long rewriteNs() {
        return rewriteNs;
    }

    /**
     * To be called when a key was found changed, maybe by an operator or another agent: adopts its weight, and
     * schedules a rewrite.
     */
    void changed(EtcdKey key, boolean registered) {
        if (key.present() && !isOurs(key)) {
            key.takenOver();
        }
        if (!key.settled() || isAsWanted(key, registered)) {
            return;
        }
        if (key.present()) {
            adoptWeight(key);
        } else if (logLimit.tryLog(System.nanoTime())) {
            LOG.info("{} was deleted", key.name());
        }
        long nowNs = System.nanoTime();
        if (nowNs - rewriteNs > CALM_NS) {
            rewriteBackoff.reset();
        }
        rewriteNs = nowNs + TimeUnit.MILLISECONDS.toNanos(rewriteBackoff.nextMs());
    }

    private void adoptWeight(EtcdKey key) {
        try {
            int found = EndpointCodec.parseValue(key.value()).weight();
            if (found != weight) {
                if (logLimit.tryLog(System.nanoTime())) {
                    LOG.info("weight {} instead of {}, as set in {}", found, weight, key.name());
                }
                weight = found;
            }
        } catch (IllegalArgumentException e) {
            if (logLimit.tryLog(System.nanoTime())) {
                LOG.warn(
                        "value of {} replaced: {}: {}",
                        key.name(),
                        EndpointCodec.printable(key.value()),
                        e.getMessage());
            }
        }
    }

    /**
     * Makes etcd hold what it should.
     *
     * @param registered whether it should hold the keys
     * @return false if a key has to wait for {@link #rewriteNs}
     */
    boolean write(EtcdSession session, boolean registered) throws EtcdFailure, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            boolean done = true;
            for (EtcdKey key : keys) {
                if (!isAsWanted(key, registered)) {
                    boolean put = registered && key.selected();
                    if (put && System.nanoTime() - rewriteNs < 0) {
                        return false;
                    }
                    write(session, key, put);
                    done = false;
                } else if (registered && key.selected()) {
                    key.settle();
                }
            }
            if (done) {
                return true;
            }
        }
        throw new EtcdFailure("the keys of this agent change all the time", EtcdFailure.Kind.OTHER);
    }

    private void write(EtcdSession session, EtcdKey key, boolean put) throws EtcdFailure, InterruptedException {
        try {
            if (!lease.isHeld() && (put || !key.present())) {
                lease.grant(session);
            }
            boolean done = put ? key.put(session, value(key), lease.id()) : leave(session, key);
            if (!done) {
                changed(key, put);
            }
        } catch (EtcdFailure e) {
            lease.lostBy(e);
        }
    }

    /**
     * First the value says that the agent leaves, then the key goes: a key that just goes may have lapsed. One that has
     * lapsed is put once more to say so.
     */
    private boolean leave(EtcdSession session, EtcdKey key) throws EtcdFailure, InterruptedException {
        ByteSequence leaving = EtcdSession.bytes(EndpointCodec.leavingValue(weight, request.limit(), key.variants()));
        if (key.holds(leaving, key.lease())) {
            return key.delete(session);
        }
        return key.putLeaving(session, leaving, key.present() ? key.lease() : lease.id());
    }

    private boolean isAsWanted(EtcdKey key, boolean registered) {
        return registered && key.selected() ? lease.isHeld() && key.holds(value(key), lease.id()) : !isLeft(key);
    }

    private ByteSequence value(EtcdKey key) {
        return EtcdSession.bytes(request.value(key.service(), weight, key.variants(), provider));
    }

    /** Whether a key that should be under the lease is not, according to etcd. */
    boolean isAnyMissing(Set<ByteSequence> attached) {
        return keys.stream()
                .anyMatch(key -> key.selected() && isAsWanted(key, true) && !attached.contains(key.bytes()));
    }

    @Override
    public String toString() {
        return keys.stream().filter(EtcdKey::selected).map(EtcdKey::name).collect(Collectors.joining(", "));
    }
}
