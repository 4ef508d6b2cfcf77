package io.dubbomesh.benchmark.stub;

import io.dubbomesh.transport.loop.BindException;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;

import java.net.InetSocketAddress;

/**
 * Stands in for a Dubbo provider of {@code hash(String)} where a real one would cost more than the agents that are measured: it speaks
 * Dubbo and Hessian 2, with one thread and an exact delay instead of a pool of sleeping threads.
 */
public final class StubProvider implements AutoCloseable {
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 1024, 0, 0, 64 * 1024, 256 * 1024, 1024 * 1024, 0);

    private final EventLoops loops;
    private final Channel listener;
    private final StubService service;

    private StubProvider(EventLoops loops, Channel listener, StubService service) {
        this.loops = loops;
        this.listener = listener;
        this.service = service;
    }

    public static void main(String[] args) {
        // Otherwise Netty waits in whole milliseconds if a timer is more than ten away.
        System.setProperty("io.netty.channel.epoll.epollWaitThreshold", "0");
        try {
            StubSettings settings = StubSettings.from(System::getProperty);
            StubProvider provider = start(settings);
            System.out.printf(
                    "stub provider: listening on %s:%d, %s ms a call%n",
                    settings.host(), provider.port(), settings.delayNs() / 1e6);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                System.out.println("stub provider: " + provider.report());
                provider.close();
            }));
        } catch (IllegalArgumentException | BindException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static StubProvider start(StubSettings settings) throws BindException {
        EventLoops loops = new EventLoops("stub", 1, Transport.of(settings.transport()));
        EventLoop loop = loops.loops().get(0);
        StubService service = new StubService(loop, settings);
        Turn turn = new Turn(loop);
        HashCall call = new HashCall();
        try {
            Channel listener = loops.listen(
                    new InetSocketAddress(settings.host(), settings.port()), SOCKETS, new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new StubConnection(service, turn, call));
                        }
                    });
            return new StubProvider(loops, listener, service);
        } catch (BindException e) {
            loops.close();
            throw e;
        }
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** How many calls were answered and refused, for a person to read. */
    String report() {
        return listener.eventLoop()
                .submit(service::report)
                .awaitUninterruptibly()
                .getNow();
    }

    @Override
    public void close() {
        loops.close();
    }
}
