package io.dubbomesh.transport.loop;

import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The event loops of an agent. A loop serves the connections that it accepts until they close, and outbound connections
 * are opened on the same loop, so that a request never changes threads.
 */
public final class EventLoops implements AutoCloseable {
    /** Enough for a turn of a busy loop, and for handshakes that are half done to get into the accept queue. */
    private static final long LAST_ACCEPTS_MS = 100;
    /** A client that always finds a way in must not hold up a shutdown. */
    private static final int MAX_LAST_ACCEPTS = 10;

    private final Transport transport;
    private final MultiThreadIoEventLoopGroup group;
    private final List<EventLoop> loops = new ArrayList<>();
    private final AtomicIntegerArray connections;
    /** One for all connections. */
    private final ChannelFutureListener removal = closed -> remove(closed.channel());

    public EventLoops(String name, int threads, Transport transport) {
        this.transport = transport;
        connections = new AtomicIntegerArray(threads);
        group = new MultiThreadIoEventLoopGroup(
                threads,
                new ThreadPerTaskExecutor(new DefaultThreadFactory(name)),
                new FewestConnectionsFirst(),
                transport.ioHandlerFactory());
        for (EventExecutor executor : group) {
            loops.add((EventLoop) executor);
        }
    }

    /** Returns the loops in a fixed order; what belongs to a loop is found by its index. */
    public List<EventLoop> loops() {
        return loops;
    }

    /** Returns the index of a loop. */
    public int indexOf(EventLoop loop) {
        return loops.indexOf(loop);
    }

    /** Listens and accepts, see {@link #bind}. */
    public Channel listen(InetSocketAddress address, SocketSettings settings, ChannelHandler handler)
            throws ListenException {
        Channel listener = bind(address, settings, handler);
        accept(listener);
        return listener;
    }

    /**
     * Listens; connections wait until {@link #accept} is called. Every accepted one goes to the loop with the fewest of
     * them.
     *
     * @param handler is asked once for each connection, on its loop; sharable
     * @throws ListenException if the address cannot be had
     */
    public Channel bind(InetSocketAddress address, SocketSettings settings, ChannelHandler handler)
            throws ListenException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(transport.serverChannel())
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(handler);
        settings.applyToListener(bootstrap, transport);
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        remove(bound.channel());
        if (!bound.isSuccess()) {
            throw new ListenException(address, bound.cause());
        }
        return bound.channel();
    }

    /** Accepts the connections of a listener from now on, and those that wait. */
    public static void accept(Channel listener) {
        listener.config().setAutoRead(true);
    }

    /**
     * Stops listening. With epoll every connection that is established is still accepted; with other transports those
     * in the accept queue are reset. Waits until done.
     */
    public void stopListening(Channel listener) {
        LastAccepts accepts = transport == Transport.EPOLL ? LastAccepts.begin(listener) : null;
        listener.eventLoop().execute(() -> closeWhenQuiet(listener, accepts, MAX_LAST_ACCEPTS));
        listener.closeFuture().awaitUninterruptibly();
    }

    /** Closes the listener after an interval in which nothing was accepted, or after so many of them. */
    private static void closeWhenQuiet(Channel listener, LastAccepts accepts, int intervals) {
        if (accepts == null || intervals == 0) {
            listener.close();
            return;
        }
        accepts.pollAccepted();
        listener.eventLoop()
                .schedule(
                        () -> closeWhenQuiet(listener, accepts, accepts.pollAccepted() ? intervals - 1 : 0),
                        LAST_ACCEPTS_MS,
                        TimeUnit.MILLISECONDS);
    }

    /** Opens a connection on {@code loop}; its handler is told of success by {@code channelActive}. */
    public ChannelFuture connect(
            EventLoop loop, InetSocketAddress address, SocketSettings settings, ChannelHandler handler) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.socketChannel())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .handler(handler);
        settings.applyToConnection(bootstrap, transport);
        return bootstrap.connect(address);
    }

    /** Called for every accepted connection: counts one less for its loop when it closes. */
    public void removeWhenClosed(Channel channel) {
        channel.closeFuture().addListener(removal);
    }

    private void remove(Channel channel) {
        connections.decrementAndGet(indexOf(channel.eventLoop()));
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    private final class FewestConnectionsFirst implements EventExecutorChooserFactory {
        @Override
        public EventExecutorChooser newChooser(EventExecutor[] executors) {
            return new EventExecutorChooser() {
                private int last;

                @Override
                public synchronized EventExecutor next() {
                    // Starts behind the last winner, so that ties go round.
                    int best = (last + 1) % executors.length;
                    for (int i = 0; i < executors.length; i++) {
                        int candidate = (last + 1 + i) % executors.length;
                        if (connections.get(candidate) < connections.get(best)) {
                            best = candidate;
                        }
                    }
                    last = best;
                    connections.incrementAndGet(best);
                    return executors[best];
                }
            };
        }
    }
}
