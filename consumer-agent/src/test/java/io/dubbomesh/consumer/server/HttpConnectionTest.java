package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class HttpConnectionTest {
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    private static final HttpSettings.Timeouts TIMEOUTS = new HttpSettings.Timeouts(
            SECONDS.toNanos(5),
            SECONDS.toNanos(10),
            500,
            SECONDS.toNanos(60),
            SECONDS.toNanos(30),
            500,
            SECONDS.toNanos(30),
            SECONDS.toNanos(15));
    private static final String EXPECTING = HttpSocket.request("POST /", "x".repeat(100 << 10), "Expect: 100-continue");
    private static final int BODY = EXPECTING.indexOf("\r\n\r\n") + 4;
    /** The bytes of a part of a body that take ten seconds more, at 500 bytes a second. */
    private static final int PART_OF_BODY = 5000;
    /** More than large requests may have of the budget. */
    private static final int ROOM_OF_OTHERS = 600 << 10;

    private static final int CLIENTS = 40;

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final BlockingQueue<Responder> requests = new LinkedBlockingQueue<>();
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final EventLoop loop = loops.loops().get(0);
    private final MemoryBudget memory = new MemoryBudget(1 << 20);
    private final AtomicInteger bytesRead = new AtomicInteger();
    private volatile HttpConnection connection;

    /** Leaves requests to the test, and fails at {@code /fail}. */
    private final class Handler extends PlainHandler {
        @Override
        public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs) {
            if (request.target().getByte(1) == 'f') {
                throw new AssertionError("for the test");
            }
            requests.add(responder);
        }
    }

    @AfterEach
    void close() {
        loops.close();
        response.close();
    }

    @Test
    void whatFailsBehindAResponseEndsTheConnectionAndNotWhoeverResponds() throws Exception {
        try (HttpSocket client = connect(1)) {
            client.send(HttpSocket.request("GET /", "") + HttpSocket.request("GET /fail", ""));
            Responder first = Await.next(requests, "the first request");

            loop.submit(() -> first.respond(response.accepted())).sync();
            client.assertEnd();
        }
    }

    @Test
    void anAnswerBeginsNoRequestBeforeItIsGiven() throws Exception {
        try (HttpSocket client = connect(1)) {
            client.send(HttpSocket.request("GET /", "") + HttpSocket.request("GET /", ""));
            Responder first = Await.next(requests, "the first request");

            assertThat(loop.submit(() -> {
                                first.respond(response.accepted());
                                return requests.size();
                            })
                            .sync()
                            .getNow())
                    .isZero();
            Responder second = Await.next(requests, "the second request");
            loop.submit(() -> second.respond(response.accepted())).sync();
            assertThat(client.answerHead().status()).isEqualTo(202);
            assertThat(client.answerHead().status()).isEqualTo(202);
        }
    }

    /** Checks all in steps, as {@link HttpLoop} does, while any of them close, some twice. */
    @Test
    void aConnectionThatClosesDuringACheckHidesNoOtherFromIt() {
        HttpLoop http = newLoop(1);
        Random random = new Random(1);
        for (int count = 1; count <= 40; count++) {
            OpenConnections open = new OpenConnections();
            List<HttpConnection> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add((HttpConnection) http.newConnection(null));
                open.add(all.get(i));
            }
            Set<HttpConnection> closed = new HashSet<>();
            Set<HttpConnection> checked = new HashSet<>();
            for (int unchecked = open.size(); unchecked > 0; unchecked = Math.min(unchecked, open.size())) {
                checked.add(open.at(--unchecked));
                HttpConnection closing = all.get(random.nextInt(count));
                closed.add(closing);
                open.remove(closing);
            }

            checked.addAll(closed);
            assertThat(checked).containsExactlyInAnyOrderElementsOf(all);
            assertThat(open.size()).isEqualTo(count - closed.size());
            assertThat(open.allMatch(closed::contains)).isEqualTo(closed.size() == count);
        }
    }

    private HttpLoop newLoop(int maxPipelined) {
        HttpSettings settings =
                new HttpSettings(HttpLimits.DEFAULTS, 16, 16, maxPipelined, TIMEOUTS, null, "docs/errors.md");
        return new HttpLoop(loop, settings, CLIENTS, new Turn(loop, memory), new Handler(), response);
    }

    private HttpSocket connect(int maxPipelined) throws Exception {
        return new HttpSocket(listen(maxPipelined));
    }

    /** Returns the port of a new loop's connections. */
    private int listen(int maxPipelined) throws Exception {
        HttpLoop http = newLoop(maxPipelined);
        Channel listener = loops.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connection = (HttpConnection) http.newConnection(null);
                        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                int bytes = ((ByteBuf) message).readableBytes();
                                ctx.fireChannelRead(message);
                                bytesRead.addAndGet(bytes);
                            }
                        });
                        channel.pipeline().addLast(connection);
                    }
                });
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** More connections than are read before any of them is parsed, some with a part of a request only. */
    @Test
    void connectionsThatAreReadInOneTurnAreAllServed() throws Exception {
        int port = listen(1);
        String request = HttpSocket.request("POST /", "x".repeat(20));
        List<HttpSocket> clients = new ArrayList<>();
        CountDownLatch sent = new CountDownLatch(1);
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new HttpSocket(port));
            }
            loop.submit(() -> {
                sent.await();
                return null;
            });
            for (int i = 0; i < CLIENTS; i++) {
                clients.get(i).send(i % 5 == 0 ? request.substring(0, request.length() - 1 - i) : request);
            }
            sent.countDown();
            respondTo(CLIENTS - CLIENTS / 5);
            for (int i = 0; i < CLIENTS; i += 5) {
                clients.get(i).send(request.substring(request.length() - 1 - i));
            }
            respondTo(CLIENTS / 5);
            for (HttpSocket client : clients) {
                assertThat(client.answerHead().status()).isEqualTo(202);
            }
        } finally {
            for (HttpSocket client : clients) {
                client.close();
            }
        }
    }

    private void respondTo(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Responder responder = Await.next(requests, "request " + i);
            loop.submit(() -> responder.respond(response.accepted())).sync();
        }
    }

    @Test
    void theTimeForABodyGrowsWithWhatComesOfIt() throws Exception {
        String request = HttpSocket.request("POST /", "x".repeat(2 * PART_OF_BODY));
        int bodyOffset = request.indexOf("\r\n\r\n") + 4;
        try (HttpSocket client = connect(1)) {
            sendAndAwaitRead(client, request.substring(0, bodyOffset + PART_OF_BODY));
            checkTimeoutIn(19);
            client.send(request.substring(bodyOffset + PART_OF_BODY));
            Responder whole = Await.next(requests, "the request");
            loop.submit(() -> whole.respond(response.accepted())).sync();
            assertThat(client.answer().status()).isEqualTo(202);
        }
        for (int more : new int[] {PART_OF_BODY, 1}) {
            try (HttpSocket client = connect(1)) {
                sendAndAwaitRead(client, request.substring(0, bodyOffset + more));
                checkTimeoutIn(more == 1 ? 11 : 21);
                assertThat(client.answer().status()).isEqualTo(408);
            }
        }
    }

    private void sendAndAwaitRead(HttpSocket client, String text) throws Exception {
        bytesRead.set(0);
        client.send(text);
        Await.until("all is read", () -> bytesRead.get() == text.length());
    }

    private void checkTimeoutIn(int seconds) throws Exception {
        loop.submit(() -> connection.checkTimeout(System.nanoTime() + SECONDS.toNanos(seconds)))
                .sync();
    }

    /** A request, and behind it the head of a large one for which there is no room. */
    private Responder sendAndAwaitRoom(HttpSocket client) throws Exception {
        loop.submit(() -> memory.add(Use.LARGE_REQUESTS, ROOM_OF_OTHERS)).sync();
        client.send(HttpSocket.request("GET /", "") + EXPECTING.substring(0, BODY));
        Responder first = Await.next(requests, "the first request");
        Await.until(
                "the second waits for room",
                () -> loop.submit(() -> memory.used(Use.WAITING_REQUESTS) > 0).get());
        return first;
    }

    @Test
    void theBodyIsAskedForWhenAnEarlierAnswerFindsRoomForIt() throws Exception {
        try (HttpSocket client = connect(16)) {
            Responder first = sendAndAwaitRoom(client);
            loop.submit(() -> {
                        memory.release(Use.LARGE_REQUESTS, ROOM_OF_OTHERS);
                        first.respond(response.accepted());
                    })
                    .sync();
            assertThat(client.answer().status()).isEqualTo(202);
            assertThat(client.answer().status()).isEqualTo(100);

            client.send(EXPECTING.substring(BODY));
            Responder second = Await.next(requests, "the second request");
            loop.submit(() -> second.respond(response.accepted())).sync();
            assertThat(client.answer().status()).isEqualTo(202);
        }
    }

    /** The second of three requests is one whose client leaves with the end of its output. */
    @Test
    void theEndOfTheOutputCancelsNoOtherRequest() throws Exception {
        try (HttpSocket client = connect(16)) {
            client.send(HttpSocket.request("GET /", "").repeat(3));
            Responder first = Await.next(requests, "the first request");
            Responder second = Await.next(requests, "the second request");
            Responder third = Await.next(requests, "the third request");
            CountDownLatch cancelled = new CountDownLatch(1);
            loop.submit(() -> {
                        second.leavesWithInput();
                        second.onCancel(cancelled::countDown);
                    })
                    .sync();

            client.endOutput();
            assertThat(cancelled.await(20, SECONDS)).isTrue();
            loop.submit(() -> third.respond(response.problem(Outcome.NOT_FOUND, "third")))
                    .sync();
            loop.submit(() -> first.respond(response.problem(Outcome.TIMEOUT, "first")))
                    .sync();

            assertThat(client.answer().status()).isEqualTo(504);
            assertThat(client.answerHead().status()).isEqualTo(202);
            assertThat(client.answer().status()).isEqualTo(404);
            client.assertEnd();
        }
    }

    /** An answer that was given in the same turn is on its way. */
    @Test
    void theEndOfTheOutputDropsNoAnswer() throws Exception {
        try (HttpSocket client = connect(16)) {
            client.send(HttpSocket.request("GET /", "").repeat(2));
            Responder first = Await.next(requests, "the first request");
            Responder second = Await.next(requests, "the second request");

            loop.submit(() -> {
                        second.leavesWithInput();
                        first.respond(response.problem(Outcome.TIMEOUT, "first"));
                        connection.userEventTriggered(null, ChannelInputShutdownEvent.INSTANCE);
                    })
                    .sync();

            assertThat(client.answer().status()).isEqualTo(504);
            // No other answer comes behind that to the second one.
            client.assertEnd();
        }
    }
}
