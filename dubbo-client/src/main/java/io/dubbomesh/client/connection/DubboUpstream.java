package io.dubbomesh.client.connection;

import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.transport.loop.Connector;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * The provider as one event loop sees it: the connection to it, opened with the first mesh link and from then on again
 * whenever it is lost. Owned by the loop.
 * <pre>
 *   state         connection  event               next state
 *   -----------   ----------  ------------------  ---------------------------------------------------------------
 *   UNUSED        -           open                CONNECTING
 *   CONNECTING    -           connected           CHECKING, or OPEN without dubbo.check
 *                             failed              GONE
 *   RECONNECTING  -           connected           OPEN, or CHECKING if the last one was lost in silence
 *                             failed              GONE
 *   CHECKING      unheard     frame               OPEN
 *                             silence             UNANSWERED
 *                             lost                GONE
 *   OPEN          in use      event R             READ_ONLY
 *                             silence             SILENT
 *                             lost or going away  RECONNECTING, or GONE if it and the one before have not worked
 *   READ_ONLY     ending      event W             RESUMING, or OPEN a second after it became READ_ONLY
 *                             idle                LEFT, and the connection is closed
 *                             lost                GONE
 *   RESUMING      ending      a second is over    OPEN
 *                             event R             READ_ONLY
 *                             lost                GONE
 *   LEFT          -           connected           LEFT, and it is closed; after dubbo.shutdown-wait as GONE
 *                             failed              GONE
 *   SILENT        frozen      frame               OPEN
 *                             lost                GONE
 *   GONE          -           connected           UNANSWERED, or OPEN without dubbo.check unless the last one was
 *                                                 lost in silence (attempts with back-off)
 *   UNANSWERED    unheard     frame               OPEN
 *                             lost                GONE
 *   each                      close               CLOSED
 * </pre>
 * A connection is sent a heartbeat, and used for calls when a frame has come: any program may listen at that port. Only
 * the one that follows at once to one that was used is used as soon as it is open; without {@code dubbo.check}, each
 * one is that was not lost in silence: a kernel accepts connections for a process that does not run. While the protocol
 * is {@linkplain ProtocolChoice#isOpen open}, none is used before a frame has come, and one that is silent is closed.
 *
 * <p>A connection has worked when it has answered a call, or has lived for a second and had a frame. The first that is
 * lost earlier is followed by another at once, too; after further ones there is a back-off.
 *
 * <p>A connection that goes away takes no new calls, and stays beside the next one until it has answered those that it
 * has. In the other states that have a connection, going away is the same as being lost.
 *
 * <p>A provider is read-only at its word, and takes calls again at its last word of a second after that: each change
 * has the agent deregister or register, and some providers would have it do so a thousand times a second.
 */
public final class DubboUpstream {
    private static final Logger LOG = LoggerFactory.getLogger(DubboUpstream.class);

    enum State {
        UNUSED,
        /** Connecting for the first time: mesh links are not read until the result is known. */
        CONNECTING,
        /** Right after the loss of a connection that worked: mesh links are not read until the result is known. */
        RECONNECTING,
        /** Connected for the first time, and a heartbeat is sent: mesh links are not read until it is answered. */
        CHECKING,
        OPEN,
        /** The provider is about to end and takes no new calls. */
        READ_ONLY,
        /** The provider was read-only, and has said last that it takes calls again. */
        RESUMING,
        /**
         * The provider was read-only and had answered everything, so its connection was closed: Dubbo waits for its
         * clients to be gone before it ends. Connections are tried, and closed at once, to see when its port is closed.
         */
        LEFT,
        /**
         * The provider is frozen, as far as can be seen: what it has got may be executed yet, it gets nothing new.
         */
        SILENT,
        /** The last attempt failed, or the provider has ended; others follow with back-off. */
        GONE,
        /** The provider is connected again, or for long, and has not sent anything yet. */
        UNANSWERED,
        CLOSED
    }

    /** A provider that was OPEN takes no calls for at least this long after it became READ_ONLY. */
    private static final long READ_ONLY_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * The time between two looks at the port of a provider that is ending. A provider that is started again needs
     * longer until it listens; one whose port was never seen closed would be left alone for all of the time it has to
     * end.
     */
    private static final long LOOK_MS = 50;
    /** A connection that ends earlier, without the answer to a call, has not worked. */
    private static final long SHORT_LIFE_NS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop eventLoop;
    private final BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener;
    private final Turn turn;
    private final DubboSettings settings;
    private final SharedEvents events;
    private final ProtocolChoice protocols;
    /** Null for those of the protocol. */
    private final UpstreamConnection.Factory connections;

    private final long shutdownWaitNs;
    private final Connector connector;
    private final ConnectionListener connectionListener = new Events();
    private ResponseListener responses;
    private UpstreamListener listener;
    private State state = State.UNUSED;
    /** The protocol of the connection, or of the last attempt. */
    private ProviderProtocol protocol;
    /** Null while the state has none. */
    private UpstreamConnection connection;
    /** Those that go away, and have calls to answer yet. */
    private final List<UpstreamConnection> leaving = new ArrayList<>(1);
    /** The time at which that was opened. */
    private long connectedNs;
    /** The reason for which the last one ended; null if there is one, or was none. */
    private String loss;
    /** Whether the last one was lost in silence, and none has been heard since. */
    private boolean lostInSilence;
    /** Whether the last one that was lost has not worked. */
    private boolean lastWasBrief;
    /** The time at which the provider became READ_ONLY. */
    private long readOnlyNs;
    /** The time at which the state became LEFT. */
    private long leftNs;

    /**
     * Makes one for a provider that is called by the protocol of Dubbo 2.
     *
     * @param opener opens a connection on the loop, with this handler
     * @param events of all event loops
     */
    public DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings,
            SharedEvents events) {
        this(eventLoop, opener, turn, settings, events, ProviderProtocol.DUBBO);
    }

    /**
     * @param opener opens a connection on the loop, with this handler
     * @param events of all event loops
     */
    public DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings,
            SharedEvents events,
            ProviderProtocol protocol) {
        this(eventLoop, opener, turn, settings, events, ProtocolChoice.of(protocol), null);
    }

    /**
     * Makes one for a provider of which it may have to be found out by which protocol it is called.
     *
     * @param opener    opens a connection on the loop, with this handler
     * @param events    of all event loops
     * @param protocols likewise
     */
    public DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings,
            SharedEvents events,
            ProtocolChoice protocols) {
        this(eventLoop, opener, turn, settings, events, protocols, null);
    }

    /** @param connections makes each connection */
    DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings,
            SharedEvents events,
            UpstreamConnection.Factory connections) {
        this(eventLoop, opener, turn, settings, events, ProtocolChoice.of(ProviderProtocol.DUBBO), connections);
    }

    /** @param connections makes each connection; null for those of the protocol */
    private DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings,
            SharedEvents events,
            ProtocolChoice protocols,
            UpstreamConnection.Factory connections) {
        this.protocols = protocols;
        protocol = protocols.current();
        this.eventLoop = eventLoop;
        this.opener = opener;
        this.turn = turn;
        this.settings = settings;
        this.events = events;
        this.connections = connections;
        shutdownWaitNs = TimeUnit.MILLISECONDS.toNanos(settings.shutdownWaitMs());
        connector = new Connector(
                eventLoop,
                settings.provider(),
                new Backoff(settings.reconnectFirstMs(), settings.reconnectMaxMs()),
                this::openConnection,
                this::onConnectFailure);
    }

    /** Sets the listeners; to be called once, before {@link #open}. */
    public void listen(ResponseListener responses, UpstreamListener listener) {
        this.responses = responses;
        this.listener = listener;
    }

    State state() {
        return state;
    }

    /** Returns what its connections are to call. */
    ConnectionListener connectionListener() {
        return connectionListener;
    }

    /** Returns the connection for new calls; null if the provider takes none now. */
    public ProviderConnection connection() {
        return state == State.OPEN ? connection : null;
    }

    /** Returns the protocol of the connection for new calls. */
    public ProviderProtocol protocol() {
        return protocol;
    }

    /** Returns why the provider takes no calls now; null if it does. */
    public String unavailability() {
        return switch (state) {
            case OPEN -> null;
            case READ_ONLY, RESUMING, LEFT -> "the provider takes no new calls";
            case SILENT, UNANSWERED -> "the provider is silent";
            case CLOSED -> "the agent is shutting down";
            case UNUSED, CONNECTING, RECONNECTING, CHECKING, GONE -> "the provider is not connected";
        };
    }

    /** Returns why the last connection ended; null if there is one, or was none. */
    public String loss() {
        return loss;
    }

    public boolean takesCalls() {
        return state == State.OPEN;
    }

    /** Returns whether the provider is connected, but frozen as far as can be seen. */
    public boolean isSilent() {
        return state == State.SILENT || state == State.UNANSWERED;
    }

    /** Returns whether it will be known in a moment if the provider takes calls. */
    public boolean isUndecided() {
        return state == State.CONNECTING || state == State.RECONNECTING || state == State.CHECKING;
    }

    /**
     * Returns how many calls the provider takes on the connection at once, as far as it has said; {@link
     * Integer#MAX_VALUE} while there is none.
     */
    public int maxCalls() {
        return connection == null ? Integer.MAX_VALUE : connection.maxCalls();
    }

    /** Returns whether the provider takes calls but does not read what is written to it. */
    public boolean isOverfull() {
        return state == State.OPEN && !connection.isWritable();
    }

    /**
     * Sends now what would be sent at the end of the turn. Returns whether the system has taken everything, or there is
     * no connection.
     */
    public boolean flush() {
        boolean flushed = connection == null || connection.flush();
        for (UpstreamConnection each : leaving) {
            flushed &= each.flush();
        }
        return flushed;
    }

    /** Connects unless that was done before. */
    public void open() {
        if (state == State.UNUSED) {
            state = State.CONNECTING;
            connector.connect();
        }
    }

    public void close() {
        state = State.CLOSED;
        connector.close();
        if (connection != null) {
            connection.close("shutting down");
        }
        List.copyOf(leaving).forEach(each -> each.close("shutting down"));
    }

    private Future<?> openConnection(InetSocketAddress address) {
        protocol = protocols.current();
        UpstreamConnection.Factory factory = connections == null ? protocol.connections() : connections;
        UpstreamConnection opened = factory.create(connectionListener, responses, turn, settings);
        return opener.apply(address, opened.handler());
    }

    private void onConnectFailure(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.GONE) {
            if (isNews("not connected: " + reason)) {
                LOG.warn("provider {}: not connected: {}; trying again", settings.provider(), reason);
            }
            state = State.GONE;
            listener.stateChanged();
        }
        listener.attemptFailed(false, reason);
    }

    private void onConnected(UpstreamConnection opened) {
        if (state == State.CLOSED) {
            opened.close("shutting down");
            return;
        }
        if (state == State.LEFT && nowNs() - leftNs < shutdownWaitNs) {
            opened.close("the provider is read-only");
            connectAfterPause();
            return;
        }
        connection = opened;
        loss = null;
        connectedNs = nowNs();
        boolean isKnown = !lostInSilence && !protocols.isOpen();
        if (isKnown && (!settings.check() || state == State.RECONNECTING)) {
            use();
            return;
        }
        state = isUndecided() ? State.CHECKING : State.UNANSWERED;
        scheduleFrameCheck(opened, true);
    }

    private void scheduleFrameCheck(UpstreamConnection opened, boolean first) {
        opened.watch().expectFrame();
        eventLoop.schedule(() -> checkFrame(opened, first), settings.silenceMs(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether no other event loop has just logged the same of its connection. */
    private boolean isNews(String event) {
        return events.isNew(settings.provider() + ": " + event, this, System.nanoTime());
    }

    private void log(String event) {
        if (isNews(event)) {
            LOG.info("provider {}: {}", settings.provider(), event);
        }
    }

    private void use() {
        log("connected");
        state = State.OPEN;
        listener.stateChanged();
    }

    /**
     * Called when a connection should have had a frame. Dubbo 2.7 was seen to drop the first heartbeat of a connection
     * that came while it started, and to answer the next one.
     */
    private void checkFrame(UpstreamConnection opened, boolean first) {
        if (connection != opened || !isFrameAwaited()) {
            return;
        }
        if (protocols.isOpen()) {
            // It may speak the other protocol.
            opened.close(silence(opened));
            return;
        }
        if (first) {
            reportSilence();
        }
        scheduleFrameCheck(opened, false);
    }

    private boolean isFrameAwaited() {
        return state == State.CHECKING || state == State.UNANSWERED;
    }

    private void reportSilence() {
        if (state == State.CHECKING) {
            state = State.UNANSWERED;
            listener.stateChanged();
        }
        listener.attemptFailed(true, silence(connection));
    }

    private String silence(UpstreamConnection silent) {
        return "no answer to " + silent.heartbeat() + " within " + settings.silenceMs() + " ms";
    }

    /** Called once for each connection that is lost, before its channel is closed. */
    private void onLost(UpstreamConnection lost, String reason) {
        if (leaving.remove(lost)) {
            loseCalls(lost, reason);
        } else if (connection == lost) {
            if (state != State.CLOSED && !isFrameAwaited() && isNews("connection lost: " + reason)) {
                LOG.warn("provider {}: connection lost: {}", settings.provider(), reason);
            }
            replace(lost, reason, () -> loseCalls(lost, reason));
        }
    }

    private void loseCalls(UpstreamConnection lost, String reason) {
        if (state != State.CLOSED) {
            responses.connectionLost(lost, "connection to the provider lost: " + reason);
        }
    }

    /** Called when the provider takes no new calls on a connection, and answers those that it has. */
    private void onGoingAway(UpstreamConnection ending, String reason) {
        if (connection == ending) {
            leaving.add(ending);
            ending.watch().closeWhenIdle(true);
            replace(ending, reason, () -> log("ends its connection: " + reason));
        }
    }

    /** @param before is run before the listener is told */
    private void replace(UpstreamConnection ended, String reason, Runnable before) {
        connection = null;
        loss = reason;
        if (state == State.CLOSED) {
            return;
        }
        if (!ended.watch().hasReceived()) {
            protocols.unanswered(protocol);
        }
        boolean wasUsed = !isFrameAwaited();
        boolean worked = hasWorked(ended);
        boolean reconnects = ended.watch().hasReceived() && state == State.OPEN && (worked || !lastWasBrief);
        lostInSilence = ended.watch().isSilent();
        lastWasBrief = !worked;
        state = reconnects ? State.RECONNECTING : State.GONE;
        before.run();
        listener.stateChanged();
        if (!wasUsed) {
            listener.attemptFailed(true, reason);
        }
        if (worked) {
            connector.succeeded();
        }
        if (reconnects) {
            connector.connect();
        } else {
            connector.connectLater();
        }
    }

    /** A provider that ends each connection after its first frame would be connected to without a pause. */
    private boolean hasWorked(UpstreamConnection ended) {
        return ended.watch().hasAnswered() || ended.watch().hasReceived() && nowNs() - connectedNs >= SHORT_LIFE_NS;
    }

    /** Called when the provider has sent nothing for long, though calls and a heartbeat wait for answers. */
    private void onSilence(UpstreamConnection silent) {
        if (connection == silent && state == State.OPEN) {
            if (isNews("silent")) {
                LOG.warn(
                        "provider {}: silent for {} ms with calls in service; it gets no new ones until it is heard",
                        settings.provider(),
                        settings.silenceMs());
            }
            state = State.SILENT;
            listener.silenceChanged();
        }
    }

    /** Called when a frame has come from a provider that was silent, or whose first sign was awaited. */
    private void onSign(UpstreamConnection from) {
        if (connection != from) {
            return;
        }
        if (isFrameAwaited()) {
            lostInSilence = false;
            use();
        } else if (state == State.SILENT) {
            log("heard again");
            state = State.OPEN;
            listener.silenceChanged();
        }
    }

    /** Called when the provider says that it finishes what it has and takes nothing more. */
    private void onReadOnly() {
        if (state == State.OPEN) {
            log("takes no new calls");
            state = State.READ_ONLY;
            readOnlyNs = nowNs();
            connection.watch().closeWhenIdle(true);
            eventLoop.schedule(this::resume, READ_ONLY_NS, TimeUnit.NANOSECONDS);
            listener.stateChanged();
        } else if (state == State.RESUMING) {
            state = State.READ_ONLY;
            connection.watch().closeWhenIdle(true);
        }
    }

    /** Called when a read-only provider has answered everything: its connection is about to be closed. */
    private void onIdle(UpstreamConnection idle) {
        if (connection == idle && state == State.READ_ONLY) {
            log("has answered its last call; disconnected");
            connection = null;
            state = State.LEFT;
            leftNs = nowNs();
            if (hasWorked(idle)) {
                connector.succeeded();
            }
            connectAfterPause();
        }
    }

    private void connectAfterPause() {
        eventLoop.schedule(connector::connect, Math.min(LOOK_MS, settings.reconnectMaxMs()), TimeUnit.MILLISECONDS);
    }

    /** Called when the provider says that it takes calls. */
    private void onTakesCalls() {
        if (state == State.READ_ONLY) {
            connection.watch().closeWhenIdle(false);
            state = State.RESUMING;
            resume();
        }
    }

    private void resume() {
        if (state == State.RESUMING && nowNs() - readOnlyNs >= READ_ONLY_NS) {
            log("takes calls again");
            state = State.OPEN;
            listener.stateChanged();
        }
    }

    private long nowNs() {
        return eventLoop.ticker().nanoTime();
    }

    private void onMaxCalls(UpstreamConnection from) {
        if (connection == from) {
            listener.maxCallsChanged();
        }
    }

    private void onWritabilityChanged() {
        listener.writabilityChanged();
    }

    /** The events of each connection. */
    private final class Events implements ConnectionListener {
        @Override
        public void onConnected(UpstreamConnection opened) {
            DubboUpstream.this.onConnected(opened);
        }

        @Override
        public void onLost(UpstreamConnection lost, String reason) {
            DubboUpstream.this.onLost(lost, reason);
        }

        @Override
        public void onSilence(UpstreamConnection silent) {
            DubboUpstream.this.onSilence(silent);
        }

        @Override
        public void onSign(UpstreamConnection from) {
            DubboUpstream.this.onSign(from);
        }

        @Override
        public void onIdle(UpstreamConnection idle) {
            DubboUpstream.this.onIdle(idle);
        }

        @Override
        public void onGoingAway(UpstreamConnection ending, String reason) {
            DubboUpstream.this.onGoingAway(ending, reason);
        }

        @Override
        public void onReadOnly() {
            DubboUpstream.this.onReadOnly();
        }

        @Override
        public void onTakesCalls() {
            DubboUpstream.this.onTakesCalls();
        }

        @Override
        public void onMaxCalls(UpstreamConnection from) {
            DubboUpstream.this.onMaxCalls(from);
        }

        @Override
        public void onWritabilityChanged() {
            DubboUpstream.this.onWritabilityChanged();
        }
    }
}
