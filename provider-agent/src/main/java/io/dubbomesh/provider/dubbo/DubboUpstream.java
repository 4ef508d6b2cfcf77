package io.dubbomesh.provider.dubbo;

import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The provider as one event loop sees it: the connection to it, opened with the first mesh link and from then on again whenever it is lost.
 * Owned by the loop.
 * <pre>
 *   UNUSED --> CONNECTING --> OPEN <--W, R--> READ_ONLY
 *                |    ^        |                  |
 *                |    `--------+------------------'   at once, then with back-off
 *                `--> GONE --> CONNECTING ...              any --> CLOSED
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
        /** The last attempt failed; there will be others. */
        GONE,
        CLOSED
    }

    private final EventLoop eventLoop;
    private final Connector connector;
    private final Turn turn;
    private final DubboSettings settings;
    private final Backoff backoff;
    private ResponseListener responses;
    private UpstreamListener listener;
    private State state = State.UNUSED;
    /** Null unless the state is OPEN or READ_ONLY. */
    private DubboConnection connection;

    public DubboUpstream(EventLoop eventLoop, Connector connector, Turn turn, DubboSettings settings) {
        this.eventLoop = eventLoop;
        this.connector = connector;
        this.turn = turn;
        this.settings = settings;
        backoff = new Backoff(settings.reconnectFirstMs(), settings.reconnectMaxMs());
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
            connect();
        }
    }

    public void close() {
        state = State.CLOSED;
        if (connection != null) {
            connection.close("shutting down");
        }
    }

    private void connect() {
        String host = settings.provider().host();
        int port = settings.provider().port();
        try {
            byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
            if (literal != null) {
                connectTo(new InetSocketAddress(InetAddress.getByAddress(literal), port));
            } else {
                // The JDK's resolver blocks, so it runs elsewhere.
                CompletableFuture.supplyAsync(() -> new InetSocketAddress(host, port))
                        .whenCompleteAsync(this::resolved, eventLoop);
            }
        } catch (UnknownHostException | RuntimeException | Error e) {
            // Without this there would be no further attempt.
            failed(String.valueOf(e));
        }
    }

    private void resolved(InetSocketAddress address, Throwable failure) {
        if (failure != null || address.isUnresolved()) {
            failed(failure == null ? "unknown host" : String.valueOf(failure));
        } else {
            connectTo(address);
        }
    }

    private void connectTo(InetSocketAddress address) {
        if (state == State.CLOSED) {
            return;
        }
        connector
                .connect(address, new DubboConnection(this, responses, turn, settings))
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        failed(done.cause().getMessage());
                    }
                });
    }

    private void failed(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.GONE) {
            LOG.warn("provider {}: not connected: {}; trying again", settings.provider(), reason);
            state = State.GONE;
            listener.stateChanged();
        }
        connectLater();
    }

    private void connectLater() {
        if (!eventLoop.isShuttingDown()) {
            eventLoop.schedule(this::connect, backoff.nextMs(), TimeUnit.MILLISECONDS);
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
            connect();
        } else {
            connectLater();
        }
    }

    /** It is a Dubbo provider that listens there, so that the next loss begins with a short back-off. */
    void firstFrameReceived() {
        backoff.reset();
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
