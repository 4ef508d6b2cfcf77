package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.socket.SocketSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Opens connections with TLS. */
public final class TlsConnector implements AutoCloseable {
    private final TlsContext context;

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
     * Opens a connection, as {@link EventLoops#connect} does without TLS.
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
        Promise<Void> secured = loop.newPromise();
        ChannelHandler behindTls = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                // Only endpoints are connected to: there are not many records to keep.
                TlsRecords records = new TlsRecords(MemoryBudget.unlimited(), TlsRecords.NoRoom.KEEP, reason -> {});
                context.addTo(channel, records);
                SslHandler tls =
                        context.newHandler(channel, context.handshakeTimeoutMs(), HandshakeTasks.Progress.IGNORED);
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

    void readAgain() {
        context.readAgain();
    }

    /** Closes it; called after the event loops are closed. */
    @Override
    public void close() {
        context.close();
    }
}
