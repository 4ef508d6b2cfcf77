package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.runtime.Backoff;
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
import java.util.function.Function;

/**
 * A provider agent, or a Dubbo provider that is called without one, as one event loop sees it: its address, this loop's
 * calls in flight on it, and the link to it. The link is open, and opened again whenever it is lost, as long as a pool
 * needs it; the endpoint ends when it is retired.
 * <pre>
 *   IDLE       to CONNECTING when a pool needs the link
 *   CONNECTING to RETRYING when the first attempt fails
 *   RETRYING   tries again after pauses
 *   CONNECTING, RETRYING to READY when the link takes calls
 *   READY      to RETRYING when the link is lost, or takes no calls for a time;
 *              to CONNECTING when it is known in a moment whether it takes calls again
 *   each       to IDLE when no pool needs the link and no call is in flight
 *   each       to RETIRED when no pool has the endpoint: what is in flight still ends
 * </pre>
 */
public final class ProviderEndpoint implements LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderEndpoint.class);
    private static final long FIRST_RETRY_MS = 50;
    private static final long MAX_RETRY_MS = 1000;

    enum State {
        IDLE,
        CONNECTING,
        RETRYING,
        READY,
        RETIRED
    }

    private final EndpointId id;
    private final String name;
    private final LinkOpener opener;
    /** Null if there is a provider agent. */
    private final Function<LinkListener, LinkConnector> direct;

    private final LinkSettings settings;
    private final Turn turn;
    private final EndpointListener listener;
    private final EndpointRoom room;
    private final LatestLoad load = new LatestLoad();
    private final EndpointCounters counters;
    private final EndpointCounts counts;
    private final int loopIndex;
    private final Runnable closeIfUnused = this::closeIfUnused;
    /** Header fields that name this endpoint, null where the settings want none. */
    private final byte[] answerField;

    private final byte[] failureField;
    /** The pools that it is a member of. */
    private int pools;
    /** The number of pools that need the link. */
    private int needs;

    private State state = State.IDLE;
    /** Null while no pool needs the link. */
    private LinkConnector connector;
    /** The link that is ready, or was until now. */
    private EndpointLink link;
    /** The link that is not ready yet; null for none. */
    private EndpointLink opening;

    private int connection;
    private long connectedNs = System.nanoTime();
    /**
     * The reason for which there is no connection, as it was logged: an agent that is away is tried as long as it is
     * listed.
     */
    private String failure = "";
    /** The reason for which there was no connection the last time, and since when; null if it never failed. */
    private String lastFailure;

    private long lastFailureNs;

    /** @param direct makes the connector of the link if that is no link between agents, else null */
    public ProviderEndpoint(
            EndpointId id,
            LinkOpener opener,
            Function<LinkListener, LinkConnector> direct,
            LinkSettings settings,
            Turn turn,
            EndpointListener listener,
            EndpointCounters counters) {
        this.id = id;
        this.direct = direct;
        name = id.toString();
        this.opener = opener;
        this.settings = settings;
        this.turn = turn;
        this.listener = listener;
        loopIndex = opener.loopIndex();
        room = new EndpointRoom(opener.loads().open(id), loopIndex, opener.loopCount());
        this.counters = counters;
        counts = counters.open(name, id.protocol());
        byte[] field = Response.endpointField(name);
        answerField = settings.endpointHeader() == EndpointHeader.ALWAYS ? field : null;
        failureField = settings.endpointHeader() == EndpointHeader.NEVER ? null : field;
    }

    // --- what pools need ---

    /** Adds a pool that it is a member of. */
    public void join() {
        pools++;
    }

    /** Removes a pool; returns whether none is left. */
    public boolean leave() {
        return --pools == 0;
    }

    /** Keeps the link open from now on: a pool needs it. */
    public void acquireLink() {
        needs++;
        counters.need(counts);
        if (state == State.IDLE) {
            state = State.CONNECTING;
            connector = direct == null ? newConnector() : direct.apply(this);
            connector.connect();
        }
    }

    private LinkConnector newConnector() {
        return new MeshConnector(new Connector(
                opener.eventLoop(),
                id.address(),
                new Backoff(FIRST_RETRY_MS, MAX_RETRY_MS),
                this::openLink,
                this::unreachable));
    }

    /** Releases the link for a pool. When no pool needs it, it is closed as soon as nothing is in flight on it. */
    public void releaseLink() {
        if (--needs == 0) {
            closeIfUnused();
        }
    }

    /** Ends it, as no pool has it: nothing new is sent, what is in flight is still answered. */
    public void retire() {
        if (state == State.RETIRED) {
            return;
        }
        state = State.RETIRED;
        opener.behind().removeLoop(name, loopIndex);
        if (connector != null) {
            connector.close();
        }
        opener.loads().close(id);
        counters.close(name, counts);
        log("no longer used");
        closeIfUnused();
    }

    // --- what becomes of the link ---

    private Future<Void> openLink(InetSocketAddress resolved) {
        ProviderLink opened = new ProviderLink(this, settings, turn, listener, counts.links);
        opening = opened;
        return opener.open(resolved, opened);
    }

    private void unreachable(String reason) {
        reportAgentLost();
        notConnected(reason);
    }

    @Override
    public void notConnected(String reason) {
        if (state != State.IDLE && state != State.RETIRED) {
            state = State.RETRYING;
        }
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
        if (readyLink != opening || state == State.IDLE) {
            readyLink.close("not needed any more");
            return;
        }
        if (direct == null) {
            opener.behind().found(name, loopIndex);
        }
        failure = "";
        link = readyLink;
        opening = null;
        connection++;
        connectedNs = System.nanoTime();
        load.clear();
        room.limit(calls);
        if (state == State.RETIRED) {
            closeIfUnused();
        } else {
            state = State.READY;
            connector.connected();
            logConnected();
            listener.roomAdded();
        }
    }

    /** An agent that demands a token tells its limit behind its HELLO. */
    private void logConnected() {
        if (room.limit() > 0) {
            log("connected, limit " + room.limit());
        }
    }

    /**
     * Reports that nothing answers at the address: the agent's provider may be called without it. An agent that refuses
     * this one, or cannot prove who it is, is there; and where links are encrypted or callers have to prove who they
     * are, there is no way round the agent, since the provider's connection is plain.
     */
    private void reportAgentLost() {
        if (direct == null && opener.isPlain() && opener.tokens() == null) {
            opener.behind().lost(name, loopIndex);
        }
    }

    @Override
    public void limited(EndpointLink from, int calls) {
        if (link == from && calls > 0) {
            int before = room.limit();
            room.limit(calls);
            if (before == 0) {
                logConnected();
            }
            if (calls > before) {
                listener.roomAdded();
            }
        }
    }

    /** Called when the agent takes no new calls on this link; when the link is closed, another one is opened. */
    void goingAway(EndpointLink from, String reason) {
        if (link == from) {
            lastFailure = "going away: " + reason;
            lastFailureNs = System.nanoTime();
            log(lastFailure);
            listener.unavailable(this);
            closeIfUnused();
        }
    }

    @Override
    public void unavailable(EndpointLink from, String reason, boolean soon) {
        if (link != from) {
            return;
        }
        link = null;
        opening = from;
        if (state != State.RETIRED) {
            if (needs > 0) {
                notConnected(reason);
            }
            state = soon && needs > 0 ? State.CONNECTING : State.RETRYING;
        }
        listener.unavailable(this);
    }

    @Override
    public void responded(EndpointLink from, ByteBuf in, int offset, int end) throws MalformedFrameException {
        listener.responded(from, in, offset, end);
    }

    /**
     * Called when a link is closed, whether it was ready or not.
     *
     * @param announced whether the agent had said that it takes no more calls there, so that it may well be running
     */
    void lost(EndpointLink lostLink, String reason, boolean announced) {
        boolean wasReady = link == lostLink;
        boolean wasOpening = opening == lostLink;
        if (wasReady) {
            link = null;
            if (needs > 0 && state != State.RETIRED && !announced) {
                reportAgentLost();
            }
        }
        if (wasOpening) {
            opening = null;
        }
        if (state != State.RETIRED) {
            if (needs == 0) {
                disconnectAfterLoss();
            } else if (wasReady || wasOpening) {
                notConnected(wasReady ? "connection lost: " + reason : reason + tlsHint(reason));
                connector.connectLater();
            }
        }
        if (wasReady) {
            listener.unavailable(this);
        }
    }

    /**
     * Disconnects after a loss. The link that was lost may be an old one, which was idle before calls came again: those
     * in flight on the present one go on.
     */
    private void disconnectAfterLoss() {
        if (link == null) {
            disconnect();
        } else {
            closeIfUnused();
        }
    }

    /** A provider agent that expects TLS closes the connection before it has sent anything. */
    private String tlsHint(String reason) {
        return opener.isPlain() && reason.equals(MeshLink.CLOSED_BEFORE_HELLO) ? " (does it expect TLS?)" : "";
    }

    /** Closes the link if no call is in flight and none can come. */
    private void closeIfUnused() {
        if (room.inFlight() > 0) {
            return;
        }
        if (link != null && (state == State.RETIRED || link.isDraining())) {
            leaveLink();
        } else if (needs == 0 && state != State.RETIRED) {
            disconnect();
        }
    }

    /** Closes the link. One with streams, which may last for hours, closes with them, beside the next one. */
    private void leaveLink() {
        EndpointLink left = link;
        boolean isReplaced = left.hasStreams() && needs > 0 && state != State.RETIRED;
        left.leave("no longer used");
        if (isReplaced) {
            link = null;
            notConnected("connection left to its streams");
            connector.connectLater();
        }
    }

    /** Closes the link until a pool needs it. A call that comes before it is closed needs another one. */
    private void disconnect() {
        state = State.IDLE;
        if (connector != null) {
            connector.close();
            connector = null;
        }
        opener.behind().removeLoop(name, loopIndex);
        failure = "";
        opening = null;
        EndpointLink idle = link;
        link = null;
        if (idle != null) {
            idle.leave("idle");
            LOG.debug("endpoint {}: idle, closed", this);
            turn.ready(this::unavailableIfIdle);
        }
    }

    private void unavailableIfIdle() {
        if (!isAlive() && state != State.RETIRED) {
            listener.unavailable(this);
        }
    }

    /** Returns whether no other event loop has just logged the same of this endpoint. */
    public boolean isNews(String event) {
        return opener.events().isNew(name + ": " + event, opener.eventLoop(), System.nanoTime());
    }

    private void log(String event) {
        if (counts.needed && isNews(event)) {
            LOG.info("endpoint {}: {}", this, event);
        } else {
            LOG.debug("endpoint {}: {}", this, event);
        }
    }

    // --- calls ---

    /** @param borrowing whether this loop may exceed its share of the limit by what others do not use */
    public boolean hasRoom(boolean borrowing, long nowNs) {
        return isAlive() && link.isWritable() && room.isLeft(borrowing, nowNs);
    }

    /** Returns whether it takes another call of an unproven method, as far as it {@link #hasRoom}. */
    public boolean takesUnproven() {
        return room.isLeftForUnproven();
    }

    /** Returns whether all consumer agents together give it as much as it takes, as far as is known. */
    public boolean isFull(long nowNs) {
        return room.wasRefused(load.validNs(), nowNs) || load.isFull(room.limit(), nowNs);
    }

    /** Returns whether its link takes calls, as far as the limit allows. */
    public boolean isAlive() {
        return state == State.READY && link.isReady();
    }

    /** Returns whether the first attempt to connect since a pool needed it is under way. */
    public boolean isConnecting() {
        return state == State.CONNECTING;
    }

    /** Returns the link, which is ready if the endpoint {@linkplain #isAlive is alive}. */
    public EndpointLink link() {
        return link;
    }

    /** Returns this event loop's calls in flight. */
    public int inFlight() {
        return room.inFlight();
    }

    /** Counts a call that is in the batch of its link. */
    public void sent() {
        counts.sent++;
        room.sent();
    }

    /** Counts a call of an unproven method, which is {@link #sent}, too. */
    public void unprovenSent() {
        room.unprovenSent();
    }

    /** Takes back what {@link #unprovenSent} has counted. */
    public void unprovenEnded() {
        room.unprovenEnded();
    }

    /** Called with each RESPONSE of a call that was in flight here, maybe on a link before the present one. */
    public void reported(EndpointLink from, ByteBuf in, int offset, long nowNs) {
        if (from == link) {
            load.take(in, offset, nowNs);
        }
    }

    /** Returns the load that its provider agent has reported last. */
    public LatestLoad load() {
        return load;
    }

    /** Counts a call that failed here: at the provider, with the link, or by its deadline. */
    public void failed() {
        counts.failures++;
    }

    /** Counts how long the provider took for a call, or a call has waited until its deadline. */
    public void recordDuration(long durationNs) {
        counts.recordDuration(durationNs);
    }

    /** Counts a call that was given back. */
    public void refused(long nowNs) {
        counts.refusals++;
        room.refused(nowNs);
    }

    /** Counts an ejection from the calls of a service. */
    public void ejected(String service) {
        counts.ejected(service);
    }

    /** Takes back the room of a call that has ended. */
    public void ended() {
        room.ended();
        if (room.inFlight() == 0 && (needs == 0 || !isAlive())) {
            turn.ready(closeIfUnused);
        }
    }

    // --- what it is ---

    /** Returns the number of its present or last connection, from 1. */
    public int connection() {
        return connection;
    }

    /** Returns since when it has its present or last connection. */
    public long connectedNs() {
        return connectedNs;
    }

    public EndpointId id() {
        return id;
    }

    /** Returns whether it is a provider agent, and not a Dubbo provider. */
    public boolean isAgent() {
        return direct == null;
    }

    /** Returns the text of its id. */
    public String name() {
        return name;
    }

    /** Returns the name of the protocol by which it is called. */
    public String protocol() {
        return id.protocol().label();
    }

    /** Returns the header field of an answer that names this endpoint, null for none. */
    public byte[] headerField(boolean failed) {
        return failed ? failureField : answerField;
    }

    long agentId() {
        return opener.agentId();
    }

    /** Returns the tokens of the mesh; null for none. */
    MeshTokenFile tokens() {
        return opener.tokens();
    }

    /** Appends how busy it is, or why it takes no calls. */
    public void describe(StringBuilder text, long nowNs) {
        if (isAlive()) {
            if (!room.describe(text, nowNs) && !link.isWritable()) {
                text.append(", does not read what is sent to it");
            }
        } else if (needs == 0) {
            text.append("idle");
        } else if (lastFailure != null) {
            text.append(lastFailure)
                    .append(", ")
                    .append(Elapsed.text(nowNs - lastFailureNs))
                    .append(" ago");
        } else {
            text.append("no connection yet");
        }
    }

    State linkState() {
        return state;
    }

    /** Adds its present state, if any pool has needed it; what is counted stays in the {@link EndpointCounters}. */
    public void addTo(MetricSamples samples) {
        if (counts.needed) {
            samples.add(EndpointMetrics.IN_FLIGHT, room.inFlight(), name);
            samples.add(EndpointMetrics.LIMIT, room.limit(), name);
        }
    }

    public EndpointState state() {
        String reason = isAlive() || lastFailure == null || needs == 0 ? "" : lastFailure;
        return new EndpointState(
                name,
                direct != null,
                isAlive(),
                needs == 0 && link == null,
                connection,
                room.limit(),
                room.inFlight(),
                load.state(),
                reason);
    }

    @Override
    public String toString() {
        return name;
    }
}
