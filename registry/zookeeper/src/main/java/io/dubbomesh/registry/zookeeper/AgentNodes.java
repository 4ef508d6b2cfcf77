package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.LogLimit;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An agent's own nodes, one for each service: compares what ZooKeeper should hold (each node with the weight in force,
 * ephemeral in the agent's session, or no node) with what it holds as far as is known, and writes the difference.
 * Belongs to one thread, but for {@link #weight} and {@link #address}.
 *
 * <p>Each write is conditional on the version of the node that is known, so that no change by an operator is
 * overwritten unseen.
 */
final class AgentNodes {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_ROUNDS = 16;
    private static final int MAX_SESSIONS = 64;
    private static final int LINES_PER_MINUTE = 10;

    // Pauses before what others changed is written again: two agents with the same address must not keep ZooKeeper
    // busy.
    private static final long MIN_REWRITE_MS = 20;
    private static final long MAX_REWRITE_MS = 2_000;
    private static final long CALM_NS = TimeUnit.SECONDS.toNanos(10);

    private final String root;
    private final RegistrationRequest request;
    private final long leavingMs;
    private final List<AgentNode> nodes = new ArrayList<>();
    /** Those of this agent, whose nodes may still be there. */
    private final Set<Long> sessions = new LinkedHashSet<>();

    /** Of what others can cause as often as they like. */
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);

    private final Backoff refusedBackoff = new Backoff(MIN_REWRITE_MS, MAX_REWRITE_MS);
    private final Backoff rewriteBackoff = new Backoff(MIN_REWRITE_MS, MAX_REWRITE_MS);
    private long rewriteNs = System.nanoTime();
    private Map<String, List<Variant>> selected;
    private volatile int weight;
    /** False until the nodes have a weight that was changed here, maybe while ZooKeeper was away. */
    private boolean adoptsWeight = true;
    /** Null until the nodes are named. */
    private volatile HostPort address;

    private String provider = "";

    /** @param root the node below which agents register */
    AgentNodes(String root, RegistrationRequest request, long leavingMs) {
        this.root = root;
        this.request = request;
        this.leavingMs = leavingMs;
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
        adoptsWeight = false;
    }

    /**
     * Names the nodes, the first time only: an agent that changed its address later would leave its old nodes behind.
     */
    void name(String localHost) {
        if (address == null) {
            HostPort named = new HostPort(request.host() == null ? localHost : request.host(), request.port());
            provider = request.providerAddress(named.host());
            address = named;
            request.services().forEach(this::add);
            select(selected);
        }
    }

    private void add(String service, List<Variant> variants) {
        nodes.add(new AgentNode(service, root + '/' + service + '/' + address, variants));
    }

    /** See {@link io.dubbomesh.registry.Registration#select}; {@link #write} does it. */
    void select(Map<String, List<Variant>> services) {
        selected = services;
        if (address != null) {
            services.forEach((service, variants) -> {
                if (nodes.stream().noneMatch(node -> node.service().equals(service))) {
                    add(service, variants);
                }
            });
        }
        nodes.forEach(node -> node.select(services));
    }

    /**
     * Another session has begun, or the session has another connection: what is known of the nodes may be out of date.
     */
    void connected(NodeSession session) {
        if (sessions.add(session.id()) && sessions.size() > MAX_SESSIONS) {
            sessions.remove(sessions.iterator().next());
        }
        nodes.forEach(AgentNode::changed);
    }

    /** The agent has another user, who may be allowed what was refused. */
    void userChanged() {
        nodes.forEach(AgentNode::userChanged);
        refusedBackoff.reset();
    }

    /** @param path of a node that has changed */
    void changed(String path) {
        nodes.stream().filter(node -> node.path().equals(path)).forEach(AgentNode::changed);
    }

    /** Whether a node of this agent is left, or has lapsed so that consumer agents may still use its endpoint. */
    boolean isAnyLeft() {
        return nodes.stream().anyMatch(this::isLeft);
    }

    private boolean isLeft(AgentNode node) {
        if (node.isGivenUp()) {
            return false;
        }
        return node.present() ? isOurs(node) : node.listed();
    }

    /** In another session it belongs to an agent that has taken this one's place. */
    private boolean isOurs(AgentNode node) {
        return node.owner() == 0 || sessions.contains(node.owner());
    }

    /**
     * Makes ZooKeeper hold what it should.
     *
     * @param registered whether it should hold the nodes
     * @return in how many nanoseconds it has to be called again; -1 if everything is as it should be
     */
    long write(NodeSession session, boolean registered) throws ZooKeeperFailure, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            long nextNs = Long.MAX_VALUE;
            boolean done = true;
            boolean waits = false;
            for (AgentNode node : nodes) {
                long pauseNs = writeOrRefuse(session, node, registered);
                if (pauseNs > 0) {
                    waits = true;
                    nextNs = Math.min(nextNs, pauseNs);
                } else if (pauseNs == 0) {
                    done = false;
                }
            }
            if (done && !waits) {
                adoptsWeight |= registered;
                return -1;
            }
            if (done) {
                return nextNs;
            }
        }
        throw new ZooKeeperFailure("the nodes of this agent change all the time", null);
    }

    /** As {@link #writeIfDue}; one node that is refused does not stop the others. */
    private long writeOrRefuse(NodeSession session, AgentNode node, boolean registered)
            throws ZooKeeperFailure, InterruptedException {
        boolean put = registered && node.selected();
        if (!put && node.isGivenUp()) {
            return -1;
        }
        long leftNs = node.refusedLeftNs(put, System.nanoTime());
        if (leftNs > 0) {
            return leftNs;
        }
        try {
            long pauseNs = writeIfDue(session, node, registered);
            if (pauseNs < 0 && node.isRefused()) {
                node.notRefused();
                refusedBackoff.reset();
            }
            return pauseNs;
        } catch (NodeRefusal e) {
            long nowNs = System.nanoTime();
            if (!node.isRefused() && logLimit.tryLog(nowNs)) {
                LOG.warn("{} cannot be written: {}; this is tried again", node.path(), e.getMessage());
            }
            long pauseNs = TimeUnit.MILLISECONDS.toNanos(refusedBackoff.nextMs());
            node.refused(put, nowNs + pauseNs);
            return !put && node.isGivenUp() ? -1 : Math.max(1, pauseNs);
        }
    }

    /**
     * Returns in how many nanoseconds the node is to be written; 0 if it was written now, and -1 if it is as it should
     * be.
     */
    private long writeIfDue(NodeSession session, AgentNode node, boolean registered)
            throws ZooKeeperFailure, InterruptedException {
        read(session, node, registered);
        if (isAsWanted(session, node, registered)) {
            return -1;
        }
        long nowNs = System.nanoTime();
        boolean put = registered && node.selected();
        long pauseNs = put ? rewriteNs - nowNs : node.leavingLeftNs(nowNs);
        if ((put || node.holds(leavingValue(node))) && pauseNs > 0) {
            return pauseNs;
        }
        write(session, node, put);
        return 0;
    }

    private void write(NodeSession session, AgentNode node, boolean put) throws ZooKeeperFailure, InterruptedException {
        if (put) {
            node.put(session, value(node));
        } else if (node.holds(leavingValue(node))) {
            node.delete(session);
        } else {
            // A node that just goes may have lapsed; one that has lapsed is put once more to say that the agent leaves.
            node.putLeaving(session, leavingValue(node), leavingMs);
        }
    }

    private void read(NodeSession session, AgentNode node, boolean registered)
            throws ZooKeeperFailure, InterruptedException {
        if (!node.isStale()) {
            return;
        }
        node.read(session);
        if (node.present() && !isOurs(node)) {
            node.takenOver();
        }
        if (sessions.contains(node.owner())) {
            node.isOfThisAgent();
        }
        boolean expected = node.isDeletedByThisAgent() || isAsWanted(session, node, registered);
        if (node.written() && !expected) {
            changedByOthers(node);
        }
    }

    /** Maybe by an operator or another agent: adopts the weight, and delays what is put next. */
    private void changedByOthers(AgentNode node) {
        if (node.present() && node.holds(leavingValue(node))) {
            return;
        }
        if (node.present() && adoptsWeight) {
            adoptWeight(node);
        } else if (!node.present() && logLimit.tryLog(System.nanoTime())) {
            LOG.info("{} was deleted", node.path());
        }
        long nowNs = System.nanoTime();
        if (nowNs - rewriteNs > CALM_NS) {
            rewriteBackoff.reset();
        }
        rewriteNs = nowNs + TimeUnit.MILLISECONDS.toNanos(rewriteBackoff.nextMs());
    }

    private void adoptWeight(AgentNode node) {
        try {
            int found = EndpointCodec.parseValue(node.value()).weight();
            if (found != weight) {
                if (logLimit.tryLog(System.nanoTime())) {
                    LOG.info("weight {} instead of {}, as set in {}", found, weight, node.path());
                }
                weight = found;
            }
        } catch (IllegalArgumentException e) {
            if (logLimit.tryLog(System.nanoTime())) {
                LOG.warn(
                        "value of {} replaced: {}: {}",
                        node.path(),
                        EndpointCodec.printable(node.value()),
                        e.getMessage());
            }
        }
    }

    private boolean isAsWanted(NodeSession session, AgentNode node, boolean registered) {
        return registered && node.selected() ? node.owner() == session.id() && node.holds(value(node)) : !isLeft(node);
    }

    private byte[] value(AgentNode node) {
        return request.value(node.service(), weight, node.variants(), provider).getBytes(UTF_8);
    }

    private byte[] leavingValue(AgentNode node) {
        return EndpointCodec.leavingValue(weight, request.limit(), node.variants())
                .getBytes(UTF_8);
    }

    @Override
    public String toString() {
        return nodes.stream().filter(AgentNode::selected).map(AgentNode::path).collect(Collectors.joining(", "));
    }
}
