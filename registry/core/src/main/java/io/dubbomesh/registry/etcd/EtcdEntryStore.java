package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.etcd.client.KeyValue;
import io.dubbomesh.registry.etcd.client.WatchRequest;
import io.dubbomesh.registry.etcd.client.WatchResponse;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.keep.EntryStore;
import io.dubbomesh.registry.keep.StoreFailure;
import io.dubbomesh.registry.thread.TaskQueue;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * An agent's keys in etcd, under one lease. Belongs to the keeper's thread, but for {@link #leaseLeftNs}.
 *
 * <p>A connection may be dead without an end of it being seen, and a put is not repeated. Therefore a session confirms
 * the lease and the keys attached to it every few seconds, and at any irregularity the next session reads everything
 * again.
 */
final class EtcdEntryStore implements EntryStore {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final TaskQueue tasks;
    private final EtcdLease lease;
    private final EtcdSessions sessions;
    private final List<EtcdKey> keys = new ArrayList<>();
    /** The one that began last; null before the first. */
    private EtcdSession session;

    EtcdEntryStore(EtcdMembers members, EtcdTimes times, TaskQueue tasks) {
        this.members = members;
        this.times = times;
        this.tasks = tasks;
        this.lease = new EtcdLease(members, times.leaseSeconds());
        this.sessions = new EtcdSessions(members, times, () -> "registering again when it is back");
    }

    EtcdLease lease() {
        return lease;
    }

    EtcdSession session() {
        return session;
    }

    @Override
    public long run(Work work) throws InterruptedException {
        return sessions.run(opened -> {
            session = opened;
            try (Watched watched = new Watched(opened)) {
                work.run(watched);
            }
        });
    }

    @Override
    public AgentEntry entry(String service, HostPort address, List<Variant> variants) {
        EtcdKey key = new EtcdKey(this, service, new EndpointCodec.Key(service, address).toString(), variants);
        keys.add(key);
        return key;
    }

    @Override
    public boolean hasLease() {
        return lease.isHeld();
    }

    @Override
    public long leaseLeftNs() {
        return lease.leftNs();
    }

    @Override
    public void abandoned() {
        LOG.warn("registry {} did not answer: what it holds of this agent ends with the lease", members);
    }

    @Override
    public String toString() {
        return members.toString();
    }

    /** A session in which the keys are read and watched from that revision on. */
    private final class Watched implements Session, AutoCloseable {
        private final EtcdSession of;
        /** The number of keys that are watched. */
        private int watched;

        private boolean isAnswered;
        private boolean isClosed;
        /** The reason for which changes may be missed from now on; null as long as none are. */
        private EtcdFailure failure;

        private long confirmNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.confirmMs());

        Watched(EtcdSession of) {
            this.of = of;
        }

        @Override
        public String localHost() throws EtcdFailure {
            return of.localHost();
        }

        @Override
        public void prepare() throws StoreFailure, InterruptedException {
            if (failure != null) {
                throw failure;
            }
            if (!isAnswered) {
                lease.prolong(of);
            }
            for (; watched < keys.size(); watched++) {
                watch(keys.get(watched));
            }
            if (!isAnswered && sessions.isBack()) {
                LOG.info("registry {} is back, at {}", members, of.member());
            }
            isAnswered = true;
        }

        private void watch(EtcdKey key) throws EtcdFailure, InterruptedException {
            key.read(of);
            WatchRequest request = new WatchRequest(EtcdSession.bytes(key.path()), null, key.asOfRevision() + 1);
            of.watch(request, tasks, response -> apply(key, response), ended -> failure = ended);
        }

        private void apply(EtcdKey key, WatchResponse response) {
            for (WatchResponse.Event event : response.events()) {
                KeyValue kv = event.kv();
                if (!isClosed && key.isNews(kv.modRevision())) {
                    key.changed(event.deleted() ? null : kv, kv.modRevision());
                }
            }
        }

        @Override
        public long check() throws StoreFailure, InterruptedException {
            if (System.nanoTime() - confirmNs >= 0) {
                confirm();
                confirmNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.confirmMs());
            }
            return confirmNs - System.nanoTime();
        }

        private void confirm() throws EtcdFailure, InterruptedException {
            Set<String> attached = lease.isHeld() ? lease.confirm(of) : null;
            boolean isAnyMissing = attached != null && keys.stream().anyMatch(key -> key.isMissing(attached));
            // What the watch has reported is among the tasks.
            if (isAnyMissing && tasks.isEmpty()) {
                throw new EtcdFailure(
                        "a key of this agent changed, and the watch did not report it", EtcdFailure.Kind.OTHER);
            }
        }

        @Override
        public void end() throws StoreFailure, InterruptedException {
            lease.revoke(of);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
