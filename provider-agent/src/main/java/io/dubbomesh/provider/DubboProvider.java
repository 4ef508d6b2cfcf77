package io.dubbomesh.provider;

import io.dubbomesh.runtime.Backoff;
import io.netty.util.NetUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The provider as one event loop sees it: the connection to it, opened on demand and from then on opened again whenever it is lost.
 * <pre>
 *   UNUSED --> CONNECTING --> OPEN <--W, R--> READ_ONLY
 *                |    ^        |                  |
 *                |    `--------+------------------'   at once, then with back-off
 *                `--> GONE --> CONNECTING ...
 * </pre>
 */
final class DubboProvider {
    private static final Logger LOG = LoggerFactory.getLogger(DubboProvider.class);

    private enum State {
        UNUSED,
        /** For the first time or right after a loss: who asks is kept waiting rather than refused. */
        CONNECTING,
        OPEN,
        READ_ONLY,
        /** The last attempt failed; there will be others. */
        GONE,
        CLOSED
    }

    private final LoopState loop;
    private final Backoff backoff;
    private State state = State.UNUSED;
    private DubboConnection connection;

    DubboProvider(LoopState loop) {
        this.loop = loop;
        backoff =
                new Backoff(loop.settings().reconnectFirstMs(), loop.settings().reconnectMaxMs());
    }

    /** The connection for new calls; null if the provider takes none now. */
    DubboConnection connection() {
        return state == State.OPEN ? connection : null;
    }

    /** Whether it will be known in a moment if the provider takes calls. */
    boolean isUndecided() {
        return state == State.CONNECTING;
    }

    boolean isOverfull() {
        return connection != null && !connection.isWritable();
    }

    /** Connects unless that was done before. */
    void open() {
        if (state == State.UNUSED) {
            state = State.CONNECTING;
            connect();
        }
    }

    private void connect() {
        String host = loop.settings().dubboHost();
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            connectTo(address(literal));
        } else {
            // The JDK's resolver blocks, so it runs elsewhere.
            CompletableFuture.supplyAsync(
                            () -> new InetSocketAddress(host, loop.settings().dubboPort()))
                    .thenAcceptAsync(this::connectTo, loop.eventLoop());
        }
    }

    private InetSocketAddress address(byte[] literal) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(literal), loop.settings().dubboPort());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes", e);
        }
    }

    private void connectTo(InetSocketAddress address) {
        if (state == State.CLOSED) {
            return;
        }
        if (address.isUnresolved()) {
            refused("unknown host");
            return;
        }
        loop.connect(address, new DubboConnection(this, loop)).addListener(done -> {
            if (!done.isSuccess()) {
                refused(done.cause().getMessage());
            }
        });
    }

    private void refused(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.GONE) {
            LOG.warn("provider {}: {}, trying again", loop.settings().provider(), reason);
            state = State.GONE;
            loop.providerChanged();
        }
        connectLater();
    }

    private void connectLater() {
        if (!loop.eventLoop().isShuttingDown()) {
            loop.eventLoop().schedule(this::connect, backoff.nextMs(), TimeUnit.MILLISECONDS);
        }
    }

    void connected(DubboConnection opened) {
        if (state == State.CLOSED) {
            opened.close("shutting down");
            return;
        }
        LOG.info("provider {}: connected", loop.settings().provider());
        connection = opened;
        state = State.OPEN;
        loop.providerChanged();
    }

    /** The connection is gone; what its last batch held was not sent. */
    void lost(DubboConnection lost, String reason) {
        if (connection != lost) {
            return;
        }
        connection = null;
        if (state == State.CLOSED) {
            return;
        }
        LOG.warn("provider {}: connection lost: {}", loop.settings().provider(), reason);
        boolean mayBeBackAtOnce = lost.wasHeard() && state == State.OPEN;
        state = mayBeBackAtOnce ? State.CONNECTING : State.GONE;
        loop.failCallsOn(lost, "connection to the provider lost: " + reason);
        loop.providerChanged();
        if (mayBeBackAtOnce) {
            connect();
        } else {
            connectLater();
        }
    }

    /** The connection is a working one. */
    void heard() {
        backoff.reset();
    }

    /** The provider is about to end: it finishes what it has and takes nothing more. */
    void readOnly() {
        if (state == State.OPEN) {
            LOG.info("provider {}: takes no new calls", loop.settings().provider());
            state = State.READ_ONLY;
            loop.providerChanged();
        }
    }

    void writable() {
        if (state == State.READ_ONLY) {
            LOG.info("provider {}: takes calls again", loop.settings().provider());
            state = State.OPEN;
            loop.providerChanged();
        }
    }

    boolean takesCalls() {
        return state == State.OPEN;
    }

    void close() {
        state = State.CLOSED;
        if (connection != null) {
            connection.close("shutting down");
        }
    }
}
