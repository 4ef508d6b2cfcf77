package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.loop.Connector;
import io.dubbomesh.transport.mesh.MeshLink;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A provider agent, or a Dubbo provider that is called without one, as one event loop sees it: its address, this loop's
 * calls in flight on it, and the link to it. The link is open, and opened again whenever it is lost, as long as a pool
 * needs it; the endpoint ends when it is retired.
 */
final class ProviderEndpoint implements LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderEndpoint.class);
    private static final long FIRST_RETRY_MS = 50;
    private static final long MAX_RETRY_MS = 1000;
    /** How long after a refusal this loop does not exceed its share. */
    private static final long REFUSAL_MEMORY_NS = TimeUnit.SECONDS.toNanos(1);

    private final HostPort address;
    private final String name;
    private final LinkOpener opener;
    /** Null if there is a provider agent. */
    private final Function<LinkListener, LinkConnector> direct;

    private final UpstreamSettings settings;
    private final Turn turn;
    private final CallDispatcher dispatcher;
    private final EndpointLoads.Load load;
    private final EndpointCounters counters;
    private final EndpointCounts counts;
    private final int loopIndex;
    /** Header fields that name this endpoint, null where the settings want none. */
    private final byte[] answerField;

    private final byte[] failureField;
    /** Null while no pool needs the link. */
    private LinkConnector connector;
    /** The pools that it is a member of. */
    private int pools;
    /** Of these, those that need the link. */
    private int needs;

    private final WaitingPools waitingPools = new WaitingPools();
    /** The link that is ready, or was until now. */
    private EndpointLink link;
    /** The link that is not ready yet; null for none. */
    private EndpointLink opening;

    private int limit;
    private int share;
    private int inFlight;
    private boolean refused;
    private long refusedAtNs;
    private boolean retired;
    /** Whether an attempt to connect has ended since a pool needed it. */
    private boolean attempted;

    private int connection;
    private long connectedNs = System.nanoTime();
    /** Why there is no connection, as it was logged: an agent that is away is tried as long as it is listed. */
    private String failure = "";
    /** Why there was no connection the last time, and since when; null if it never failed. */
    private String lastFailure;

    private long lastFailureNs;

    /** @param direct makes the connector of the link if that is no link between agents, else null */
    ProviderEndpoint(
            HostPort address,
            LinkOpener opener,
            Function<LinkListener, LinkConnector> direct,
            UpstreamSettings settings,
            Turn turn,
            CallDispatcher dispatcher,
            EndpointCounters counters) {
        this.address = address;
        this.direct = direct;
        name = address.toString();
        this.opener = opener;
        this.settings = settings;
        this.turn = turn;
        this.dispatcher = dispatcher;
        load = opener.loads().open(address);
        this.counters = counters;
        counts = counters.open(name);
        loopIndex = opener.loopIndex();
        byte[] field = Response.endpointField(name);
        answerField = settings.endpointHeader() == EndpointHeader.ALWAYS ? field : null;
        failureField = settings.endpointHeader() == EndpointHeader.NEVER ? null : field;
    }

    void join() {
        pools++;
    }

    /** A pool has it no more; returns whether none has. */
    boolean leave() {
        return --pools == 0;
    }

    /** A pool needs the link: from now on it is kept open. */
    void need() {
        needs++;
        counters.need(counts);
        if (connector == null && !retired) {
            connect();
        }
    }

    private void connect() {
        attempted = false;
        connector = direct == null ? newConnector() : direct.apply(this);
        connector.connect();
    }

    private LinkConnector newConnector() {
        return new MeshConnector(new Connector(
                opener.eventLoop(),
                address,
                new Backoff(FIRST_RETRY_MS, MAX_RETRY_MS),
                this::openLink,
                this::notReached));
    }

    /** A pool does not need the link any more. It is closed if none does, when what is in flight on it is answered. */
    void needNoMore() {
        if (--needs == 0) {
            closeWhenIdle();
        }
    }

    private Future<Void> openLink(InetSocketAddress resolved) {
        ProviderLink opened = new ProviderLink(this, settings, turn, dispatcher, counts.links);
        opening = opened;
        return opener.open(resolved, opened);
    }

    private void notReached(String reason) {
        gone();
        notConnected(reason);
    }

    @Override
    public void notConnected(String reason) {
        attempted = true;
        lastFailure = reason;
        lastFailureNs = System.nanoTime();
        if (!reason.equals(failure)) {
            failure = reason;
            if (isNews(reason)) {
                LOG.warn("endpoint {}: {}, trying again", this, reason);
            }
        }
    }

    @Override
    public void opening(EndpointLink opened) {
        opening = opened;
    }

    @Override
    public void ready(EndpointLink readyLink, int calls) {
        if (readyLink != opening || connector == null) {
            readyLink.close("not needed any more");
            return;
        }
        if (direct == null) {
            opener.behind().found(name, loopIndex);
        }
        attempted = true;
        failure = "";
        link = readyLink;
        opening = null;
        connection++;
        connectedNs = System.nanoTime();
        limit(calls);
        connector.connected();
        if (retired) {
            closeWhenIdle();
        } else {
            logConnected();
            dispatcher.drainQueue();
        }
    }

    /** An agent that demands a token tells its limit behind its HELLO. */
    private void logConnected() {
        if (limit > 0) {
            log("connected, limit " + limit);
        }
    }

    /**
     * Nobody is there: the agent's provider may be called without it. An agent that refuses this one, or cannot prove
     * who it is, is there; and where links are encrypted or callers have to prove who they are, there is no way round
     * the agent, since the provider's connection is plain.
     */
    private void gone() {
        if (direct == null && opener.isPlain() && opener.tokens() == null) {
            opener.behind().lost(name, loopIndex);
        }
    }

    private void limit(int calls) {
        limit = calls;
        share = (int) ((calls + opener.loopCount() - 1L) / opener.loopCount());
    }

    /** The agent has learnt another limit. */
    @Override
    public void limited(EndpointLink from, int calls) {
        if (link == from && calls > 0) {
            boolean more = calls > limit;
            boolean first = limit == 0;
            limit(calls);
            if (first) {
                logConnected();
            }
            if (more) {
                dispatcher.drainQueue();
            }
        }
    }

    long agentId() {
        return opener.agentId();
    }

    /** Of the mesh; null for none. */
    MeshTokenFile tokens() {
        return opener.tokens();
    }

    /** The agent takes no new calls on this link; when the link is closed, another one is opened. */
    void goingAway(ProviderLink from, String reason) {
        if (link == from) {
            lastFailure = "going away: " + reason;
            lastFailureNs = System.nanoTime();
            log(lastFailure);
            dispatcher.unavailable(this);
            closeWhenIdle();
        }
    }

    @Override
    public void unavailable(EndpointLink from, String reason, boolean soon) {
        if (link != from) {
            return;
        }
        link = null;
        opening = from;
        dispatcher.unavailable(this);
        if (needs > 0 && !retired) {
            notConnected(reason);
            attempted = !soon;
        }
        dispatcher.drainQueue();
    }

    @Override
    public void responded(EndpointLink from, ByteBuf in, int offset, int end) throws MalformedFrameException {
        dispatcher.responded(from, in, offset, end);
    }

    void lost(ProviderLink lostLink, String reason) {
        boolean wasReady = link == lostLink;
        boolean wasOpening = opening == lostLink;
        if (wasReady) {
            link = null;
            if (needs > 0 && !retired && !lostLink.isDraining()) {
                gone();
            }
            dispatcher.unavailable(this);
        }
        if (wasOpening) {
            opening = null;
        }
        if (needs == 0 && !retired) {
            restAfterLoss();
        } else if ((wasReady || wasOpening) && !retired) {
            notConnected(wasReady ? "connection lost: " + reason : reason + doubt(reason));
            connector.connectLater();
        }
    }

    /**
     * The link that was lost may be an old one, which was idle before calls came again: those in flight on the present
     * one go on.
     */
    private void restAfterLoss() {
        if (link == null) {
            rest();
        } else {
            closeWhenIdle();
        }
    }

    /** A provider agent that expects TLS closes the connection before it has sent anything. */
    private String doubt(String reason) {
        return opener.isPlain() && reason.equals(MeshLink.CLOSED_BEFORE_HELLO) ? " (does it expect TLS?)" : "";
    }

    /** The registry does not list it any more: nothing new is sent, what is in flight is still answered. */
    void retire() {
        if (retired) {
            return;
        }
        retired = true;
        opener.behind().forget(name, loopIndex);
        if (connector != null) {
            connector.close();
        }
        opener.loads().close(address);
        counters.close(name, counts);
        log("no longer used");
        closeWhenIdle();
    }

    /** Whether no other event loop has just logged the same of this endpoint. */
    boolean isNews(String event) {
        return opener.events().isNew(address + ": " + event, opener.eventLoop(), System.nanoTime());
    }

    private void log(String event) {
        if (counts.needed && isNews(event)) {
            LOG.info("endpoint {}: {}", this, event);
        } else {
            LOG.debug("endpoint {}: {}", this, event);
        }
    }

    private void closeWhenIdle() {
        if (inFlight > 0) {
            return;
        }
        if (link != null && (retired || link.isDraining())) {
            link.close("no longer used");
        } else if (needs == 0 && !retired) {
            rest();
        }
    }

    /** No pool needs the link. What becomes of it is of no interest: a call that comes now needs another one. */
    private void rest() {
        if (connector != null) {
            connector.close();
            connector = null;
        }
        opener.behind().forget(name, loopIndex);
        failure = "";
        opening = null;
        EndpointLink idle = link;
        link = null;
        if (idle != null) {
            idle.close("idle");
            LOG.debug("endpoint {}: idle, closed", this);
            turn.ready(this::unavailableIfIdle);
        }
    }

    private void unavailableIfIdle() {
        if (!isAlive() && !retired) {
            dispatcher.unavailable(this);
        }
    }

    boolean hasRoom(boolean borrowing, long nowNs) {
        if (!isAlive() || !link.isWritable()) {
            return false;
        }
        return inFlight < share || borrowing && load.total() < limit && !refusedLately(nowNs);
    }

    private boolean refusedLately(long nowNs) {
        if (refused && nowNs - refusedAtNs > REFUSAL_MEMORY_NS) {
            refused = false;
        }
        return refused;
    }

    boolean isAlive() {
        return link != null && link.isReady() && !retired;
    }

    /** Counts the connections that it has had. */
    int connection() {
        return connection;
    }

    /** Since when it has its present or last connection. */
    long connectedNs() {
        return connectedNs;
    }

    /** Whether the first attempt to connect since a pool needed it is under way. */
    boolean isConnecting() {
        return !attempted && connector != null && !retired;
    }

    HostPort address() {
        return address;
    }

    /** Whether it is a provider agent, and not a Dubbo provider. */
    boolean isAgent() {
        return direct == null;
    }

    /** Its address. */
    String name() {
        return name;
    }

    /** The header field of an answer that names this endpoint, null for none. */
    byte[] headerField(boolean failure) {
        return failure ? failureField : answerField;
    }

    /** Says how busy it is, or why it takes no calls. */
    void describe(StringBuilder text, long nowNs) {
        if (isAlive()) {
            text.append(load.total())
                    .append(" of this agent's calls in flight, limit ")
                    .append(limit);
            if (refusedLately(nowNs)) {
                text.append(", refused one ")
                        .append(PoolReport.duration(nowNs - refusedAtNs))
                        .append(" ago");
            } else if (!link.isWritable()) {
                text.append(", does not read what is sent to it");
            }
        } else if (needs == 0) {
            text.append("idle");
        } else if (lastFailure != null) {
            text.append(lastFailure)
                    .append(", ")
                    .append(PoolReport.duration(nowNs - lastFailureNs))
                    .append(" ago");
        } else {
            text.append("no connection yet");
        }
    }

    WaitingPools waitingPools() {
        return waitingPools;
    }

    EndpointLink link() {
        return link;
    }

    void sent() {
        counts.sent++;
        load.set(loopIndex, ++inFlight);
    }

    /** A call failed here: at the provider, with the link, or by its deadline. */
    void failed() {
        counts.failures++;
    }

    /** The provider has answered a call, or let its deadline pass, after so long. */
    void took(long durationNs) {
        counts.took(durationNs);
    }

    void ended() {
        load.set(loopIndex, --inFlight);
        if (inFlight == 0) {
            closeWhenIdle();
        }
    }

    void refused(long nowNs) {
        counts.refusals++;
        refused = true;
        refusedAtNs = nowNs;
    }

    EndpointCounts counts() {
        return counts;
    }

    /** Adds its present state, if any pool has needed it; what is counted stays in the {@link EndpointCounters}. */
    void addTo(MetricSamples samples) {
        if (counts.needed) {
            samples.add(EndpointMetrics.IN_FLIGHT, inFlight, name);
            samples.add(EndpointMetrics.LIMIT, limit, name);
        }
    }

    UpstreamState.EndpointState state() {
        String reason = isAlive() || lastFailure == null || needs == 0 ? "" : lastFailure;
        return new UpstreamState.EndpointState(
                toString(), direct != null, isAlive(), needs == 0 && link == null, connection, limit, inFlight, reason);
    }

    @Override
    public String toString() {
        return name;
    }
}
