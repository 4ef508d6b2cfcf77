package io.dubbomesh.transport.loop;

import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class EventLoopsTest {
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, true, true, 128, 0, 0, 4096, 32 * 1024, 64 * 1024, 1000);

    private final BlockingQueue<Integer> loopOfAccepted = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"auto", "epoll", "nio"})
    void connectionsAreSpreadOverTheLoopsByHowManyEachHas(String transport) throws Exception {
        try (EventLoops loops = new EventLoops("test", 3, Transport.of(transport))) {
            Channel listener = listen(loops);
            List<Socket> sockets = new ArrayList<>();
            List<Integer> loopOfSocket = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                sockets.add(connect(listener));
                loopOfSocket.add(nextLoop());
            }
            assertThat(loopOfSocket).containsExactlyInAnyOrder(0, 0, 0, 1, 1, 1, 2, 2, 2);
            int emptied = loopOfSocket.get(0);
            for (int i = 0; i < 9; i++) {
                if (loopOfSocket.get(i) == emptied) {
                    sockets.get(i).close();
                    assertThat(nextLoop()).as("the loop of the closed one").isEqualTo(emptied);
                }
            }
            sockets.add(connect(listener));
            assertThat(nextLoop()).isEqualTo(emptied);
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void anAddressInUseIsNamed(String transport) throws Exception {
        try (EventLoops loops = new EventLoops("test", 1, Transport.of(transport))) {
            Channel listener = listen(loops);
            InetSocketAddress taken = (InetSocketAddress) listener.localAddress();

            assertThatThrownBy(() -> loops.listen(taken, SOCKETS, new Accepted(loops)))
                    .isInstanceOf(ListenException.class)
                    .hasMessageContaining(":" + taken.getPort())
                    .hasMessageContaining("in use");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void connectionsToABoundPortWaitUntilTheyAreAccepted(String transport) throws Exception {
        try (EventLoops loops = new EventLoops("test", 1, Transport.of(transport))) {
            Channel listener = loops.bind(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new Accepted(loops));
            try (Socket first = connect(listener);
                    Socket second = connect(listener)) {
                assertThat(loopOfAccepted.poll(50, TimeUnit.MILLISECONDS))
                        .as("of %s and %s", first, second)
                        .isNull();
                EventLoops.accept(listener);
                assertThat(nextLoop()).isNotNull();
                assertThat(nextLoop()).isNotNull();
            }
        }
    }

    @Test
    void theSystemEndsAConnectionWhosePeerTakesNothingForTheUserTimeout() throws Exception {
        try (EventLoops loops = new EventLoops("test", 1, Transport.EPOLL);
                ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CountDownLatch ended = new CountDownLatch(2);
            SocketSettings impatient = SOCKETS.withUserTimeoutMs(300);
            ChannelHandler flood = new Flood(ended);
            Channel listener =
                    loops.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), impatient, flood);
            loops.connect(loops.loops().get(0), (InetSocketAddress) silent.getLocalSocketAddress(), impatient, flood);

            try (Socket accepted = connect(listener);
                    Socket connected = silent.accept()) {
                assertThat(ended.await(20, TimeUnit.SECONDS))
                        .as("%s and %s are ended by the other side", accepted, connected)
                        .isTrue();
            }
        }
    }

    /** Writes more than the sockets hold. */
    @ChannelHandler.Sharable
    private static final class Flood extends ChannelInboundHandlerAdapter {
        private final CountDownLatch ended;

        Flood(CountDownLatch ended) {
            this.ended = ended;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(ctx.alloc().directBuffer(32 << 20).writeZero(32 << 20));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ended.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void connectionsOfALoopReadIntoOneBufferUnlessAHandlerKeepsIt(String transport) throws Exception {
        BlockingQueue<ByteBuf> reads = new LinkedBlockingQueue<>();
        try (EventLoops loops = new EventLoops("test", 1, Transport.of(transport))) {
            Channel listener = loops.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelRead(ChannelHandlerContext ctx, Object message) {
                                    ByteBuf in = (ByteBuf) message;
                                    reads.add(in);
                                    if (in.getByte(0) != 'k') {
                                        in.release();
                                    }
                                }
                            });
                        }
                    });
            try (Socket one = connect(listener);
                    Socket other = connect(listener)) {
                ByteBuf first = read(one, 'a', reads);
                assertThat(read(other, 'b', reads)).isSameAs(first);

                ByteBuf kept = read(one, 'k', reads);
                assertThat(kept).isSameAs(first);
                assertThat(read(other, 'c', reads)).isNotSameAs(kept);
                assertThat(kept.getByte(0)).isEqualTo((byte) 'k');
                kept.release();
                assertThat(read(other, 'd', reads)).isSameAs(first);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void clientsThatComeAtOnceAreAcceptedInOneTurn(String transport) throws Exception {
        try (EventLoops loops = new EventLoops("test", 1, Transport.of(transport))) {
            Channel listener = listen(loops);
            BlockingQueue<Integer> acceptedInTurns = new LinkedBlockingQueue<>();
            listener.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                private int accepted;

                @Override
                public void channelRead(ChannelHandlerContext ctx, Object message) {
                    accepted++;
                    ctx.fireChannelRead(message);
                }

                @Override
                public void channelReadComplete(ChannelHandlerContext ctx) {
                    acceptedInTurns.add(accepted);
                    accepted = 0;
                    ctx.fireChannelReadComplete();
                }
            });
            CountDownLatch connected = new CountDownLatch(1);
            Future<?> busy = keepBusy(listener, connected);
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sockets.add(connect(listener));
            }
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            while (established(port) < sockets.size()) {
                // The last packet of a handshake may still be on its way.
                Thread.onSpinWait();
            }
            connected.countDown();
            busy.get();
            assertThat(acceptedInTurns.take()).isEqualTo(10);
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** The connections of a listening port that the system has completed, accepted or not. */
    private static long established(int port) throws IOException {
        String local = String.format(":%04X", port);
        long count = 0;
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            count += Files.readAllLines(Path.of(table)).stream()
                    .map(line -> line.strip().split(" +"))
                    .filter(fields -> fields[1].endsWith(local) && fields[3].equals("01"))
                    .count();
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "::"})
    void whoeverIsConnectedWhenListeningStopsIsServed(String host) throws Exception {
        try (EventLoops loops = new EventLoops("test", 1, Transport.of("epoll"))) {
            Channel listener = loops.listen(new InetSocketAddress(host, 0), SOCKETS, new Echo());
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            InetSocketAddress address = new InetSocketAddress(host.equals("::") ? "127.0.0.1" : host, port);
            // Loading classes on a busy machine takes longer than the time that is left for the last accepts.
            try (Socket first = new Socket(address.getAddress(), port)) {
                first.getOutputStream().write(1);
                assertThat(first.getInputStream().read()).isEqualTo(1);
            }
            CountDownLatch connected = new CountDownLatch(1);
            Future<?> busy = keepBusy(listener, connected);
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                sockets.add(new Socket(address.getAddress(), port));
                sockets.get(i).getOutputStream().write(i);
            }
            Thread stopping = new Thread(() -> loops.stopListening(listener));
            stopping.start();
            while (stopping.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            try (Socket late = new Socket()) {
                assertThatThrownBy(() -> late.connect(address, 150))
                        .as("neither accepted nor refused")
                        .isInstanceOf(SocketTimeoutException.class);
            }

            connected.countDown();
            stopping.join();
            busy.get();
            assertThatThrownBy(() -> new Socket(address.getAddress(), port)).isInstanceOf(ConnectException.class);
            for (int i = 0; i < 100; i++) {
                assertThat(sockets.get(i).getInputStream().read()).isEqualTo(i);
                sockets.get(i).close();
            }
        }
    }

    private static ByteBuf read(Socket socket, char letter, BlockingQueue<ByteBuf> reads) throws Exception {
        socket.getOutputStream().write(letter);
        return reads.poll(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "EPOLL2", ""})
    void anUnknownTransportIsRefusedWithTheKnownOnes(String name) {
        assertThatThrownBy(() -> Transport.of(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(name + " (expected: auto, epoll, io_uring, nio)");
    }

    private Channel listen(EventLoops loops) throws ListenException {
        return loops.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new Accepted(loops));
    }

    private static Socket connect(Channel listener) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), ((InetSocketAddress) listener.localAddress()).getPort());
    }

    private Integer nextLoop() throws InterruptedException {
        return loopOfAccepted.poll(10, TimeUnit.SECONDS);
    }

    /** Sends back what it gets. */
    @ChannelHandler.Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    /** Reports the loop of each connection when it opens and when it closes. */
    @ChannelHandler.Sharable
    private final class Accepted extends ChannelInitializer<Channel> {
        private final EventLoops loops;

        Accepted(EventLoops loops) {
            this.loops = loops;
        }

        @Override
        protected void initChannel(Channel channel) {
            loops.removeWhenClosed(channel);
            int loop = loops.indexOf(channel.eventLoop());
            loopOfAccepted.add(loop);
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelInactive(ChannelHandlerContext ctx) {
                    ctx.executor().execute(() -> loopOfAccepted.add(loop));
                }
            });
        }
    }

    /** Returns when the listener's loop waits for the latch: what comes from then on, the loop sees in one turn. */
    private static Future<?> keepBusy(Channel listener, CountDownLatch latch) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Future<?> busy = listener.eventLoop().submit(() -> {
            started.countDown();
            return latch.await(10, TimeUnit.SECONDS);
        });
        started.await();
        return busy;
    }
}
