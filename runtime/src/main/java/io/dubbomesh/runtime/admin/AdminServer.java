package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.process.StartException;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Ticker;

import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * HTTP for operators, on a port of its own: GET {@code /healthz} tells that the process is running, GET {@code /readyz}
 * whether calls should be sent to it, GET {@code /} shows both agents' operators all of it; {@link #handle} adds a
 * page, {@link #api} is the interface for programs.
 *
 * <p>An event loop of its own reads requests and writes answers, so that no thread waits for a client; a few threads
 * answer what may block. All are daemons.
 */
public final class AdminServer implements AutoCloseable {
    private static final int THREADS = 8;
    /** The bound of requests that wait for one of the threads; fewer requests are served than there are connections. */
    private static final int MAX_WAITING_REQUESTS = 64;

    private static final int IDLE_THREAD_SECONDS = 10;
    /** Many may connect at once, and a probe must not have to send its SYN again. */
    private static final int BACKLOG = 1024;

    private final MultiThreadIoEventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("admin-loop", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final ThreadPoolExecutor threads = threads("admin", THREADS, MAX_WAITING_REQUESTS);
    private final ThreadPoolExecutor probeThread = threads("admin-probe", 1, 1);
    private final AdminConnections connections;
    private final ChannelGroup channels = new DefaultChannelGroup(loop, true);
    private final AdminApi api;
    private final AdminPages pages;
    private Channel listener;

    private AdminServer(AdminSettings settings, boolean isLoopback, Supplier<Readiness> readiness, Ticker ticker) {
        connections = new AdminConnections(loop, ticker);
        api = new AdminApi(settings.changes());
        new ProcessApi(settings.effective()).addTo(api);
        pages = new AdminPages(isLoopback, api, new Probes(readiness, probeThread), threads);
        handle(LivePage.PATH, new LivePage());
    }

    private static ThreadPoolExecutor threads(String name, int count, int waiting) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(waiting),
                new DefaultThreadFactory(name, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Listens and accepts, see {@link #bind}. */
    public static AdminServer start(AdminSettings settings, Supplier<Readiness> readiness) throws StartException {
        return start(settings, readiness, Ticker.systemTicker());
    }

    /** Listens and accepts, with the timeouts of its connections in the time of {@code ticker}. */
    static AdminServer start(AdminSettings settings, Supplier<Readiness> readiness, Ticker ticker)
            throws StartException {
        AdminServer server = bind(settings, readiness, ticker);
        server.accept();
        return server;
    }

    /**
     * Listens; connections wait until {@link #accept} is called.
     *
     * @param readiness asked on a thread of this server, and may block
     */
    public static AdminServer bind(AdminSettings settings, Supplier<Readiness> readiness) throws StartException {
        return bind(settings, readiness, Ticker.systemTicker());
    }

    private static AdminServer bind(AdminSettings settings, Supplier<Readiness> readiness, Ticker ticker)
            throws StartException {
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        if (address.isUnresolved()) {
            throw new StartException("admin.host: " + settings.host() + " (unknown host)", null);
        }
        AdminServer server = new AdminServer(settings, address.getAddress().isLoopbackAddress(), readiness, ticker);
        ChannelFuture bound = server.bind(address);
        if (!bound.isSuccess()) {
            server.close();
            throw StartException.cannotListen("admin", settings.host(), settings.port(), bound.cause());
        }
        return server;
    }

    private ChannelFuture bind(InetSocketAddress address) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                // Few and small requests: they keep none of the event loops' memory.
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channels.add(channel);
                        channel.pipeline().addLast(new HttpServerCodec(), new AdminConnection(connections, pages));
                    }
                });
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        listener = bound.channel();
        return bound;
    }

    /** Accepts connections from now on, and those that wait. */
    public void accept() {
        listener.config().setAutoRead(true);
    }

    /** Adds a page: GET of exactly this path. */
    public void handle(String path, Page page) {
        pages.add(path, page);
    }

    /** Returns the JSON below {@code /api/v1/}, to which each agent adds its own. */
    public AdminApi api() {
        return api;
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Stops listening and closes the connections. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        channels.close().awaitUninterruptibly();
        threads.shutdown();
        probeThread.shutdown();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
