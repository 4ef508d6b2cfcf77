package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.LogLimit;
import io.dubbomesh.registry.Outage;
import io.dubbomesh.registry.ReachableAddress;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one agent registered in ZooKeeper, on a thread of its own. {@link AgentNodes} knows what ZooKeeper should hold
 * and writes it; this class runs it in sessions, one after the other, and carries the calls of other threads to its
 * own.
 *
 * <pre>
 *          first register()              the session ended, or no connection for some seconds
 *   IDLE -------------------> SESSION ------------> BACK-OFF
 *     |                        |     <------------
 *     | close()                |       after a pause
 *     |                        | closed, nodes deleted
 *     +--------> ENDED <-------+
 * </pre>
 *
 * <p>A session outlives its connection, and its nodes with it. But a ZooKeeper that was emptied refuses it for ever, so
 * another one is begun after some seconds, which takes over the nodes of the one before.
 */
final class ZooKeeperRegistration implements Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int FAILURES_BEFORE_AWAY = 2;
    private static final int CONNECT_TIMEOUT_MS = 2_000;
    /** Times the patience of the first attempt: on a busy machine a session can take longer to begin. */
    private static final int LONGEST_PATIENCE = 4;

    private enum Target {
        DEREGISTERED,
        REGISTERED,
        CLOSED
    }

    private final Ensemble ensemble;
    /** For the log. */
    private final String name;

    private final RegistrationTimes times;
    private final AgentNodes nodes;
    private final boolean hasHost;
    private final Thread thread;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile boolean registered;
    private volatile boolean ended;
    /** Null while there is none. */
    private volatile NodeSession session;

    // The rest belongs to the thread; see post() for what comes after its end.
    private final Backoff backoff;
    private final Outage outage;
    /** Of the file of the user. */
    private final LogLimit faults = new LogLimit(1);

    private final List<CompletableFuture<Void>> deregistrations = new ArrayList<>();
    private long patienceMs;
    private Target target = Target.DEREGISTERED;
    /** The nodes that the log has as registered. */
    private String logged = "";

    /** @param root the node below which agents register */
    ZooKeeperRegistration(Ensemble ensemble, String root, RegistrationTimes times, RegistrationRequest request) {
        this.ensemble = ensemble;
        this.name = "zookeeper://" + ensemble;
        this.times = times;
        this.nodes = new AgentNodes(root, request, times.leavingMs());
        this.hasHost = request.host() != null;
        this.patienceMs = times.patienceMs();
        this.backoff = new Backoff(times.retryMinMs(), times.retryMaxMs());
        this.outage = new Outage(FAILURES_BEFORE_AWAY, TimeUnit.MILLISECONDS.toNanos(times.patienceMs()));
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
        post(() -> nodes.select(services));
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
        return nodes.address();
    }

    @Override
    public void changeWeight(int weight) {
        post(() -> nodes.changeWeight(weight));
    }

    @Override
    public int weight() {
        return nodes.weight();
    }

    @Override
    public boolean registered() {
        return registered;
    }

    @Override
    public long leaseLeftNs() {
        NodeSession now = session;
        return now == null ? -1 : now.leftNs();
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
        endDeregistrations(!nodes.isAnyLeft());
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
                runSession();
                runTasks(isOver() ? 0 : TimeUnit.MILLISECONDS.toNanos(backoff.nextMs()));
            }
        } catch (InterruptedException e) {
            LOG.warn("registry {} did not answer: what it holds of this agent ends with the session", name);
        } finally {
            registered = false;
            ended = true;
            runTasksAfterEnd();
        }
    }

    private boolean isOver() {
        return target == Target.CLOSED && !nodes.isAnyLeft();
    }

    private void runTasks(long timeoutNs) throws InterruptedException {
        Runnable task = tasks.poll(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS);
        for (; task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void runSession() throws InterruptedException {
        try (NodeSession opened = new NodeSession(ensemble, times, path -> post(() -> nodes.changed(path)))) {
            session = opened;
            keepRegistered(opened);
        } catch (ZooKeeperFailure e) {
            patienceMs = Math.min(2 * patienceMs, LONGEST_PATIENCE * times.patienceMs());
            failed(e.getMessage(), null);
        } catch (RuntimeException e) {
            failed(e.toString(), e);
        } finally {
            session = null;
        }
    }

    /** Returns once closed. */
    private void keepRegistered(NodeSession opened) throws ZooKeeperFailure, InterruptedException {
        long confirmNs = System.nanoTime();
        while (true) {
            opened.awaitConnection(patienceMs);
            try {
                if (opened.isConnectedAnew()) {
                    connected(opened);
                }
                long writeNs = nodes.write(opened, isWanted());
                backoff.reset();
                if (outage.end()) {
                    LOG.info("registry {} is back", name);
                }
                if (writeNs < 0) {
                    setRegistered(isWanted());
                    if (target == Target.CLOSED) {
                        return;
                    }
                }
                long nowNs = System.nanoTime();
                boolean isConfirmDue = nowNs - confirmNs >= 0;
                if ((isConfirmDue || opened.isRefused()) && hasOtherUser(opened, nowNs)) {
                    nodes.userChanged();
                    continue;
                }
                if (isConfirmDue) {
                    opened.confirm();
                    confirmNs = nowNs + TimeUnit.MILLISECONDS.toNanos(times.confirmMs());
                }
                runTasks(Math.min(confirmNs - nowNs, writeNs < 0 ? Long.MAX_VALUE : writeNs));
            } catch (ZooKeeperFailure e) {
                // Without an address there are no nodes, which must not be taken for all of them being there.
                if (opened.isOver() || nodes.address() == null) {
                    throw e;
                }
                failed(e.getMessage(), null);
                runTasks(TimeUnit.MILLISECONDS.toNanos(backoff.nextMs()));
            }
        }
    }

    /**
     * Whether the file of the user has changed; ZooKeeper knows the new one then. As long as it cannot be used, the
     * last one goes on.
     */
    private boolean hasOtherUser(NodeSession opened, long nowNs) {
        try {
            return opened.takeUser();
        } catch (ZooKeeperFailure e) {
            if (faults.tryLog(nowNs)) {
                LOG.warn("registry {}: {}; what was read before holds", name, e.getMessage());
            }
            return false;
        }
    }

    private void connected(NodeSession opened) throws ZooKeeperFailure {
        if (nodes.address() == null) {
            nodes.name(hasHost ? null : localHost());
        }
        nodes.connected(opened);
        patienceMs = times.patienceMs();
    }

    /** The address by which this machine reaches ZooKeeper, to be registered. */
    private String localHost() throws ZooKeeperFailure {
        String failure = "";
        for (HostPort member : ensemble.members()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(member.host(), member.port()), CONNECT_TIMEOUT_MS);
                return ReachableAddress.checkedHost(socket.getLocalAddress().getHostAddress());
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
            } catch (IllegalArgumentException e) {
                failure = "the local address cannot be registered, set advertise.host: " + e.getMessage();
            }
        }
        throw new ZooKeeperFailure(failure, null);
    }

    private void failed(String reason, RuntimeException unexpected) {
        String line = outage.failed(PrintableText.brief(reason), System.nanoTime());
        if (line == null) {
            LOG.debug("registry {}: {}", name, PrintableText.brief(reason), unexpected);
        } else {
            LOG.warn("registry {} {}; {}", name, line, "registering again when it is back", unexpected);
        }
    }

    private boolean isWanted() {
        return target == Target.REGISTERED;
    }

    private void setRegistered(boolean now) {
        if (now && !nodes.toString().equals(logged)) {
            logged = nodes.toString();
            LOG.info("registered at {}, weight {}: {}", name, nodes.weight(), logged);
        } else if (!now && registered) {
            LOG.info("deregistered at {}: {}", name, logged);
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
}
