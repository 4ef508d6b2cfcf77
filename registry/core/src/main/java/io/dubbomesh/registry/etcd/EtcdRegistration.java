package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.etcd.jetcd.ByteSequence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one agent registered in etcd, on a thread of its own. {@link EtcdKeys} knows what etcd should hold and writes
 * it, {@link EtcdLease} is the lease under the keys, {@link EtcdKeyWatch} reports what others do to them; this class
 * runs them in sessions, one after the other, and carries the calls of other threads to its own.
 *
 * <pre>
 *          first register()              failure
 *   IDLE -------------------> SESSION ------------> BACK-OFF
 *     |                        |     <------------
 *     | close()                |       after a pause, with the next member
 *     |                        | closed, keys deleted, lease revoked
 *     +--------> ENDED <-------+
 * </pre>
 *
 * <p>jetcd ends watches and keep-alives without telling and does not repeat puts. Therefore a session confirms the
 * lease and the keys attached to it every few seconds, and at any irregularity the next session reads everything again.
 */
final class EtcdRegistration implements Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private enum Target {
        DEREGISTERED,
        REGISTERED,
        CLOSED
    }

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final EtcdLease lease;
    private final EtcdKeys keys;
    private final Thread thread;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile boolean registered;
    private volatile boolean ended;

    // The rest belongs to the thread; see post() for what comes after its end.
    private final EtcdSessions sessions;
    private final List<CompletableFuture<Void>> deregistrations = new ArrayList<>();
    private Target target = Target.DEREGISTERED;
    /** The keys that the log has as registered. */
    private String logged = "";

    EtcdRegistration(EtcdMembers members, EtcdTimes times, RegistrationRequest request) {
        this.members = members;
        this.times = times;
        this.lease = new EtcdLease(members, times.leaseSeconds());
        this.keys = new EtcdKeys(request, lease);
        this.sessions = new EtcdSessions(members, times, () -> "registering again when it is back");
        this.thread = new Thread(this::run, "registry-registration");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void register() {
        post(() -> {
            if (target != Target.CLOSED) {
                target = Target.REGISTERED;
                endDeregistrations(false);
            }
        });
    }

    @Override
    public void select(Map<String, List<Variant>> services) {
        post(() -> keys.select(services));
    }

    @Override
    public CompletableFuture<Void> deregister() {
        CompletableFuture<Void> deregistration = new CompletableFuture<>();
        post(() -> {
            if (target != Target.CLOSED) {
                target = Target.DEREGISTERED;
            }
            deregistrations.add(deregistration);
        });
        return deregistration;
    }

    @Override
    public HostPort address() {
        return keys.address();
    }

    @Override
    public void changeWeight(int weight) {
        post(() -> keys.changeWeight(weight));
    }

    @Override
    public int weight() {
        return keys.weight();
    }

    @Override
    public boolean registered() {
        return registered;
    }

    @Override
    public long leaseLeftNs() {
        return lease.leftNs();
    }

    @Override
    public void close() {
        post(() -> target = Target.CLOSED);
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
        if (ended) {
            runTasksAfterEnd();
        }
    }

    /** The thread has ended, so the thread that called the registration runs its task. */
    private synchronized void runTasksAfterEnd() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        endDeregistrations(!keys.isAnyLeft());
    }

    private void run() {
        try {
            while (target == Target.DEREGISTERED) {
                runTasks(TimeUnit.DAYS.toNanos(1));
                if (target != Target.REGISTERED) {
                    endDeregistrations(true);
                }
            }
            while (!isOver()) {
                long pauseMs = sessions.run(this::serve);
                runTasks(isOver() ? 0 : TimeUnit.MILLISECONDS.toNanos(pauseMs));
            }
        } catch (InterruptedException e) {
            LOG.warn("registry {} did not answer: what it holds of this agent ends with the lease", members);
        } finally {
            registered = false;
            ended = true;
            runTasksAfterEnd();
        }
    }

    private boolean isOver() {
        return target == Target.CLOSED && !lease.isHeld() && !keys.isAnyLeft();
    }

    private void runTasks(long timeoutNs) throws InterruptedException {
        Runnable task = tasks.poll(timeoutNs, TimeUnit.NANOSECONDS);
        for (; task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void serve(EtcdSession session) throws EtcdFailure, InterruptedException {
        keys.name(session);
        lease.prolong(session);
        try (EtcdKeyWatch watch = new EtcdKeyWatch(session, this::post, key -> keys.changed(key, isWanted()))) {
            watchNew(watch, 0);
            if (sessions.isBack()) {
                LOG.info("registry {} is back, at {}", members, session.member());
            }
            keepRegistered(session, watch);
        }
    }

    /** Returns how many are watched. */
    private int watchNew(EtcdKeyWatch watch, int watched) throws EtcdFailure, InterruptedException {
        List<EtcdKey> all = keys.all();
        for (EtcdKey key : List.copyOf(all.subList(watched, all.size()))) {
            watch.add(key);
        }
        return all.size();
    }

    /** Returns once closed. */
    private void keepRegistered(EtcdSession session, EtcdKeyWatch watch) throws EtcdFailure, InterruptedException {
        long confirmIntervalNs = TimeUnit.MILLISECONDS.toNanos(times.confirmMs());
        long confirmNs = System.nanoTime() + confirmIntervalNs;
        int watched = keys.all().size();
        while (true) {
            watched = watchNew(watch, watched);
            boolean written = keys.write(session, isWanted());
            if (written) {
                setRegistered(isWanted());
                if (target == Target.CLOSED) {
                    lease.revoke(session);
                    return;
                }
            }
            long nowNs = System.nanoTime();
            runTasks(Math.min(confirmNs - nowNs, written ? Long.MAX_VALUE : keys.rewriteNs() - nowNs));
            watch.check();
            if (System.nanoTime() - confirmNs >= 0) {
                confirm(session);
                confirmNs = System.nanoTime() + confirmIntervalNs;
            }
        }
    }

    private boolean isWanted() {
        return target == Target.REGISTERED;
    }

    private void setRegistered(boolean now) {
        if (now && !keys.toString().equals(logged)) {
            logged = keys.toString();
            LOG.info("registered at {}, weight {}: {}", members, keys.weight(), logged);
        } else if (!now && registered) {
            LOG.info("deregistered at {}: {}", members, logged);
            logged = "";
        }
        registered = now;
        if (!now) {
            endDeregistrations(true);
        }
    }

    private void endDeregistrations(boolean done) {
        for (CompletableFuture<Void> deregistration : deregistrations) {
            if (done) {
                deregistration.complete(null);
            } else {
                deregistration.cancel(false);
            }
        }
        deregistrations.clear();
    }

    private void confirm(EtcdSession session) throws EtcdFailure, InterruptedException {
        if (!lease.isHeld()) {
            return;
        }
        Set<ByteSequence> attached = lease.confirm(session);
        boolean changed = isWanted() && attached != null && keys.isAnyMissing(attached);
        if (changed && tasks.isEmpty()) {
            throw new EtcdFailure(
                    "a key of this agent changed, and the watch did not report it", EtcdFailure.Kind.OTHER);
        }
    }
}
