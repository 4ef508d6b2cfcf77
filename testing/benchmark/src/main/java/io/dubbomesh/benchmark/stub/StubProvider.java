package io.dubbomesh.benchmark.stub;

import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/**
 * Stands in for a Dubbo provider of {@code hash(String)} where a real one would cost more than the agents that are
 * measured: it speaks Dubbo or Triple, and Hessian 2, with one thread and an exact delay instead of a pool of sleeping
 * threads.
 */
public final class StubProvider implements AutoCloseable {
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 1024, 0, 0, 64 * 1024, 256 * 1024, 1024 * 1024, 0);

    private final EventLoops loops;
    private final Channel listener;
    private final StubService service;
    private final StubAdmin admin;

    private StubProvider(EventLoops loops, Channel listener, StubService service, int adminPort) throws IOException {
        this.loops = loops;
        this.listener = listener;
        this.service = service;
        admin = adminPort < 0 ? null : StubAdmin.start(this, adminPort);
    }

    public static void main(String[] args) {
        // Otherwise Netty waits in whole milliseconds if a timer is more than ten away.
        System.setProperty("io.netty.channel.epoll.epollWaitThreshold", "0");
        try {
            StubSettings settings = StubSettings.from(System::getProperty);
            StubProvider provider = start(settings);
            System.out.printf(
                    "stub provider: listening on %s:%d, %s ms a call%n",
                    settings.host(), provider.port(), settings.behaviour().delayNs() / 1e6);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                System.out.println("stub provider: " + provider.report());
                provider.close();
            }));
        } catch (IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static StubProvider start(StubSettings settings) throws IOException {
        EventLoops loops = new EventLoops("stub", 1, Transport.of(settings.transport()));
        EventLoop loop = loops.loops().get(0);
        CallsFile calls = settings.callsFile() == null ? null : new CallsFile(settings.callsFile());
        StubService service = new StubService(loop, settings.behaviour(), calls);
        Turn turn = new Turn(loop);
        HashCall call = new HashCall();
        try {
            Channel listener = loops.listen(
                    new InetSocketAddress(settings.host(), settings.port()), SOCKETS, new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            if (settings.triple()) {
                                TripleStubConnection.addTo(channel.pipeline(), service, turn, call);
                            } else {
                                channel.pipeline().addLast(new StubConnection(service, turn, call));
                            }
                        }
                    });
            return new StubProvider(loops, listener, service, settings.adminPort());
        } catch (IOException e) {
            loops.close();
            throw e;
        }
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Returns the port of its admin server, which must have been wanted. */
    int adminPort() {
        return admin.port();
    }

    /** Returns when the change is made. */
    void change(UnaryOperator<StubBehaviour> change) {
        listener.eventLoop()
                .submit(() -> service.change(change.apply(service.behaviour())))
                .syncUninterruptibly();
    }

    StubBehaviour behaviour() {
        return listener.eventLoop()
                .submit(service::behaviour)
                .awaitUninterruptibly()
                .getNow();
    }

    /** Returns the number of answered and refused calls, for a person to read. */
    String report() {
        return listener.eventLoop()
                .submit(service::report)
                .awaitUninterruptibly()
                .getNow();
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close();
        }
        loops.close();
    }
}
