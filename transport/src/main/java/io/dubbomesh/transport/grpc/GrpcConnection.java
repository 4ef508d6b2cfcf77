package io.dubbomesh.transport.grpc;

import io.dubbomesh.transport.http2.Http2Client;
import io.dubbomesh.transport.write.Turn;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection of gRPC to a server, on an event loop of its own; opened by the first call, and not opened again. Any
 * thread may use it. It sends no PING, since servers of gRPC end a connection on which a client pings more often than
 * they allow: that a peer is dead shows by a call without an answer.
 */
public final class GrpcConnection implements AutoCloseable {
    private static final String CLOSED = "closed";

    private final GrpcPeer peer;
    private final String threads;
    private final ChannelFactory<? extends Channel> channels;
    /** Null before the first call, and when closed. */
    private EventLoopGroup loop;
    /** Succeeds when calls can be sent. Null before the first call; failed once closed. */
    private Promise<GrpcStreams> ready;

    private Channel channel;

    /** A call that has been started and takes more messages; any thread may use it. */
    public interface Started {
        /** Sends another message of the call, unless it has ended. */
        void send(byte[] message);

        /** Ends the client's side of the call: no message is sent after it. */
        void finish();
    }

    /** @param threads the name of the event loop's thread */
    public GrpcConnection(GrpcPeer peer, String threads) {
        this(peer, threads, NioSocketChannel::new);
    }

    GrpcConnection(GrpcPeer peer, String threads, ChannelFactory<? extends Channel> channels) {
        this.peer = peer;
        this.threads = threads;
        this.channels = channels;
    }

    /**
     * Makes a call whose one message is that of the request; its receiver is called on the event loop, or by the caller
     * if the connection is closed.
     */
    public void call(GrpcRequest request, GrpcReceiver receiver) {
        GrpcCall call = new GrpcCall(receiver);
        whenReady(streams -> streams.start(call, request, true), call::end);
    }

    /** Starts a call as {@link #call} does, whose other messages the caller sends. */
    public Started begin(GrpcRequest request, GrpcReceiver receiver) {
        GrpcCall call = new GrpcCall(receiver);
        Stream stream = new Stream();
        whenReady(streams -> stream.open(streams, call, request), call::end);
        return stream;
    }

    /** The stream of a call. */
    private final class Stream implements Started {
        /** 0 before it is opened. Belongs to the event loop. */
        private int number;

        private void open(GrpcStreams streams, GrpcCall call, GrpcRequest request) {
            number = streams.start(call, request, false);
        }

        @Override
        public void send(byte[] message) {
            whenReady(streams -> streams.send(number, message), ended -> {});
        }

        @Override
        public void finish() {
            whenReady(streams -> streams.finish(number), ended -> {});
        }
    }

    /**
     * Runs the task with the streams when calls can be sent. The lock is held so that the event loop accepts the task
     * before {@link #close} ends it.
     */
    private synchronized void whenReady(Consumer<GrpcStreams> task, Consumer<GrpcException> failure) {
        if (ready == null) {
            loop = new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory(threads, true), NioIoHandler.newFactory());
            connect(loop.next());
        }
        Promise<GrpcStreams> streams = ready;
        streams.addListener(done -> {
            if (done.isSuccess()) {
                task.accept(streams.getNow());
            } else {
                failure.accept((GrpcException) done.cause());
            }
        });
    }

    private void connect(EventLoop on) {
        Promise<GrpcStreams> opening = on.newPromise();
        ready = opening;
        ChannelFuture connected = new Bootstrap()
                .group(on)
                .channelFactory(channels)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, peer.connectTimeoutMs())
                .option(ChannelOption.TCP_NODELAY, true)
                // A few messages a minute are not worth an arena.
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        initialize(opened, on, opening);
                    }
                })
                .connect(peer.address());
        channel = connected.channel();
        connected.addListener(done -> {
            if (!done.isSuccess()) {
                fail(opening, done.cause());
            }
        });
    }

    private void initialize(Channel opened, EventLoop on, Promise<GrpcStreams> opening) {
        if (peer.tls() != null) {
            SslHandler tls = peer.tls().handlers().apply(opened);
            // The caller's timeout bounds it, which grows on a machine that is short of CPU time.
            tls.setHandshakeTimeoutMillis(0);
            opened.pipeline().addLast(tls, new AlpnGate(peer.tls().requiresAlpn(), cause -> fail(opening, cause)));
        }
        opened.pipeline().addLast(new GrpcStreams(new Turn(on), peer, opening::trySuccess).handler());
    }

    private static void fail(Promise<GrpcStreams> opening, Throwable cause) {
        opening.tryFailure(cause instanceof GrpcException ? cause : GrpcException.ofConnection(cause));
    }

    /** Ends every call that has not ended; one that is started later fails. */
    @Override
    public synchronized void close() {
        GrpcException closed = new GrpcException(GrpcStatus.UNAVAILABLE, CLOSED);
        if (loop != null) {
            ready.tryFailure(closed);
            shutDown(channel, loop);
            loop = null;
        }
        ready = ImmediateEventExecutor.INSTANCE.newPromise();
        ready.setFailure(closed);
    }

    private static void shutDown(Channel channel, EventLoopGroup loop) {
        // A channel that could not be opened has no event loop, and cannot be closed.
        if (channel.isOpen()) {
            channel.eventLoop().execute(() -> {
                Http2Client client = channel.pipeline().get(Http2Client.class);
                if (client != null) {
                    client.close(CLOSED);
                }
                channel.close().addListener(closed -> loop.shutdownGracefully(0, 0, TimeUnit.SECONDS));
            });
        } else {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }
}
