package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.HostPort;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionPrefaceAndSettingsFrameWrittenEvent;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection of HTTP/2 to a member, on an event loop of its own; opened by the first call, and not opened again. It
 * sends no PING, since etcd ends a connection on which a client pings more often than it allows: that a peer is dead
 * shows by a call without an answer. An agent that watches, or holds a lease, makes one every few seconds; where no
 * calls are made, the connection may have ended long before the next one.
 */
final class GrpcConnection implements AutoCloseable {
    private static final AsciiString SCHEME_HTTP = AsciiString.cached("http");
    private static final AsciiString SCHEME_HTTPS = AsciiString.cached("https");
    private static final AsciiString POST = AsciiString.cached("POST");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");
    private static final AsciiString TE = AsciiString.cached("te");
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");
    /** A member without a leader refuses at once instead of letting the request wait. */
    private static final AsciiString HAS_LEADER = AsciiString.cached("hasleader");

    private static final AsciiString TRUE = AsciiString.cached("true");
    private static final AsciiString TOKEN = AsciiString.cached("token");

    private final EtcdPeer peer;
    private final ChannelFactory<? extends Channel> channels;
    private final AsciiString authority;
    /** Null before the first call, and when closed. */
    private EventLoopGroup loop;
    /** Succeeds when calls can be sent. Null before the first call; failed once closed. */
    private Promise<ChannelHandlerContext> ready;

    private Channel channel;

    /** A call that has been started; any thread may use it. */
    interface Started {
        /** Sends another message of the call, unless it has ended. */
        void send(byte[] message);

        /** Ends the client's side of the call: no message is sent after it. */
        void finish();
    }

    GrpcConnection(EtcdPeer peer) {
        this(peer, NioSocketChannel::new);
    }

    GrpcConnection(EtcdPeer peer, ChannelFactory<? extends Channel> channels) {
        this.peer = peer;
        this.channels = channels;
        this.authority = AsciiString.of(new HostPort(peer.host(), peer.address().port()).toString());
    }

    /**
     * Starts a call; its receiver is called on the event loop, or by the caller if the connection is closed.
     *
     * @param token of a user; null for none
     * @param only  whether no other message is sent
     */
    Started call(String path, String token, byte[] message, boolean only, GrpcCall.Receiver receiver) {
        GrpcCall call = new GrpcCall(receiver);
        Http2Headers headers = headers(path, token);
        Stream stream = new Stream();
        whenReady(ctx -> stream.open(ctx, call, headers, message, only), call::end);
        return stream;
    }

    /** The stream of a call. */
    private final class Stream implements Started {
        /** 0 before it is opened. Belongs to the event loop. */
        private int number;

        void open(ChannelHandlerContext ctx, GrpcCall call, Http2Headers headers, byte[] message, boolean only) {
            number = ((GrpcStreams) ctx.handler()).start(ctx, call, headers, message, only);
        }

        @Override
        public void send(byte[] message) {
            whenReady(ctx -> ((GrpcStreams) ctx.handler()).send(ctx, number, message, false), ended -> {});
        }

        @Override
        public void finish() {
            whenReady(ctx -> ((GrpcStreams) ctx.handler()).finish(ctx, number), ended -> {});
        }
    }

    private Http2Headers headers(String path, String token) {
        Http2Headers headers = new DefaultHttp2Headers(false)
                .method(POST)
                .scheme(peer.tls() == null ? SCHEME_HTTP : SCHEME_HTTPS)
                .authority(authority)
                .path(path)
                .set(CONTENT_TYPE, GRPC)
                .set(TE, TRAILERS)
                .set(HAS_LEADER, TRUE);
        return token == null ? headers : headers.set(TOKEN, token);
    }

    /**
     * Runs the task with the streams when calls can be sent. The lock is held so that the event loop accepts the task
     * before {@link #close} ends it.
     */
    private synchronized void whenReady(Consumer<ChannelHandlerContext> task, Consumer<GrpcException> failure) {
        if (ready == null) {
            loop = new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("registry-etcd", true), NioIoHandler.newFactory());
            ready = loop.next().newPromise();
            connect();
        }
        Promise<ChannelHandlerContext> streams = ready;
        streams.addListener(done -> {
            if (done.isSuccess()) {
                task.accept(streams.getNow());
            } else {
                failure.accept((GrpcException) done.cause());
            }
        });
    }

    private void connect() {
        ChannelFuture connected = new Bootstrap()
                .group(loop)
                .channelFactory(channels)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, peer.connectTimeoutMs())
                .option(ChannelOption.TCP_NODELAY, true)
                // A few messages a minute are not worth an arena.
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        initialize(opened);
                    }
                })
                .connect(new InetSocketAddress(
                        peer.address().host(), peer.address().port()));
        channel = connected.channel();
        connected.addListener(done -> {
            if (!done.isSuccess()) {
                fail(done.cause());
            }
        });
    }

    private void initialize(Channel opened) {
        if (peer.tls() == null) {
            opened.pipeline().addLast(GrpcStreams.create());
        } else {
            SslHandler tls = peer.tls()
                    .newHandler(opened.alloc(), peer.host(), peer.address().port());
            // The caller's timeout bounds it, which grows on a machine that is short of CPU time.
            tls.setHandshakeTimeoutMillis(0);
            opened.pipeline().addLast(tls);
        }
        opened.pipeline().addLast(new Events());
    }

    private void fail(Throwable cause) {
        ready.tryFailure(cause instanceof GrpcException ? cause : GrpcException.ofConnection(cause));
    }

    /** The end of the pipeline: what concerns the connection and not one of its streams. */
    private final class Events extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Http2Exception {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                negotiated(ctx, handshake);
            } else if (event instanceof Http2ConnectionPrefaceAndSettingsFrameWrittenEvent) {
                ChannelHandlerContext streams = ctx.pipeline().context(GrpcStreams.class);
                ((GrpcStreams) streams.handler()).widen(streams);
                ready.trySuccess(streams);
            }
        }

        private void negotiated(ChannelHandlerContext ctx, SslHandshakeCompletionEvent handshake) {
            String protocol = ctx.pipeline().get(SslHandler.class).applicationProtocol();
            if (!handshake.isSuccess()) {
                fail(handshake.cause());
                ctx.close();
            } else if (!ApplicationProtocolNames.HTTP_2.equals(protocol)) {
                fail(new GrpcException(GrpcStatus.UNAVAILABLE, "TLS negotiated " + protocol + " (expected: h2)"));
                ctx.close();
            } else {
                ctx.pipeline().addBefore(ctx.name(), null, GrpcStreams.create());
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            fail(new GrpcException(GrpcStatus.UNAVAILABLE, "etcd closed the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            GrpcStreams streams = ctx.pipeline().get(GrpcStreams.class);
            if (streams != null) {
                streams.endsBecause(cause);
            }
            fail(cause);
            ctx.close();
        }
    }

    /** Ends every call that has not ended; one that is started later fails. */
    @Override
    public synchronized void close() {
        GrpcException closed = new GrpcException(GrpcStatus.UNAVAILABLE, "closed");
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
            channel.close().addListener(closed -> loop.shutdownGracefully(0, 0, TimeUnit.SECONDS));
        } else {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }
}
