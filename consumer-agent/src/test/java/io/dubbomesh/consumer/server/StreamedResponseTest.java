package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
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
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class StreamedResponseTest {
    private static final int HIGH_WATER_MARK = 64 * 1024;
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 8 * 1024, 64 * 1024, 32 * 1024, HIGH_WATER_MARK, 1000);
    private static final HttpSettings.Timeouts TIMEOUTS = new HttpSettings.Timeouts(
            SECONDS.toNanos(5),
            SECONDS.toNanos(10),
            500,
            SECONDS.toNanos(60),
            SECONDS.toNanos(30),
            0,
            SECONDS.toNanos(30),
            SECONDS.toNanos(15));
    private static final String REQUEST = HttpSocket.request("POST /", "");
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                    + "X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String END = "2d\r\nevent: end\ndata: {\"status\":200,\"code\":\"OK\"}\n\n\r\n0\r\n\r\n";
    /** The bytes that a source sends without being told to go on, as a stream of HTTP/2 does. */
    private static final int WINDOW = 64 * 1024;

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final BlockingQueue<Responder> requests = new LinkedBlockingQueue<>();
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final EventLoop loop = loops.loops().get(0);
    private final MemoryBudget memory = new MemoryBudget(8 << 20);
    private volatile HttpConnection connection;
    private volatile HttpLoop http;
    private Channel server;

    /** Leaves requests to the test. */
    private final class Handler extends PlainHandler {
        @Override
        public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs) {
            requests.add(responder);
        }
    }

    /** A provider that has messages as fast as it may send them. */
    private final class Provider implements ResponseStream.Source {
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final AtomicLong sent = new AtomicLong();
        private final Responder responder;
        private final ResponseStream stream;
        private final int count;
        private final String filler;
        private long sentUnderWay;
        private boolean blocked;

        Provider(Responder responder, StreamFormat format, int count, int bytes) {
            this.responder = responder;
            this.count = count;
            filler = "x".repeat(bytes);
            stream = responder.stream(format, this);
        }

        void send() {
            int sentNow = 0;
            while (cancelled.getCount() > 0 && sent.get() < count && sentUnderWay < WINDOW && sentNow < WINDOW) {
                ByteBuf message = json("{\"number\":" + sent.getAndIncrement() + ",\"filler\":\"" + filler + "\"}");
                boolean goesOn = stream.write(message, 0, message.readableBytes());
                assertThat(stream.isBlocked()).isEqualTo(!goesOn);
                blocked |= !goesOn;
                sentNow += message.readableBytes();
                if (blocked) {
                    sentUnderWay += message.readableBytes();
                }
                message.release();
            }
            if (cancelled.getCount() > 0 && sent.get() == count && !blocked) {
                responder.respond(response.noContent());
            } else if (!blocked && count > 0) {
                // No more than a window comes with one read.
                loop.execute(this::send);
            }
        }

        @Override
        public void resumed() {
            blocked = false;
            sentUnderWay = 0;
            // A window that opens is answered by bytes later.
            loop.execute(this::send);
        }

        @Override
        public void cancelled() {
            cancelled.countDown();
        }
    }

    /** Reads bytes as they come. */
    private final class Client implements Closeable {
        private final Socket socket = new Socket();
        private final InputStream in;

        Client(int receiveBuffer) throws Exception {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setSoTimeout(30_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
            in = new BufferedInputStream(socket.getInputStream());
        }

        Client send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            return this;
        }

        /** Returns all up to this text, without the date. */
        String readTo(String last) throws IOException {
            StringBuilder read = new StringBuilder();
            while (read.length() < last.length() || read.indexOf(last, read.length() - last.length()) < 0) {
                int b = in.read();
                assertThat(b).as("what follows " + read.length() + " bytes").isNotNegative();
                read.append((char) b);
            }
            return read.toString().replaceFirst("Date: [^\r]*\r\n", "");
        }

        String readAll() throws IOException {
            return new String(in.readAllBytes(), UTF_8).replaceFirst("Date: [^\r]*\r\n", "");
        }

        void leave() throws IOException {
            socket.close();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @AfterEach
    void close() throws Exception {
        loop.submit(() -> {
                    if (http != null) {
                        http.close();
                    }
                })
                .sync();
        Await.until("nothing is counted", () -> loop.submit(() -> memory.used()).get() == 0);
        loops.close();
        response.close();
    }

    private int port() throws Exception {
        if (http == null) {
            HttpSettings settings =
                    new HttpSettings(HttpLimits.DEFAULTS, 2000, 2000, 16, TIMEOUTS, null, "docs/errors.md");
            http = loop.submit(
                            () -> new HttpLoop(loop, settings, 2000, new Turn(loop, memory), new Handler(), response))
                    .get();
            server = loops.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            connection = (HttpConnection) http.newConnection(null);
                            channel.pipeline().addLast(connection);
                        }
                    });
        }
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    private static ByteBuf json(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    private Responder next() throws Exception {
        return Await.next(requests, "the request");
    }

    private void onLoop(Runnable action) throws Exception {
        loop.submit(action).sync();
    }

    private Provider open(StreamFormat format) throws Exception {
        return open(next(), format, 0, 0);
    }

    private Provider open(Responder responder, StreamFormat format, int count, int bytes) throws Exception {
        return loop.submit(() -> new Provider(responder, format, count, bytes)).get();
    }

    private void write(Provider provider, String... messages) throws Exception {
        onLoop(() -> {
            for (String message : messages) {
                provider.stream.write(json(message), 0, message.length());
            }
        });
    }

    private void end(Provider provider) throws Exception {
        onLoop(() -> provider.responder.respond(response.noContent()));
    }

    @Test
    void eachMessageIsAnEventAndLeavesAsItComes() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            write(provider, "{\"a\":1}");
            assertThat(client.readTo("\n\n\r\n")).isEqualTo(HEAD + "f\r\ndata: {\"a\":1}\n\n\r\n");
            write(provider, "2", "3");
            assertThat(client.readTo("3\n\n\r\n")).isEqualTo("9\r\ndata: 2\n\n\r\n9\r\ndata: 3\n\n\r\n");
            end(provider);
            assertThat(client.readTo("0\r\n\r\n")).isEqualTo(END);

            // The connection goes on.
            Provider second = open(send(client), StreamFormat.LINES, 0, 0);
            write(second, "4");
            end(second);
            assertThat(client.readTo("0\r\n\r\n"))
                    .isEqualTo(HEAD.replace("text/event-stream", "application/x-ndjson")
                            + "2\r\n4\n\r\n24\r\n{\"$end\":{\"status\":200,\"code\":\"OK\"}}\n\r\n0\r\n\r\n");
        }
    }

    private Responder send(Client client) throws Exception {
        client.send(REQUEST);
        return next();
    }

    @Test
    void aStreamWithoutMessagesHasAnEnd() throws Exception {
        try (Client client = new Client(0)) {
            end(open(send(client), StreamFormat.EVENTS, 0, 0));
            assertThat(client.readTo("0\r\n\r\n")).isEqualTo(HEAD + END);
        }
    }

    @Test
    void clientsOfHttp10GetTheMessagesUpToTheEndOfTheConnection() throws Exception {
        try (Client client = new Client(0)) {
            client.send("POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n");
            Provider provider = open(StreamFormat.EVENTS);
            write(provider, "1");
            end(provider);
            assertThat(client.readAll())
                    .isEqualTo(HEAD.replace("Transfer-Encoding: chunked", "Connection: close")
                            + "data: 1\n\nevent: end\ndata: {\"status\":200,\"code\":\"OK\"}\n\n");
        }
    }

    @Test
    void aFailureBeforeTheFirstMessageHasItsOwnStatus() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            onLoop(() -> provider.responder.respond(response.problem(Outcome.NOT_FOUND, "no such")));
            assertThat(client.readTo("}"))
                    .startsWith("HTTP/1.1 404 Not Found\r\n")
                    .contains("Content-Type: application/problem+json\r\n", "Content-Length: ", "no such");
            open(send(client), StreamFormat.EVENTS, 0, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENTS", "LINES"})
    void aFailureBehindAMessageIsTheEndOfTheStream(StreamFormat format) throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), format, 0, 0);
            write(provider, "1");
            onLoop(() -> provider.responder.respond(response.problem(Outcome.PROVIDER_ERROR, "lost")));
            String all = client.readTo("0\r\n\r\n");
            assertThat(all).startsWith("HTTP/1.1 200 OK\r\n").contains("\"status\":502", "\"detail\":\"lost\"");
            assertThat(all).contains(format == StreamFormat.EVENTS ? "event: end\ndata: {" : "{\"$end\":{");
            open(send(client), format, 0, 0);
        }
    }

    /** {@code true}: with a part of a request behind the stream, so that its client is not read. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatClosesCancelsTheSourceAtOnce(boolean pipelines) throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            write(provider, "1");
            client.readTo("1\n\n\r\n");
            if (pipelines) {
                client.send(REQUEST.repeat(2));
                Await.until(
                        "the requests wait",
                        () -> loop.submit(() -> memory.used(Use.REQUESTS) > 0).get());
            }
            client.leave();
            assertThat(provider.cancelled.await(1, SECONDS)).isTrue();
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void aClientThatResetsItsConnectionCancelsTheSource() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            client.socket.setSoLinger(true, 0);
            client.leave();
            assertThat(provider.cancelled.await(1, SECONDS)).isTrue();
        }
    }

    @Test
    void aClientThatHasLeftWhileItDidNotReadCancelsTheSource() throws Exception {
        try (Client client = new Client(4096)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 10_000, 1000);
            onLoop(provider::send);
            Await.until("the source is blocked", () -> provider.stream.isBlocked());
            client.leave();
            assertThat(provider.cancelled.await(1, SECONDS)).isTrue();
            assertThat(provider.sent.get()).isLessThan(10_000);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENTS", "LINES"})
    void aSlowReaderGetsAllMessagesInOrderAndNoMoreAreKeptThanTheClientMayLeaveUnread(StreamFormat format)
            throws Exception {
        int count = 1000;
        int bytes = 4000;
        try (Client client = new Client(4096)) {
            Provider provider = open(send(client), format, count, bytes);
            onLoop(provider::send);
            Await.until("the source is blocked", () -> provider.stream.isBlocked());
            long kept = loop.submit(() -> memory.used(Use.ANSWERS)).get();
            assertThat(kept).isLessThan(HIGH_WATER_MARK + WINDOW + 3 * (bytes + 100) + 128 * 1024);
            assertThat(provider.sent.get()).isLessThan(count / 2);

            List<String> messages = messages(client.readTo("0\r\n\r\n"), format);
            assertThat(messages).hasSize(count + 1);
            for (int i = 0; i < count; i++) {
                assertThat(messages.get(i)).startsWith("{\"number\":" + i + ",");
            }
            assertThat(messages.get(count)).contains("\"status\":200");
        }
    }

    private static List<String> messages(String answer, StreamFormat format) throws IOException {
        StringBuilder body = new StringBuilder();
        int at = answer.indexOf("\r\n\r\n") + 4;
        while (true) {
            int lineEnd = answer.indexOf("\r\n", at);
            int length = Integer.parseInt(answer.substring(at, lineEnd), 16);
            if (length == 0) {
                break;
            }
            body.append(answer, lineEnd + 2, lineEnd + 2 + length);
            at = lineEnd + 2 + length + 2;
        }
        List<String> messages = new ArrayList<>();
        BufferedReader lines = new BufferedReader(new StringReader(body.toString()));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (format == StreamFormat.LINES) {
                messages.add(line);
            } else if (line.startsWith("data: ")) {
                messages.add(line.substring(6));
            }
        }
        return messages;
    }

    @Test
    void aLargeMessageLeavesInPieces() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.LINES, 3, 300_000);
            onLoop(provider::send);
            List<String> messages = messages(client.readTo("0\r\n\r\n"), StreamFormat.LINES);
            assertThat(messages).hasSize(4);
            assertThat(messages.get(2))
                    .startsWith("{\"number\":2,")
                    .endsWith("x\"}")
                    .hasSizeGreaterThan(300_000);
        }
    }

    @Test
    void aSilentStreamOfEventsGetsCommentsAndOneOfLinesNothing() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            HttpConnection of = connection;
            long nowNs = System.nanoTime();
            onLoop(() -> of.checkTimeout(nowNs));
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(15)));
            assertThat(client.readTo(":\n\n\r\n")).isEqualTo(HEAD + "3\r\n:\n\n\r\n");
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(16)));
            write(provider, "1");
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(40)));
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(54)));
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(55)));
            end(provider);
            assertThat(client.readTo("0\r\n\r\n")).isEqualTo("9\r\ndata: 1\n\n\r\n3\r\n:\n\n\r\n" + END);

            Provider lines = open(send(client), StreamFormat.LINES, 0, 0);
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(56)));
            onLoop(() -> of.checkTimeout(nowNs + SECONDS.toNanos(100)));
            end(lines);
            assertThat(client.readTo("0\r\n\r\n")).doesNotContain(":\n\n");
        }
    }

    @Test
    void aStreamBehindAMissingAnswerWaitsAndLosesNothing() throws Exception {
        try (Client client = new Client(0)) {
            client.send(REQUEST.repeat(2));
            Responder first = next();
            Provider provider = open(next(), StreamFormat.EVENTS, 100, 1000);
            onLoop(provider::send);
            assertThat(provider.stream.isBlocked()).isTrue();
            assertThat(provider.sentUnderWay).isBetween((long) WINDOW, WINDOW + 2000L);
            assertThat((long) loop.submit(() -> memory.used(Use.ANSWERS)).get()).isGreaterThan(WINDOW);

            onLoop(() -> first.respond(response.problem(Outcome.TIMEOUT, "first")));
            assertThat(client.readTo("}")).startsWith("HTTP/1.1 504 ");
            assertThat(messages(client.readTo("0\r\n\r\n"), StreamFormat.EVENTS))
                    .hasSize(101);
        }
    }

    @Test
    void aStreamThatHasEndedBehindAMissingAnswerIsWrittenAsAWhole() throws Exception {
        try (Client client = new Client(0)) {
            client.send(REQUEST.repeat(3));
            Responder first = next();
            Provider provider = open(next(), StreamFormat.EVENTS, 0, 0);
            Responder third = next();
            write(provider, "1");
            end(provider);
            onLoop(() -> third.respond(response.problem(Outcome.NOT_FOUND, "third")));
            onLoop(() -> first.respond(response.problem(Outcome.TIMEOUT, "first")));
            client.readTo("}");
            assertThat(client.readTo("0\r\n\r\n")).isEqualTo(HEAD + "9\r\ndata: 1\n\n\r\n" + END);
            assertThat(client.readTo("}")).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void requestsBehindAStreamAreServedAfterItsEnd() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            client.send(REQUEST);
            write(provider, "1");
            client.readTo("1\n\n\r\n");
            assertThat(requests).isEmpty();
            end(provider);
            Responder second = next();
            onLoop(() -> second.respond(response.problem(Outcome.NOT_FOUND, "second")));
            client.readTo("0\r\n\r\n");
            assertThat(client.readTo("}")).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void aStreamEndsWithItsStatusWhenTheAgentEnds() throws Exception {
        try (Client client = new Client(0)) {
            Provider provider = open(send(client), StreamFormat.EVENTS, 0, 0);
            write(provider, "1");
            client.readTo("1\n\n\r\n");
            HttpConnection of = connection;
            onLoop(() -> {
                http.drain(true);
                of.checkTimeout(System.nanoTime());
            });
            assertThat(provider.cancelled.getCount()).isOne();
            onLoop(() -> {
                http.closeAfterResponses();
                of.checkTimeout(System.nanoTime());
            });
            assertThat(provider.cancelled.await(1, SECONDS)).isTrue();
            assertThat(client.readAll())
                    .contains("event: end\ndata: {", "\"status\":503")
                    .endsWith("0\r\n\r\n");
        }
    }

    @Test
    void manySlowReadersStayWithinTheBudget() throws Exception {
        int streams = 40;
        List<Client> clients = new ArrayList<>();
        List<Provider> providers = new ArrayList<>();
        try {
            for (int i = 0; i < streams; i++) {
                Client client = new Client(4096);
                clients.add(client);
                Provider provider = open(send(client), StreamFormat.LINES, 1000, 500);
                providers.add(provider);
                onLoop(provider::send);
            }
            for (Provider provider : providers) {
                Await.until("each is blocked", provider.stream::isBlocked);
            }
            assertThat((long) loop.submit(() -> memory.used()).get()).isLessThan(memory.capacity());
            for (Client client : clients) {
                assertThat(messages(client.readTo("0\r\n\r\n"), StreamFormat.LINES))
                        .hasSize(1001);
            }
            for (Provider provider : providers) {
                assertThat(provider.cancelled.await(0, MILLISECONDS)).isFalse();
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }
}
