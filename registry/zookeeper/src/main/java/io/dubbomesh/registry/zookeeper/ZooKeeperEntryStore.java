package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.keep.EntryStore;
import io.dubbomesh.registry.keep.StoreFailure;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Outage;
import io.dubbomesh.registry.thread.RegistryContact;
import io.dubbomesh.registry.thread.TaskQueue;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.registry.zookeeper.session.NodeRefusal;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * An agent's nodes in ZooKeeper, ephemeral in its session. Belongs to the keeper's thread, but for
 * {@link #leaseLeftNs}.
 *
 * <p>A session outlives its connection, and its nodes with it. But a ZooKeeper that was emptied refuses it for ever, so
 * another one is begun after some seconds, which takes over the nodes of the one before.
 */
final class ZooKeeperEntryStore implements EntryStore {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int FAILURES_BEFORE_AWAY = 2;
    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final int MAX_SESSIONS = 64;
    /** Times the patience of the first attempt: on a busy machine a session can take longer to begin. */
    private static final int LONGEST_PATIENCE = 4;

    private final Ensemble ensemble;
    /** The name in the log. */
    private final String name;

    private final String root;
    private final RegistrationTimes times;
    private final TaskQueue tasks;
    private final List<AgentNode> nodes = new ArrayList<>();
    /** The sessions of this agent, whose nodes may still be there. */
    private final Set<Long> sessions = new LinkedHashSet<>();

    private final RegistryContact contact;
    /** The limit of lines about the file of the user. */
    private final LogLimit faults = new LogLimit(1);

    private long patienceMs;
    /** Null while there is none. */
    private volatile NodeSession session;

    /** @param root the node below which agents register */
    ZooKeeperEntryStore(Ensemble ensemble, String root, RegistrationTimes times, TaskQueue tasks) {
        this.ensemble = ensemble;
        this.name = "zookeeper://" + ensemble;
        this.root = root;
        this.times = times;
        this.tasks = tasks;
        this.patienceMs = times.patienceMs();
        this.contact = new RegistryContact(
                name,
                new Outage(FAILURES_BEFORE_AWAY, TimeUnit.MILLISECONDS.toNanos(times.patienceMs())),
                new Backoff(times.retryMinMs(), times.retryMaxMs()),
                () -> "registering again when it is back");
    }

    NodeSession session() {
        return session;
    }

    /** Returns whether a session is one of this agent. */
    boolean isOwn(long sessionId) {
        return sessions.contains(sessionId);
    }

    @Override
    public long run(Work work) throws InterruptedException {
        try (NodeSession opened = new NodeSession(ensemble, times, path -> tasks.execute(() -> changed(path)))) {
            session = opened;
            work.run(new Connected(opened));
        } catch (StoreFailure e) {
            patienceMs = Math.min(2 * patienceMs, LONGEST_PATIENCE * times.patienceMs());
            contact.failed(e.getMessage());
        } catch (RuntimeException e) {
            contact.failed(e);
        } finally {
            session = null;
        }
        return contact.pauseMs();
    }

    /** @param path of a node that has changed */
    private void changed(String path) {
        nodes.stream().filter(node -> node.path().equals(path)).forEach(AgentNode::changed);
    }

    @Override
    public AgentEntry entry(String service, HostPort address, List<Variant> variants) {
        AgentNode node = new AgentNode(this, service, root + '/' + service + '/' + address, variants);
        nodes.add(node);
        return node;
    }

    @Override
    public long leavingMs() {
        return times.leavingMs();
    }

    @Override
    public long leaseLeftNs() {
        NodeSession now = session;
        return now == null ? -1 : now.leftNs();
    }

    @Override
    public void abandoned() {
        LOG.warn("registry {} did not answer: what it holds of this agent ends with the session", name);
    }

    @Override
    public String toString() {
        return name;
    }

    private final class Connected implements Session {
        private final NodeSession of;
        private long confirmNs = System.nanoTime();

        Connected(NodeSession of) {
            this.of = of;
        }

        @Override
        public void connect() throws ZooKeeperFailure, InterruptedException {
            of.awaitConnection(patienceMs);
        }

        @Override
        public String localHost() throws ZooKeeperFailure {
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

        /** Over another connection, or in another session, what is known of the nodes may be out of date. */
        @Override
        public void prepare() {
            if (!of.isConnectedAnew()) {
                return;
            }
            if (sessions.add(of.id()) && sessions.size() > MAX_SESSIONS) {
                sessions.remove(sessions.iterator().next());
            }
            nodes.forEach(AgentNode::changed);
            patienceMs = times.patienceMs();
        }

        @Override
        public void written() {
            contact.resetPause();
            if (contact.answered()) {
                LOG.info("registry {} is back", name);
            }
        }

        /**
         * Returns whether the file of the user has changed; ZooKeeper knows the new one then. As long as it cannot be
         * used, the last one goes on.
         */
        @Override
        public boolean hasOtherUser() {
            long nowNs = System.nanoTime();
            try {
                return (nowNs - confirmNs >= 0 || of.isRefused()) && of.updateUser();
            } catch (ZooKeeperFailure e) {
                if (faults.tryLog(nowNs)) {
                    LOG.warn("registry {}: {}; what was read before holds", name, e.getMessage());
                }
                return false;
            }
        }

        @Override
        public long check() throws ZooKeeperFailure, InterruptedException {
            if (System.nanoTime() - confirmNs >= 0) {
                confirm();
                confirmNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.confirmMs());
            }
            return confirmNs - System.nanoTime();
        }

        /** A refusal is an answer: the user may have no rights to the root, and need none. */
        private void confirm() throws ZooKeeperFailure, InterruptedException {
            try {
                of.confirm();
            } catch (NodeRefusal e) {
                LOG.debug("registry {}: {}", name, e.getMessage());
            }
        }

        @Override
        public long retryMs(StoreFailure failure) {
            if (of.isOver()) {
                return -1;
            }
            contact.failed(failure.getMessage());
            return contact.pauseMs();
        }
    }
}
