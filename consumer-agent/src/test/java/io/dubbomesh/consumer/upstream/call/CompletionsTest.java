package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.upstream.link.EndpointHeader;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** No call is sent on the stack of another one's end: the turn sends it when that end is done. */
@Timeout(30)
class CompletionsTest {
    private static final int LIMIT = 1;
    private static final Endpoint PROVIDER = new Endpoint(
            "192.0.2.1",
            20880,
            100,
            180,
            List.of(Variant.NONE),
            List.of(new DubboExport(Variant.NONE, "", "", "", "", Map.of())));
    private static final String DISPATCHER = CallDispatcher.class.getName();

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("nio"));
    private final EventLoop loop = loops.loops().get(0);
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final Link link = new Link();
    /** What each client was answered. */
    private final BlockingQueue<Outcome> answers = new LinkedBlockingQueue<>();

    private final Upstream upstream = new Upstream(
            new LinkOpener(
                    loops,
                    loop,
                    null,
                    null,
                    null,
                    1,
                    new EndpointLoads(1),
                    new SharedEvents(),
                    new ProvidersBehindAgents(directory -> {}, Runnable::run, 0)),
            (listed, listener) -> link.of(listener),
            new UpstreamSettings(
                    new QueueSettings(16, 1 << 20, 1_000_000_000L, 1_000_000_000L),
                    new PoolSettings(
                            600_000_000_000L,
                            Set.of(),
                            20,
                            new HealthSettings(false, 5, 1_000_000_000, 3, 500, 4000, 50, 0),
                            new RoutedConsumer("shop", "192.0.2.100", "", false),
                            List.of("static:")),
                    new LinkSettings(1 << 20, 60_000, EndpointHeader.NEVER),
                    Strategy.WEIGHTED_ROUND_ROBIN),
            new Turn(loop),
            size -> Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(size, 0),
            route -> {},
            response);

    @AfterEach
    void close() throws Exception {
        onLoop(() -> {
            upstream.close();
            return null;
        });
        loops.close();
        response.close();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheAnswerThatMadeRoomForIt() throws Exception {
        long first = twoCallsOfWhichOneWaits();
        onLoop(() -> {
            link.answer(first, Outcome.OK, "1");
            assertThat(link.sent).as("sent before the end of the turn").isEmpty();
            return null;
        });
        assertThat(answers.take()).isEqualTo(Outcome.OK);
        requireSentOnAStackOfItsOwn();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheDeadlineThatMadeRoomForIt() throws Exception {
        onLoop(() -> {
            upstream.update(Directory.of(Map.of("a.B", List.of(PROVIDER))));
            dispatch(100);
            return null;
        });
        link.sent.take();
        onLoop(() -> dispatch(0));
        assertThat(answers.take()).isEqualTo(Outcome.TIMEOUT);
        requireSentOnAStackOfItsOwn();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheFailureThatMadeRoomForIt() throws Exception {
        long first = twoCallsOfWhichOneWaits();
        onLoop(() -> {
            link.answer(first, Outcome.PROVIDER_ERROR, "no");
            return null;
        });
        requireSentOnAStackOfItsOwn();
    }

    private long twoCallsOfWhichOneWaits() throws Exception {
        onLoop(() -> {
            upstream.update(Directory.of(Map.of("a.B", List.of(PROVIDER))));
            dispatch(0);
            return null;
        });
        long first = link.sent.take().requestId;
        onLoop(() -> dispatch(0));
        return first;
    }

    /** It is sent by the turn, or by the poll of the queue. */
    private void requireSentOnAStackOfItsOwn() throws Exception {
        Sent second = link.sent.take();
        assertThat(second.stack)
                .doesNotContain(DISPATCHER + ".responded", DISPATCHER + ".expired", DISPATCHER + ".linkLost")
                .doesNotContain(DISPATCHER + ".cancelled", DISPATCHER + ".fail");
    }

    private Void dispatch(long timeoutMs) throws Exception {
        String[] headers = timeoutMs == 0
                ? new String[] {"Content-Type: application/json"}
                : new String[] {"Content-Type: application/json", "X-Request-Timeout: " + timeoutMs};
        ByteBuf request = Unpooled.copiedBuffer(HttpSocket.request("POST /a.B/m", "[1]", headers), US_ASCII);
        CallReader reader = new CallReader(
                new CallSettings(32, 16, 20_000_000_000L, 60_000),
                new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8)));
        HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, reader.newFields());
        assertThat(parser.parse(request)).isEqualTo(HttpRequestParser.Result.REQUEST);
        ParsedCall call = reader.read(parser);
        long nowNs = System.nanoTime();
        upstream.dispatch(call, new Client(), nowNs, nowNs);
        request.release();
        return null;
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return loop.submit(action).get();
    }

    private final class Client implements Responder {
        @Override
        public void observe(Observer ignored) {}

        @Override
        public void respond(Response with) {
            answers.add(with.outcome());
        }

        @Override
        public void expect(AnswerSize ignored) {}

        @Override
        public CallRecord record() {
            return null;
        }

        @Override
        public void onCancel(Cancellation ignored) {}
    }

    private record Sent(long requestId, List<String> stack) {}

    /** A link that is ready at once and takes one call at a time. */
    private static final class Link implements EndpointLink, LinkConnector {
        private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
        private final CallTiming timing = new CallTiming();
        private final ByteBuf out = Unpooled.buffer();
        private LinkListener listener;

        LinkConnector of(LinkListener itsListener) {
            listener = itsListener;
            return this;
        }

        void answer(long requestId, Outcome outcome, String document) throws Exception {
            String frame = MeshFrame.response(requestId, outcome.number(), 0, "", document);
            ByteBuf in = Unpooled.wrappedBuffer(Hex.bytes(frame));
            listener.responded(this, in, 0, in.writerIndex());
        }

        @Override
        public void connect() {
            listener.opening(this);
            listener.ready(this, LIMIT);
        }

        @Override
        public void requested(Route route, ByteBuf written, int frame, long nowNs) {
            List<String> stack = new ArrayList<>();
            StackWalker.getInstance().forEach(each -> stack.add(each.getClassName() + '.' + each.getMethodName()));
            sent.add(new Sent(MeshHeader.requestId(written, frame), stack));
        }

        @Override
        public ByteBuf buffer(int frameBytes) {
            return out;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public boolean isDraining() {
            return false;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public int methodId(Route route) {
            return 1;
        }

        @Override
        public int requestFlags(int wanted) {
            return wanted;
        }

        @Override
        public long readNs() {
            return System.nanoTime();
        }

        @Override
        public CallTiming timing() {
            return timing;
        }

        @Override
        public void connectLater() {}

        @Override
        public void connected() {}

        @Override
        public void close() {}

        @Override
        public void close(String reason) {}
    }
}
