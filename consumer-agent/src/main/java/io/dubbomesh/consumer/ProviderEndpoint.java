package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.mesh.MeshLink;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A provider agent as one event loop sees it: its address, this loop's calls in flight on it, and the connection to it, which is opened
 * again whenever it is lost, until the endpoint is retired.
 */
final class ProviderEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderEndpoint.class);
    private static final long FIRST_RETRY_MS = 50;
    private static final long MAX_RETRY_MS = 1000;
    /** For so long after a refusal this loop keeps to its share. */
    private static final long REFUSAL_MEMORY_NS = TimeUnit.SECONDS.toNanos(1);

    final String host;
    final int port;
    private final LoopState loop;
    private final Backoff backoff = new Backoff(FIRST_RETRY_MS, MAX_RETRY_MS);
    private ProviderLink link;
    private int limit;
    private int share;
    private int inFlight;
    private boolean refused;
    private long refusedAtNs;
    private boolean retired;
    private boolean attempted;
    /** Why there is no connection, as it was logged: an agent that is away is tried for as long as it is listed. */
    private String failure = "";

    ProviderEndpoint(String host, int port, LoopState loop) {
        this.host = host;
        this.port = port;
        this.loop = loop;
    }

    /** Opens the connection, and from then on keeps it open. */
    void connect() {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            connect(literalAddress(literal));
            return;
        }
        // The JDK's resolver blocks, so it runs elsewhere.
        CompletableFuture.supplyAsync(this::resolve).thenAcceptAsync(this::connect, loop.eventLoop());
    }

    private InetSocketAddress literalAddress(byte[] literal) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(literal), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes", e);
        }
    }

    private InetSocketAddress resolve() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            return InetSocketAddress.createUnresolved(host, port);
        }
    }

    private void connect(InetSocketAddress address) {
        if (retired) {
            return;
        }
        if (address.isUnresolved()) {
            connectLater("unknown host");
            return;
        }
        Future<Void> connected = loop.connect(address, new ProviderLink(this, loop));
        connected.addListener(done -> {
            if (!done.isSuccess()) {
                connectLater(String.valueOf(done.cause().getMessage()));
            }
        });
    }

    private void connectLater(String reason) {
        attempted = true;
        if (!reason.equals(failure)) {
            failure = reason;
            LOG.warn("endpoint {}: {}, trying again", this, reason);
        }
        if (!retired && !loop.eventLoop().isShuttingDown()) {
            loop.eventLoop().schedule(this::reconnect, backoff.nextMs(), TimeUnit.MILLISECONDS);
        }
    }

    private void reconnect() {
        if (!retired) {
            connect();
        }
    }

    void ready(ProviderLink readyLink, Hello peer) {
        attempted = true;
        failure = "";
        link = readyLink;
        limit = peer.limit();
        share = (limit + loop.loopCount() - 1) / loop.loopCount();
        backoff.reset();
        if (retired) {
            closeWhenIdle();
        } else {
            LOG.info("endpoint {}: connected, limit {}", this, limit);
            loop.calls().roomMadeAnywhere();
        }
    }

    /** The agent wants no new calls on this connection; a new one is opened when it has closed. */
    void goingAway(String reason) {
        LOG.info("endpoint {}: going away: {}", this, reason);
        closeWhenIdle();
    }

    void lost(ProviderLink lostLink, String reason) {
        boolean greeted = link == lostLink;
        if (greeted) {
            link = null;
        }
        if (!retired) {
            String doubt = loop.settings().tls() == null ? " (does it expect TLS?)" : "";
            connectLater(greeted ? "connection lost: " + reason : reason + doubt);
        }
    }

    /** The registry does not list it any more: nothing new is sent, what is in flight is still answered. */
    void retire() {
        retired = true;
        LOG.info("endpoint {}: left", this);
        closeWhenIdle();
    }

    private void closeWhenIdle() {
        if (inFlight == 0 && link != null && (retired || link.state() == MeshLink.State.DRAINING)) {
            link.close("no longer used");
        }
    }

    boolean hasRoom(boolean borrowing, long nowNs) {
        if (!isAlive() || !link.batch().isWritable()) {
            return false;
        }
        return inFlight < share || borrowing && inFlight < limit && !refusedLately(nowNs);
    }

    private boolean refusedLately(long nowNs) {
        if (refused && nowNs - refusedAtNs > REFUSAL_MEMORY_NS) {
            refused = false;
        }
        return refused;
    }

    boolean isAlive() {
        return link != null && link.state() == MeshLink.State.READY && !retired;
    }

    /** Whether its first attempt to connect has ended, one way or the other. */
    boolean wasAttempted() {
        return attempted;
    }

    ProviderLink link() {
        return link;
    }

    void sent() {
        inFlight++;
    }

    void ended() {
        inFlight--;
        if (inFlight == 0) {
            closeWhenIdle();
        }
    }

    void refused(long nowNs) {
        refused = true;
        refusedAtNs = nowNs;
    }

    @Override
    public String toString() {
        return new HostPort(host, port).toString();
    }
}
