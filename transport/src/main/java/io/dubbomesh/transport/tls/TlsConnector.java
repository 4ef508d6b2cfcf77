package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.socket.SocketSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Opens connections with TLS. */
public final class TlsConnector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsConnector.class);

    private final TlsContext context;

    /**
     * The peer of a connection.
     *
     * @param address  the host that is connected to: a server may be chosen by it (SNI), and the certificate may have
     *     to be one for it
     * @param protocol what is to be spoken behind TLS, by its name in ALPN (RFC 7301); null where that is not
     *     negotiated
     */
    public record Peer(HostPort address, String protocol) {
        /** Returns a peer with which nothing is negotiated. */
        public static Peer at(HostPort address) {
            return new Peer(address, null);
        }

        /** Returns a peer that speaks HTTP/2; it may not negotiate that. */
        public static Peer ofHttp2(HostPort address) {
            return new Peer(address, ApplicationProtocolNames.HTTP_2);
        }

        String[] protocols() {
            return protocol == null ? new String[0] : new String[] {protocol};
        }
    }

    /**
     * @throws io.dubbomesh.runtime.settings.SettingsException if a file cannot be read or used; names its setting, its
     *     path and the reason
     */
    public TlsConnector(TlsSettings settings) {
        context = new TlsContext(settings, files -> files.toConnect(settings));
    }

    /**
     * Has {@link Settings#check} report what is wrong with the files.
     *
     * @param tls null for plain TCP
     */
    public static void check(Settings settings, TlsSettings tls) {
        if (tls != null) {
            TlsFiles.check(settings, tls, files -> files.toConnect(tls));
        }
    }

    /**
     * Opens a connection, as {@link EventLoops#connect} does without TLS, to a peer of which nothing but the
     * certificate counts.
     *
     * @return completed when the handshake is done and the peer authenticated; fails if there is no connection or no
     *     handshake
     */
    public Future<Void> connect(
            EventLoops loops,
            EventLoop loop,
            InetSocketAddress address,
            SocketSettings sockets,
            ChannelHandler handler) {
        return connect(
                loops,
                loop,
                address,
                sockets,
                handler,
                channel -> context.newHandler(channel, context.handshakeTimeoutMs(), HandshakeTasks.Progress.IGNORED));
    }

    /** Opens a connection to a peer, likewise. */
    public Future<Void> connect(
            EventLoops loops,
            EventLoop loop,
            InetSocketAddress address,
            SocketSettings sockets,
            ChannelHandler handler,
            Peer peer) {
        return connect(loops, loop, address, sockets, handler, channel -> context.newHandler(channel, peer));
    }

    private Future<Void> connect(
            EventLoops loops,
            EventLoop loop,
            InetSocketAddress address,
            SocketSettings sockets,
            ChannelHandler handler,
            Function<Channel, SslHandler> handlers) {
        Promise<Void> secured = loop.newPromise();
        ChannelHandler behindTls = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                // Only endpoints are connected to: there are not many records to keep.
                TlsRecords records = new TlsRecords(MemoryBudget.unlimited(), TlsRecords.NoRoom.KEEP, reason -> {});
                context.addTo(channel, records);
                SslHandler tls = handlers.apply(channel);
                channel.pipeline().addLast(tls, new TlsGate(tls.engine(), records, TlsGate.AtEnd.CLOSE), handler);
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

    /** Makes the TLS for a connection to a peer, whose handshake begins when the connection is open. */
    public SslHandler newHandler(Channel channel, Peer peer) {
        return context.newHandler(channel, peer);
    }

    /**
     * Opens a blocking connection and makes the handshake. It is closed at the deadline, whatever happens: a peer may
     * send each byte just in time.
     *
     * @throws IOException if there is no connection or no handshake by then; says why
     */
    public Socket open(Peer peer, long deadlineNs) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(
                    new InetSocketAddress(peer.address().host(), peer.address().port()), leftMs(deadlineNs));
            context.schedule(() -> close(socket), leftMs(deadlineNs));
            SSLSocket secured = context.secure(socket, peer);
            secured.setSoTimeout(leftMs(deadlineNs));
            handshake(secured);
            return secured;
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private static void handshake(SSLSocket secured) throws IOException {
        try {
            secured.startHandshake();
        } catch (IOException e) {
            throw new IOException("TLS handshake: " + TlsGate.reason(e), e);
        }
    }

    private static int leftMs(long deadlineNs) throws SocketTimeoutException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            throw new SocketTimeoutException("no connection in time");
        }
        return (int) Math.min(leftMs, Integer.MAX_VALUE);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a connection at its deadline", e);
        }
    }

    void readAgain() {
        context.readAgain();
    }

    /** Closes it; called after the event loops are closed. */
    @Override
    public void close() {
        context.close();
    }
}
