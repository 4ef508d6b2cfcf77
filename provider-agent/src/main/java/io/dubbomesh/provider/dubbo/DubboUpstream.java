package io.dubbomesh.provider.dubbo;

import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.transport.loop.Connector;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.function.BiFunction;

/**
 * The provider as one event loop sees it: the connection to it, opened with the first mesh link and from then on again whenever it is lost.
 * Owned by the loop.
 * <pre>
 *   UNUSED     --open-->       CONNECTING
 *   CONNECTING --connected-->  OPEN         --failed-->  GONE
 *   OPEN       --event R-->    READ_ONLY    --lost-->    CONNECTING, or GONE if it was lost before the first frame
 *   READ_ONLY  --event W-->    OPEN         --lost-->    GONE
 *   GONE       --connected-->  OPEN         (attempts with back-off)
 *   each       --close-->      CLOSED
 * </pre>
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
        /** The last attempt failed, or the provider has ended; others follow with back-off. */
        GONE,
        CLOSED
    }

    private final BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener;
    private final Turn turn;
    private final DubboSettings settings;
    private final Connector connector;
    private ResponseListener responses;
    private UpstreamListener listener;
    private State state = State.UNUSED;
    /** Null unless the state is OPEN or READ_ONLY. */
    private DubboConnection connection;

    /** @param opener opens a connection on the loop, with this handler */
    public DubboUpstream(
            EventLoop eventLoop,
            BiFunction<InetSocketAddress, ChannelHandler, ? extends Future<?>> opener,
            Turn turn,
            DubboSettings settings) {
        this.opener = opener;
        this.turn = turn;
        this.settings = settings;
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

    public boolean takesCalls() {
        return state == State.OPEN;
    }

    /** Whether it will be known in a moment if the provider takes calls. */
    public boolean isUndecided() {
        return state == State.CONNECTING;
    }

    /** Whether the provider does not read what is written to it. */
    public boolean isOverfull() {
        return connection != null && !connection.isWritable();
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
        if (state != State.GONE && state != State.CLOSED) {
            LOG.warn("provider {}: not connected: {}; trying again", settings.provider(), reason);
            state = State.GONE;
            listener.stateChanged();
        }
    }

    void connected(DubboConnection opened) {
        if (state == State.CLOSED) {
            opened.close("shutting down");
            return;
        }
        LOG.info("provider {}: connected", settings.provider());
        connection = opened;
        state = State.OPEN;
        listener.stateChanged();
    }

    void lost(DubboConnection lost, String reason) {
        if (connection != lost) {
            return;
        }
        connection = null;
        if (state == State.CLOSED) {
            return;
        }
        LOG.warn("provider {}: connection lost: {}", settings.provider(), reason);
        boolean mayBeBackAtOnce = lost.hasReceived() && state == State.OPEN;
        state = mayBeBackAtOnce ? State.CONNECTING : State.GONE;
        responses.connectionLost(lost, "connection to the provider lost: " + reason);
        listener.stateChanged();
        if (mayBeBackAtOnce) {
            connector.connect();
        } else {
            connector.connectLater();
        }
    }

    /** It is a Dubbo provider that listens there, so that the next loss begins with a short back-off. */
    void firstFrameReceived() {
        connector.succeeded();
    }

    /** The provider finishes what it has and takes nothing more. */
    void readOnly() {
        if (state == State.OPEN) {
            LOG.info("provider {}: takes no new calls", settings.provider());
            state = State.READ_ONLY;
            listener.stateChanged();
        }
    }

    void writable() {
        if (state == State.READ_ONLY) {
            LOG.info("provider {}: takes calls again", settings.provider());
            state = State.OPEN;
            listener.stateChanged();
        }
    }

    void writabilityChanged() {
        listener.writabilityChanged();
    }
}
