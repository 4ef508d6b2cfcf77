package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.ReachableAddress;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One agent's keys in etcd and the lease under them. One thread knows what should stand there (each key under the lease with
 * the weight in force, or nothing) and what does (as last read, watched or written), and writes the difference.
 *
 * <p>Each write is conditional on the key being as this thread knows it. Hence nothing done by hand is overwritten unseen, and
 * a write that was given up but reaches etcd late finds another key and does nothing; only a first put may still come
 * after its deletion, and that one is seen by the watch and deleted again.
 *
 * <p>jetcd ends watches and keep-alives in silence and does not repeat puts. Therefore the lease and the keys attached to it
 * are confirmed all few seconds, and at any irregularity everything is read anew with another connection.
 */
final class EtcdRegistration implements Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_ROUNDS = 16;

    // Between writing back what others changed: two agents taking themselves for the same one must not keep etcd busy.
    private static final long MIN_WRITE_BACK_MS = 20;
    private static final long MAX_WRITE_BACK_MS = 2_000;
    private static final long CALM_NS = TimeUnit.SECONDS.toNanos(10);

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final RegistrationRequest request;
    private final EtcdLease lease;
    private final Thread thread;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile int weight;
    private volatile boolean registered;
    private volatile boolean over;

    // All of the following belongs to the thread; see post() for what comes after its end.
    private final List<EtcdKey> keys = new ArrayList<>();
    private final List<CompletableFuture<Void>> deregistrations = new ArrayList<>();
    private final Backoff writeBack = new Backoff(MIN_WRITE_BACK_MS, MAX_WRITE_BACK_MS);
    private boolean wanted;
    private boolean closing;
    private boolean away;
    private long writeBackNs = System.nanoTime();
    private EtcdSession current;
    private String watchEnd;

    EtcdRegistration(EtcdMembers members, EtcdTimes times, RegistrationRequest request) {
        this.members = members;
        this.times = times;
        this.request = request;
        this.weight = request.weight();
        this.lease = new EtcdLease(members, times.leaseSeconds());
        this.thread = new Thread(this::run, "registry-registration");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void register() {
        post(() -> {
            wanted = true;
            deregistrations.forEach(deregistration -> deregistration.cancel(false));
            deregistrations.clear();
        });
    }

    @Override
    public CompletableFuture<Void> deregister() {
        CompletableFuture<Void> deregistration = new CompletableFuture<>();
        post(() -> {
            wanted = false;
            deregistrations.add(deregistration);
        });
        return deregistration;
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public boolean registered() {
        return registered;
    }

    @Override
    public void close() {
        post(() -> {
            wanted = false;
            closing = true;
        });
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(times.closeMs());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }

    private void post(Runnable task) {
        tasks.add(task);
        if (over) {
            runRest();
        }
    }

    /** After the thread's end, on the thread of whoever still asks for something. */
    private synchronized void runRest() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        boolean left = keys.stream().anyMatch(this::isOurs);
        deregistrations.forEach(deregistration -> {
            if (left) {
                deregistration.cancel(false);
            } else {
                deregistration.complete(null);
            }
        });
        deregistrations.clear();
    }

    private void run() {
        Backoff backoff = new Backoff(times.retryMinMs(), times.retryMaxMs());
        try {
            while (!wanted && !closing) {
                take(TimeUnit.DAYS.toNanos(1));
                if (!wanted) {
                    standsNoMore();
                }
            }
            while (!closing || lease.isHeld()) {
                long startedNs = System.nanoTime();
                try (EtcdSession session = members.next()) {
                    serve(session);
                } catch (EtcdFailure e) {
                    away(e.getMessage(), null);
                } catch (RuntimeException e) {
                    away(e.toString(), e);
                }
                if (System.nanoTime() - startedNs > TimeUnit.MILLISECONDS.toNanos(2 * times.timeoutMs())) {
                    backoff.reset();
                }
                take(TimeUnit.MILLISECONDS.toNanos(closing && !lease.isHeld() ? 0 : backoff.nextMs()));
            }
        } catch (InterruptedException e) {
            LOG.warn("registry {} did not answer: what it has of this agent ends with the lease", members);
        } finally {
            registered = false;
            over = true;
            runRest();
        }
    }

    private void take(long timeoutNs) throws InterruptedException {
        Runnable task = tasks.poll(timeoutNs, TimeUnit.NANOSECONDS);
        for (; task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void away(String reason, RuntimeException unexpected) {
        if (!away) {
            away = true;
            LOG.warn(
                    "registry {} is away: {}; registering again when it is back",
                    members,
                    PrintableText.brief(reason),
                    unexpected);
        }
    }

    private void serve(EtcdSession session) throws EtcdFailure, InterruptedException {
        current = session;
        watchEnd = null;
        if (keys.isEmpty()) {
            nameKeys(session);
        }
        lease.prolong(session);
        for (EtcdKey key : keys) {
            read(session, key);
        }
        if (away) {
            away = false;
            LOG.info("registry {} is back, at {}", members, session.member());
        }
        long confirmNs = TimeUnit.MILLISECONDS.toNanos(times.confirmMs());
        long dueNs = System.nanoTime() + confirmNs;
        while (true) {
            boolean settled = settle(session);
            if (closing && settled) {
                lease.revoke(session);
                return;
            }
            long nowNs = System.nanoTime();
            take(Math.min(dueNs - nowNs, settled ? Long.MAX_VALUE : writeBackNs - nowNs));
            if (watchEnd != null) {
                throw new EtcdFailure(watchEnd, EtcdFailure.Kind.OTHER);
            }
            if (System.nanoTime() - dueNs >= 0) {
                confirm(session);
                dueNs = System.nanoTime() + confirmNs;
            }
        }
    }

    /** Once and for all: an agent that changed its name on the way would leave its old one behind. */
    private void nameKeys(EtcdSession session) throws EtcdFailure {
        HostPort address = new HostPort(host(session), request.port());
        request.services().forEach((service, variants) -> {
            String name = new EndpointCodec.Key(service, address).toString();
            keys.add(new EtcdKey(name, variants));
        });
    }

    private String host(EtcdSession session) throws EtcdFailure {
        if (request.host() != null) {
            return request.host();
        }
        String local = members.localAddress(session.member()).getHostAddress();
        try {
            return ReachableAddress.checkedHost(local);
        } catch (IllegalArgumentException e) {
            throw new EtcdFailure(
                    "local address " + local + " cannot be advertised, set advertise.host", EtcdFailure.Kind.OTHER);
        }
    }

    private void read(EtcdSession session, EtcdKey key) throws EtcdFailure, InterruptedException {
        GetResponse answer = session.await(session.kv().get(key.bytes()));
        long asOf = answer.getHeader().getRevision();
        key.found(answer.getKvs().isEmpty() ? null : answer.getKvs().get(0), asOf);
        notice(key);
        session.watch(
                key.name(),
                false,
                asOf + 1,
                response -> post(() -> {
                    if (current == session) {
                        watched(key, response);
                    }
                }),
                reason -> post(() -> {
                    if (current == session) {
                        watchEnd = reason;
                    }
                }));
    }

    private void watched(EtcdKey key, WatchResponse response) {
        for (WatchEvent event : response.getEvents()) {
            KeyValue kv = event.getKeyValue();
            if (key.isNews(kv.getModRevision())) {
                boolean put = event.getEventType() == WatchEvent.EventType.PUT;
                key.found(put ? kv : null, kv.getModRevision());
                notice(key);
            }
        }
    }

    /** Draws the conclusions from what was found at the key and may have been left there by somebody else. */
    private void notice(EtcdKey key) {
        if (!key.written() || isSettled(key)) {
            return;
        }
        if (key.present()) {
            adopt(key);
        } else {
            LOG.info("{} was deleted", key.name());
        }
        long nowNs = System.nanoTime();
        if (nowNs - writeBackNs > CALM_NS) {
            writeBack.reset();
        }
        writeBackNs = nowNs + TimeUnit.MILLISECONDS.toNanos(writeBack.nextMs());
    }

    private void adopt(EtcdKey key) {
        try {
            int found = EndpointCodec.parseValue(key.value()).weight();
            if (found != weight) {
                LOG.info("weight {} instead of {}, as set by hand in {}", found, weight, key.name());
                weight = found;
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("value of {} replaced: {}: {}", key.name(), EndpointCodec.printable(key.value()), e.getMessage());
        }
    }

    /** Makes etcd what it should be; false if that has to wait until {@link #writeBackNs}. */
    private boolean settle(EtcdSession session) throws EtcdFailure, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            boolean settled = true;
            for (EtcdKey key : keys) {
                if (!isSettled(key)) {
                    if (wanted && System.nanoTime() - writeBackNs < 0) {
                        return false;
                    }
                    write(session, key);
                    settled = false;
                }
            }
            if (settled) {
                if (wanted) {
                    stands();
                } else {
                    standsNoMore();
                }
                return true;
            }
        }
        throw new EtcdFailure("the keys of this agent change all the time", EtcdFailure.Kind.OTHER);
    }

    private boolean isSettled(EtcdKey key) {
        return wanted ? lease.isHeld() && key.holds(value(key), lease.id()) : !isOurs(key);
    }

    /** Under another lease it is the key of an agent that has taken this one's place. */
    private boolean isOurs(EtcdKey key) {
        return key.present() && (key.lease() == 0 || key.lease() == lease.id());
    }

    private ByteSequence value(EtcdKey key) {
        return EtcdSession.bytes(EndpointCodec.value(weight, request.limit(), key.variants()));
    }

    private void write(EtcdSession session, EtcdKey key) throws EtcdFailure, InterruptedException {
        try {
            if (wanted && !lease.isHeld()) {
                lease.grant(session);
            }
            boolean done = wanted ? key.put(session, value(key), lease.id()) : key.delete(session);
            if (!done) {
                notice(key);
            }
        } catch (EtcdFailure e) {
            lease.lostBy(e);
        }
    }

    private void stands() {
        if (!registered) {
            registered = true;
            LOG.info("registered at {}, weight {}: {}", members, weight, names());
        }
    }

    private void standsNoMore() {
        if (registered) {
            registered = false;
            LOG.info("registered no more at {}: {}", members, names());
        }
        deregistrations.forEach(deregistration -> deregistration.complete(null));
        deregistrations.clear();
    }

    private String names() {
        return keys.stream().map(EtcdKey::name).collect(Collectors.joining(", "));
    }

    private void confirm(EtcdSession session) throws EtcdFailure, InterruptedException {
        if (!lease.isHeld()) {
            return;
        }
        Set<ByteSequence> found = lease.keys(session);
        boolean changed = wanted
                && found != null
                && keys.stream().anyMatch(key -> isSettled(key) && !found.contains(key.bytes()));
        if (changed && tasks.isEmpty()) {
            throw new EtcdFailure("a key of this agent changed, and the watch said nothing", EtcdFailure.Kind.OTHER);
        }
    }
}
