package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Calls over sockets to Netty's HTTP/2 server, which answers with what it was sent. */
@Timeout(60)
class Http2ServerTest {
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final MemoryBudget memory = new MemoryBudget(64 << 20);
    private Channel server;
    private Caller caller;

    @AfterEach
    void end() throws Exception {
        if (caller != null) {
            onLoop(() -> {
                caller.client.close("the test has ended");
                return null;
            });
            caller.client.channel().closeFuture().sync();
        }
        server.close().sync();
        long used = onLoop(memory::used);
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
        assertThat(used).isZero();
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return loop.submit(action).get(30, TimeUnit.SECONDS);
    }

    private void start(Http2Settings settings) throws Exception {
        server = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forServer()
                                                .initialSettings(settings)
                                                .build(),
                                        new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
                                            @Override
                                            protected void initChannel(Channel stream) {
                                                stream.pipeline().addLast(new Echo());
                                            }
                                        }));
                    }
                })
                .bind(new InetSocketAddress("127.0.0.1", 0))
                .sync()
                .channel();
        caller = new Caller();
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(caller.client)
                .connect(server.localAddress())
                .sync();
        caller.ready.get(10, TimeUnit.SECONDS);
    }

    private static Http2Settings settings() {
        return Http2Settings.defaultSettings().maxHeaderListSize(200_000).maxConcurrentStreams(2000);
    }

    private Answer call(String path, byte[] content) throws Exception {
        return send(path, content).get(30, TimeUnit.SECONDS);
    }

    private CompletableFuture<Answer> send(String path, byte[] content) throws Exception {
        return onLoop(() -> caller.call(path, content));
    }

    @Test
    void aCallIsAnsweredWithContentAndTrailers() throws Exception {
        start(settings());

        Answer answer = call("/echo", "hello".getBytes(US_ASCII));

        assertThat(answer.fields.status()).hasToString("200");
        assertThat(answer.fields.get("path")).hasToString("/echo");
        assertThat(new String(answer.content, US_ASCII)).isEqualTo("hello");
        assertThat(answer.trailers.get("grpc-status")).hasToString("0");
    }

    /** RFC 7541, 4.2: without an update of its size the server refuses the first request behind its settings. */
    @Test
    void aServerWithoutATableOfFieldsIsCalledBeforeAndBehindItsSettings() throws Exception {
        start(settings().headerTableSize(0));

        for (int i = 0; i < 3; i++) {
            assertThat(call("/echo", new byte[] {7}).content).containsExactly(7);
        }
        assertThat(caller.settings).isEqualTo(1);
    }

    @Test
    void headerFieldsOfManyFramesArriveAndComeBack() throws Exception {
        start(settings());
        String path = "/" + "long".repeat(10_000);

        assertThat(call(path, new byte[0]).fields.get("path")).hasToString(path);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 65_535, 1 << 20})
    void contentOfAnyLengthArrivesAndComesBackWithTheServersWindow(int window) throws Exception {
        start(settings().initialWindowSize(window));
        int longest = Math.min(300 * window, 700_000);
        Random random = new Random(window);
        List<byte[]> contents = new ArrayList<>();
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            byte[] content = new byte[random.nextInt(longest)];
            random.nextBytes(content);
            contents.add(content);
            answers.add(send("/echo", content));
        }
        for (int i = 0; i < contents.size(); i++) {
            assertThat(answers.get(i).get(50, TimeUnit.SECONDS).content).isEqualTo(contents.get(i));
        }
        assertThat(onLoop(() -> caller.client.isWritable())).isTrue();
        assertThat(onLoop(() -> caller.client.openStreams())).isZero();
    }

    @Test
    void theServersLimitOfStreamsIsKnownBehindItsSettings() throws Exception {
        start(settings().maxConcurrentStreams(2));
        call("/echo", new byte[0]);

        assertThat(onLoop(() -> caller.client.maxStreams())).isEqualTo(2);
        CompletableFuture<Answer> first = send("/never", new byte[1]);
        CompletableFuture<Answer> second = send("/never", new byte[1]);
        assertThat(onLoop(() -> caller.client.canOpen())).isFalse();
        onLoop(() -> {
            caller.client.reset(caller.last, Http2Error.CANCEL);
            return null;
        });
        assertThat(onLoop(() -> caller.client.canOpen())).isTrue();
        assertThat(call("/echo", new byte[] {1}).content).containsExactly(1);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void aServerResetsAStream() throws Exception {
        start(settings());

        assertThat(call("/refuse", new byte[1]).resetCode).isEqualTo(Http2Error.REFUSED_STREAM.code());
        assertThat(call("/echo", new byte[] {1}).content).containsExactly(1);
    }

    @Test
    void anAnswerInFrontOfTheEndOfTheRequestDropsTheRestOfTheRequest() throws Exception {
        start(settings().initialWindowSize(10));

        Answer answer = call("/early", new byte[300_000]);

        assertThat(answer.fields.get("grpc-status")).hasToString("3");
        assertThat(onLoop(() -> caller.client.openStreams())).isZero();
        assertThat(call("/echo", new byte[] {1}).content).containsExactly(1);
    }

    @Test
    void aServerThatEndsAnswersWhatItHasGot() throws Exception {
        start(settings());
        CompletableFuture<Answer> first = send("/bye", new byte[] {1});
        Answer answer = first.get(10, TimeUnit.SECONDS);

        assertThat(answer.content).containsExactly(1);
        assertThat(caller.goAway.get(10, TimeUnit.SECONDS)).isEqualTo("1 0 bye");
        assertThat(onLoop(() -> caller.client.isEnding())).isTrue();
        assertThat(caller.lost.get(10, TimeUnit.SECONDS)).isEqualTo("closed by the peer");
    }

    /** Since CVE-2023-44487 a server of Netty ends a connection with more than 200 resets in 30 s. */
    @Test
    void hundredsOfCallsThatAreGivenUpAtOnceDoNotEndTheConnection() throws Exception {
        start(settings());
        call("/echo", new byte[0]);
        onLoop(() -> {
            for (int i = 0; i < 1000; i++) {
                caller.call("/never", new byte[1]);
            }
            for (int id : List.copyOf(caller.answers.keySet())) {
                caller.client.reset(id, Http2Error.CANCEL);
            }
            return null;
        });

        assertThat(call("/echo", new byte[] {1}).content).containsExactly(1);
        assertThat(onLoop(() -> caller.client.openStreams())).isZero();
        assertThat(caller.lost).isNotDone();
    }

    @Test
    void aProbeIsAnsweredEachTime() throws Exception {
        start(settings());
        for (int i = 0; i < 50; i++) {
            onLoop(() -> caller.client.probe());
            Await.until("an answer", () -> !onLoop(() -> caller.client.awaitsAcknowledgement()));
        }

        assertThat(caller.lost).isNotDone();
    }

    @Test
    void thousandsOfCallsUseTheSameConnection() throws Exception {
        start(settings());
        for (int round = 0; round < 40; round++) {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(send("/echo", new byte[] {(byte) i}));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get(10, TimeUnit.SECONDS).content).containsExactly(i);
            }
        }
        assertThat(caller.last).isEqualTo(7999);
    }

    private static final class Answer {
        private Http2Headers fields;
        private Http2Headers trailers;
        private byte[] content = new byte[0];
        private long resetCode = -1;
    }

    /** Calls and collects the answers. */
    private final class Caller implements Http2Listener {
        private final Http2Client client = new Http2Client(new Turn(loop, memory), Http2Limits.defaults(), this);
        private final CompletableFuture<Void> ready = new CompletableFuture<>();
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final CompletableFuture<String> goAway = new CompletableFuture<>();
        private final Map<Integer, CompletableFuture<Answer>> futures = new HashMap<>();
        private final Map<Integer, Answer> answers = new HashMap<>();
        private volatile int settings;
        private volatile int last;

        CompletableFuture<Answer> call(String path, byte[] content) {
            ByteBuf in = client.channel().alloc().directBuffer();
            in.writeByte(0x83).writeByte(0x86);
            field(in, ":path", path);
            field(in, "content-type", "application/grpc+proto");
            int fields = in.readableBytes();
            in.writeBytes(content);
            int id;
            try {
                id = client.open(in, 0, fields, fields, content.length);
            } finally {
                in.release();
            }
            last = id;
            CompletableFuture<Answer> future = new CompletableFuture<>();
            futures.put(id, future);
            answers.put(id, new Answer());
            return future;
        }

        private void field(ByteBuf out, String name, String value) {
            out.writeByte(0);
            text(out, name);
            text(out, value);
        }

        private void text(ByteBuf out, String text) {
            int length = text.length();
            if (length < 127) {
                out.writeByte(length);
            } else {
                out.writeByte(127);
                int rest = length - 127;
                for (; rest >= 128; rest >>>= 7) {
                    out.writeByte(rest & 0x7f | 0x80);
                }
                out.writeByte(rest);
            }
            out.writeCharSequence(text, US_ASCII);
        }

        @Override
        public void active() {
            ready.complete(null);
        }

        @Override
        public void headers(int streamId, Http2Headers headers, boolean endStream) {
            Answer answer = answers.get(streamId);
            if (answer.fields == null) {
                answer.fields = headers;
            } else {
                answer.trailers = headers;
            }
            if (endStream) {
                complete(streamId);
            }
        }

        private void complete(int streamId) {
            futures.remove(streamId).complete(answers.remove(streamId));
        }

        @Override
        public void data(int streamId, ByteBuf in, int offset, int length, boolean endStream) {
            Answer answer = answers.get(streamId);
            int before = answer.content.length;
            answer.content = Arrays.copyOf(answer.content, before + length);
            in.getBytes(offset, answer.content, before, length);
            client.consumed(streamId, length);
            if (endStream) {
                complete(streamId);
            }
        }

        @Override
        public void reset(int streamId, long errorCode) {
            answers.get(streamId).resetCode = errorCode;
            complete(streamId);
        }

        @Override
        public void failed(int streamId, String reason) {
            futures.remove(streamId).completeExceptionally(new AssertionError(reason));
        }

        @Override
        public void goAway(int lastStreamId, long errorCode, String debug) {
            goAway.complete(lastStreamId + " " + errorCode + " " + debug);
        }

        @Override
        public void settings() {
            settings++;
        }

        @Override
        public void lost(String reason) {
            lost.complete(reason);
            futures.values().forEach(each -> each.completeExceptionally(new AssertionError("lost: " + reason)));
        }
    }

    /** Answers by the path of the request. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final List<byte[]> content = new ArrayList<>();
        private String path;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try {
                if (message instanceof Http2HeadersFrame head) {
                    path = head.headers().path().toString();
                    onHead(ctx);
                    if (head.isEndStream()) {
                        answer(ctx);
                    }
                } else if (message instanceof Http2DataFrame data) {
                    content.add(ByteBufUtil.getBytes(data.content()));
                    if (data.isEndStream()) {
                        answer(ctx);
                    }
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void onHead(ChannelHandlerContext ctx) {
            if (path.equals("/early")) {
                Http2Headers fields = new DefaultHttp2Headers().status("200").add("grpc-status", "3");
                ctx.writeAndFlush(new DefaultHttp2HeadersFrame(fields, true));
            }
        }

        private void answer(ChannelHandlerContext ctx) {
            switch (path) {
                case "/never", "/early" -> {
                    // Its caller resets the stream, or has its answer.
                }
                case "/refuse" -> ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                default -> {
                    echo(ctx);
                    if (path.equals("/bye")) {
                        Channel connection = ctx.channel().parent();
                        DefaultHttp2GoAwayFrame goAway = new DefaultHttp2GoAwayFrame(
                                Http2Error.NO_ERROR, connection.alloc().buffer().writeBytes("bye".getBytes(US_ASCII)));
                        connection.writeAndFlush(goAway).addListener(future -> connection.close());
                    }
                }
            }
        }

        private void echo(ChannelHandlerContext ctx) {
            Http2Headers fields = new DefaultHttp2Headers().status("200").add("path", path);
            ctx.write(new DefaultHttp2HeadersFrame(fields));
            for (byte[] each : content) {
                ctx.write(new DefaultHttp2DataFrame(ctx.alloc().buffer().writeBytes(each)));
            }
            Http2Headers trailers = new DefaultHttp2Headers().add("grpc-status", "0");
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
        }
    }
}
