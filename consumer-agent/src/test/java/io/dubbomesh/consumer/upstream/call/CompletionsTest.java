package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

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

    private final UpstreamFixture fixture = new UpstreamFixture();
    private final Link link = new Link();
    /** The client of each call. */
    private final CallClient client = new CallClient();

    private final Upstream upstream = fixture.newUpstream(
            UpstreamFixture.pools(600_000_000_000L), (listed, listener) -> link.of(listener), route -> {});

    @AfterEach
    void close() throws Exception {
        fixture.onLoop(() -> {
            upstream.close();
            return null;
        });
        fixture.close();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheAnswerThatMadeRoomForIt() throws Exception {
        long first = twoCallsOfWhichOneWaits();
        fixture.onLoop(() -> {
            link.answer(first, Outcome.OK, "1");
            assertThat(link.sent).as("sent before the end of the turn").isEmpty();
            return null;
        });
        assertThat(client.answers().take()).isEqualTo(Outcome.OK);
        requireSentOnAStackOfItsOwn();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheDeadlineThatMadeRoomForIt() throws Exception {
        fixture.onLoop(() -> {
            upstream.update(Directory.of(Map.of("a.B", List.of(PROVIDER))));
            dispatch("X-Request-Timeout: 100");
            return null;
        });
        link.sent.take();
        fixture.onLoop(() -> dispatch());
        assertThat(client.answers().take()).isEqualTo(Outcome.TIMEOUT);
        requireSentOnAStackOfItsOwn();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheFailureThatMadeRoomForIt() throws Exception {
        long first = twoCallsOfWhichOneWaits();
        fixture.onLoop(() -> {
            link.answer(first, Outcome.PROVIDER_ERROR, "no");
            return null;
        });
        requireSentOnAStackOfItsOwn();
    }

    private long twoCallsOfWhichOneWaits() throws Exception {
        fixture.onLoop(() -> {
            upstream.update(Directory.of(Map.of("a.B", List.of(PROVIDER))));
            dispatch();
            return null;
        });
        long first = link.sent.take().requestId;
        fixture.onLoop(() -> dispatch());
        return first;
    }

    /** It is sent by the turn, or by the poll of the queue. */
    private void requireSentOnAStackOfItsOwn() throws Exception {
        Sent second = link.sent.take();
        assertThat(second.stack)
                .doesNotContain(DISPATCHER + ".responded", DISPATCHER + ".expired", DISPATCHER + ".linkLost")
                .doesNotContain(DISPATCHER + ".cancelled", DISPATCHER + ".fail");
    }

    private Void dispatch(String... headers) throws Exception {
        ByteBuf request = UpstreamFixture.request("/a.B/m", headers);
        long nowNs = System.nanoTime();
        upstream.dispatch(UpstreamFixture.parsed(request), client, nowNs, nowNs);
        request.release();
        return null;
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
