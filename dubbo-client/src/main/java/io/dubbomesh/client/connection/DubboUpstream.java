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
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * The provider as one event loop sees it: the connection to it, opened with the first mesh link and from then on again
 * whenever it is lost. Owned by the loop.
 * <pre>
 *   UNUSED     --open-->       CONNECTING
 *   CONNECTING --frame-->      OPEN         --failed-->  GONE
 *   CONNECTING --silence-->    SILENT
 *   OPEN       --event R-->    READ_ONLY    --lost-->    CONNECTING, or GONE if it and the one before have not worked
 *   OPEN       --silence-->    SILENT       --lost-->    GONE
 *   READ_ONLY  --event W-->    OPEN         --lost-->    GONE         --no calls in flight--> LEFT
 *   LEFT       --failed-->     GONE         --connected after a time--> SILENT
 *   SILENT     --frame-->      OPEN
 *   GONE       --connected-->  SILENT (attempts with back-off)
 *   each       --close-->      CLOSED
 * </pre>
 * A connection is sent a heartbeat, and used for calls when a frame has come: anybody may listen at that port. Only the
 * one that follows at once to one that was used is used as soon as it is open; without {@code dubbo.check}, each one is
 * that was not lost in silence.
 *
 * <p>A connection has worked when it has answered a call, or has lived for a second and had a frame. The first that is
 * lost earlier is followed by another at once, too; after further ones there is a back-off.
 *
 * <p>A provider is read-only at its word, and takes calls again at its last word of a second after that: each change
 * has the agent deregister or register, and some providers would have it do so a thousand times a second.
 */
public final class DubboUpstream {
    private static final Logger LOG = LoggerFactory.getLogger(DubboUpstream.class);

    private enum State {
        UNUSED,
        /** For the first time or right after a loss: mesh links are not read until the result is known. */
        CONNECTING,
        OPEN,
        /** The provider is about to end and takes no new calls. */
        READ_ONLY,
        /**
         * The provider was read-only and had answered everything, so its connection was closed: Dubbo waits for its
         * clients to be gone before it ends. Connections are tried, and closed at once, to see when its port is closed.
         */
        LEFT,
        /**
         * The provider is connected, and has not said anything yet or is frozen, as far as can be seen: what it has got
         * may be executed yet, it gets nothing new.
         */
        SILENT,
        /** The last attempt failed, or the provider has ended; others follow with back-off. */
        GONE,
        CLOSED
    }

    /** In which a provider that was OPEN stays READ_ONLY, whatever it says. */
    private static final long READ_ONLY_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * From one look at the port of a provider that is ending to the next. A provider that is started again needs longer
     * until it listens; one whose port was never seen closed would be left alone for all of the time it has to end.
     */
    private static final long LOOK_MS = 200;
    /** A connection that ends earlier, without the answer to a call, has not worked. */
    private static final long SHORT_LIFE_NS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop eventLoop;
    private final BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener;
    private final Turn turn;
    private final DubboSettings settings;
    private final SharedEvents events;
    private final long shutdownWaitNs;
    private final Connector connector;
    private ResponseListener responses;
    private UpstreamListener listener;
    private State state = State.UNUSED;
    /** Null unless the state is OPEN, READ_ONLY, SILENT or CONNECTING. */
    private DubboConnection connection;
    /** Why the last one ended; null if there is one, or was none. */
    private String loss;
    /** When it was opened. */
    private long connectedNs;
    /** The connection has to say something before it is used for calls. */
    private boolean unproven;
    /** The last connection worked until it was lost, and the next one is to follow at once. */
    private boolean reconnecting;
    /** The connection before this one has not worked. */
    private boolean lastWasBrief;
    /** When the state became READ_ONLY. */
    private long readOnlyNs;
    /** The last word of a provider that is READ_ONLY: it takes calls again. */
    private boolean writable;
    /** Whether that word will be looked at. */
    private boolean awaitsLastWord;
    /** When the state became LEFT. */
    private long leftNs;
    /** The last connection was lost in silence: a kernel accepts connections for a process that does not run. */
    private boolean lostInSilence;

    /**
     * @param opener opens a connection on the loop, with this handler
     * @param events of all event loops
     */
    public DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings,
            SharedEvents events) {
        this.eventLoop = eventLoop;
        this.opener = opener;
        this.turn = turn;
        this.settings = settings;
        this.events = events;
        shutdownWaitNs = TimeUnit.MILLISECONDS.toNanos(settings.shutdownWaitMs());
        connector = new Connector(
                eventLoop,
                settings.provider(),
                new Backoff(settings.reconnectFirstMs(), settings.reconnectMaxMs()),
                this::openConnection,
                this::notConnected);
    }

    /** To be called once, before {@link #open}. */
    public void listen(ResponseListener responses, UpstreamListener listener) {
        this.responses = responses;
        this.listener = listener;
    }

    /** The connection for new calls; null if the provider takes none now. */
    public DubboConnection connection() {
        return state == State.OPEN ? connection : null;
    }

    /** Why the provider takes no calls now; null if it does. */
    public String unavailability() {
        return switch (state) {
            case OPEN -> null;
            case READ_ONLY, LEFT -> "the provider takes no new calls";
            case SILENT -> "the provider is silent";
            case CLOSED -> "the agent is shutting down";
            case UNUSED, CONNECTING, GONE -> "the provider is not connected";
        };
    }

    /** Why the last connection ended; null if there is one, or was none. */
    public String loss() {
        return loss;
    }

    public boolean takesCalls() {
        return state == State.OPEN;
    }

    /** Whether the provider is connected, but frozen as far as can be seen. */
    public boolean isSilent() {
        return state == State.SILENT;
    }

    /** Whether it will be known in a moment if the provider takes calls. */
    public boolean isUndecided() {
        return state == State.CONNECTING;
    }

    /** Whether the provider takes calls but does not read what is written to it. */
    public boolean isOverfull() {
        return state == State.OPEN && !connection.isWritable();
    }

    /**
     * Sends now what would be sent at the end of the turn. Returns whether the system has taken everything, or there is
     * no connection.
     */
    public boolean flush() {
        return connection == null || connection.flush();
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
    }

    private Future<?> openConnection(InetSocketAddress address) {
        return opener.apply(address, new DubboConnection(this, responses, turn, settings));
    }

    private void notConnected(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.GONE) {
            if (isNews("not connected: " + reason)) {
                LOG.warn("provider {}: not connected: {}; trying again", settings.provider(), reason);
            }
            state = State.GONE;
            reconnecting = false;
            listener.stateChanged();
        }
        listener.attemptFailed(false, reason);
    }

    void connected(DubboConnection opened) {
        if (state == State.CLOSED) {
            opened.close("shutting down");
            return;
        }
        if (state == State.LEFT && System.nanoTime() - leftNs < shutdownWaitNs) {
            opened.close("the provider is read-only");
            lookLater();
            return;
        }
        connection = opened;
        loss = null;
        connectedNs = nowNs();
        unproven = lostInSilence || settings.check() && !reconnecting;
        reconnecting = false;
        if (!unproven) {
            use();
            return;
        }
        if (state != State.CONNECTING) {
            state = State.SILENT;
        }
        askForSign(opened, true);
    }

    private void askForSign(DubboConnection opened, boolean first) {
        opened.expectSign();
        eventLoop.schedule(() -> checkSign(opened, first), settings.silenceMs(), TimeUnit.MILLISECONDS);
    }

    /** Whether no other event loop has just logged the same of its connection. */
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
     * Dubbo 2.7 was seen to drop the first heartbeat of a connection that came while it started, and to answer the next
     * one.
     */
    private void checkSign(DubboConnection opened, boolean first) {
        if (connection != opened || !unproven) {
            return;
        }
        if (first) {
            reportNoSign();
        }
        askForSign(opened, false);
    }

    private void reportNoSign() {
        if (state == State.CONNECTING) {
            state = State.SILENT;
            listener.stateChanged();
        }
        listener.attemptFailed(
                true,
                "no answer to a heartbeat in "
                        + settings.serialization().name().toLowerCase(Locale.ROOT) + " within " + settings.silenceMs()
                        + " ms");
    }

    void lost(DubboConnection lost, String reason) {
        if (connection != lost) {
            return;
        }
        connection = null;
        loss = reason;
        if (state == State.CLOSED) {
            return;
        }
        lostInSilence = lost.isSilent();
        if (!unproven && isNews("connection lost: " + reason)) {
            LOG.warn("provider {}: connection lost: {}", settings.provider(), reason);
        }
        boolean worked = hasWorked(lost);
        reconnecting = lost.hasReceived() && state == State.OPEN && (worked || !lastWasBrief);
        lastWasBrief = !worked;
        state = reconnecting ? State.CONNECTING : State.GONE;
        responses.connectionLost(lost, "connection to the provider lost: " + reason);
        listener.stateChanged();
        if (unproven) {
            listener.attemptFailed(true, reason);
        }
        if (worked) {
            connector.succeeded();
        }
        if (reconnecting) {
            connector.connect();
        } else {
            connector.connectLater();
        }
    }

    /** One that ends each connection after its first frame would be connected to without a pause. */
    private boolean hasWorked(DubboConnection ended) {
        return ended.hasAnswered() || ended.hasReceived() && nowNs() - connectedNs >= SHORT_LIFE_NS;
    }

    /** The provider has sent nothing for long, though calls and a heartbeat wait for answers. */
    void fellSilent(DubboConnection silent) {
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

    /** A provider that was silent, or whose first sign was awaited, has sent something. */
    void heard(DubboConnection from) {
        if (connection != from) {
            return;
        }
        if (unproven) {
            unproven = false;
            lostInSilence = false;
            use();
        } else if (state == State.SILENT) {
            log("heard again");
            state = State.OPEN;
            listener.silenceChanged();
        }
    }

    /** The provider finishes what it has and takes nothing more. */
    void readOnly() {
        writable = false;
        if (state == State.OPEN) {
            log("takes no new calls");
            state = State.READ_ONLY;
            readOnlyNs = nowNs();
            connection.closeWhenIdle(true);
            listener.stateChanged();
        } else if (state == State.READ_ONLY) {
            connection.closeWhenIdle(true);
        }
    }

    /** A read-only provider has answered everything: its connection is about to be closed. */
    void left(DubboConnection idle) {
        if (connection == idle && state == State.READ_ONLY) {
            log("has answered its last call; disconnected");
            connection = null;
            state = State.LEFT;
            leftNs = System.nanoTime();
            if (hasWorked(idle)) {
                connector.succeeded();
            }
            lookLater();
        }
    }

    private void lookLater() {
        eventLoop.schedule(connector::connect, Math.min(LOOK_MS, settings.reconnectMaxMs()), TimeUnit.MILLISECONDS);
    }

    void writable() {
        if (state == State.READ_ONLY) {
            writable = true;
            connection.closeWhenIdle(false);
            takeLastWord();
        }
    }

    private void takeLastWord() {
        if (state != State.READ_ONLY || !writable) {
            return;
        }
        long leftNs = READ_ONLY_NS - (nowNs() - readOnlyNs);
        if (leftNs <= 0) {
            log("takes calls again");
            state = State.OPEN;
            listener.stateChanged();
        } else if (!awaitsLastWord) {
            awaitsLastWord = true;
            Runnable look = () -> {
                awaitsLastWord = false;
                takeLastWord();
            };
            eventLoop.schedule(look, leftNs, TimeUnit.NANOSECONDS);
        }
    }

    private long nowNs() {
        return eventLoop.ticker().nanoTime();
    }

    void writabilityChanged() {
        listener.writabilityChanged();
    }
}
