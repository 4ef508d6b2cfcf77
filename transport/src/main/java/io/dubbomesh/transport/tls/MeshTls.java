package io.dubbomesh.transport.tls;

import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.socket.SocketSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Mutual TLS on the connections between agents. A separate thread computes the handshakes, so that a peer that makes many of them does not
 * block an event loop. It also checks every few seconds whether the files have changed; connections that are opened afterwards use the new ones.
 */
public final class MeshTls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MeshTls.class);
    private static final long FILES_CHECK_MS = 5000;
    /** A dead peer does not read the close_notify alert, and the calls in flight must not wait for it. */
    private static final long CLOSE_NOTIFY_MS = 200;

    private static final long REFUSAL_LOG_NS = TimeUnit.SECONDS.toNanos(1);

    private final TlsSettings settings;
    private final boolean accepting;
    private final ScheduledThreadPoolExecutor thread;
    private volatile SslContext context;
    private TlsFiles files;
    private String problem = "";
    private long lastRefusalNs = System.nanoTime() - REFUSAL_LOG_NS;
    private long refusalsNotLogged;

    private MeshTls(TlsSettings settings, boolean accepting) {
        this.settings = settings;
        this.accepting = accepting;
        use(TlsFiles.read(settings));
        thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("tls", true));
        PeriodicTask.start(thread, "TLS files", FILES_CHECK_MS, this::readAgain);
    }

    /**
     * For connections that are accepted.
     *
     * @throws io.dubbomesh.runtime.settings.SettingsException if a file cannot be read or used; names its setting, its path and the reason
     */
    public static MeshTls accepting(TlsSettings settings) {
        return new MeshTls(settings, true);
    }

    /**
     * For connections that are opened.
     *
     * @throws io.dubbomesh.runtime.settings.SettingsException if a file cannot be read or used; names its setting, its path and the reason
     */
    public static MeshTls connecting(TlsSettings settings) {
        return new MeshTls(settings, false);
    }

    private void use(TlsFiles read) {
        context = accepting ? read.toAccept(settings.peerNames()) : read.toConnect(settings.peerNames());
        files = read;
        LOG.info(
                "TLS with the certificate of {}, valid until {}",
                read.certificate().getSubjectX500Principal(),
                read.certificate().getNotAfter().toInstant());
    }

    /** Takes files that have changed. This may happen in the middle of a replacement, so files that do not fit together are read again later. */
    void readAgain() {
        try {
            TlsFiles read = TlsFiles.read(settings);
            if (!read.equals(files)) {
                use(read);
            }
            problem = "";
        } catch (RuntimeException e) {
            String found = String.valueOf(e.getMessage());
            if (!found.equals(problem)) {
                problem = found;
                LOG.warn("{}; new connections go on with what was read before", problem);
            }
        }
    }

    /** Adds TLS to an accepted connection. Handlers behind it are told of the connection, by {@code channelActive}, when the peer is authenticated. */
    public void accept(Channel channel) {
        add(channel).handshakeFuture().addListener(handshake -> {
            if (!handshake.isSuccess()) {
                refused(channel, handshake.cause());
            }
        });
    }

    /** Logs at most one line a second, since any host can try at any rate, and none for connections that just close. */
    private synchronized void refused(Channel channel, Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return;
        }
        long nowNs = System.nanoTime();
        if (nowNs - lastRefusalNs < REFUSAL_LOG_NS) {
            refusalsNotLogged++;
            return;
        }
        lastRefusalNs = nowNs;
        String others = refusalsNotLogged == 0 ? "" : " (and " + refusalsNotLogged + " more before)";
        refusalsNotLogged = 0;
        LOG.warn("{}: TLS handshake: {}{}", channel.remoteAddress(), TlsGate.reason(cause), others);
    }

    /**
     * Opens a connection with TLS, as {@link EventLoops#connect} does without.
     *
     * @return completed when the handshake is done and the peer authenticated; fails if there is no connection or no handshake
     */
    public Future<Void> connect(
            EventLoops loops,
            EventLoop loop,
            InetSocketAddress address,
            SocketSettings sockets,
            ChannelHandler handler) {
        Promise<Void> secured = loop.newPromise();
        ChannelHandler behindTls = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                SslHandler tls = add(channel);
                channel.pipeline().addLast(handler);
                tls.handshakeFuture().addListener(handshake -> {
                    if (handshake.isSuccess()) {
                        secured.trySuccess(null);
                    } else {
                        secured.tryFailure(new IOException("TLS handshake: " + TlsGate.reason(handshake.cause())));
                    }
                });
            }
        };
        loops.connect(loop, address, sockets, behindTls).addListener(connected -> {
            if (!connected.isSuccess()) {
                secured.tryFailure(connected.cause());
            }
        });
        return secured;
    }

    private SslHandler add(Channel channel) {
        SslHandler tls = context.newHandler(channel.alloc(), thread);
        tls.setHandshakeTimeoutMillis(settings.handshakeTimeoutMs());
        tls.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MS);
        channel.pipeline().addLast(tls, new TlsGate(tls.engine()));
        // TLS keeps the buffer of a record that has not arrived as a whole.
        SocketSettings.useOwnReadBuffers(channel);
        return tls;
    }

    /** To be called after the event loops are closed. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
