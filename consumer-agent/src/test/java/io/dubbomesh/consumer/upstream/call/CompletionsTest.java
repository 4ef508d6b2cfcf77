package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static org.assertj.core.api.Assertions.assertThat;

/** No call is sent on the stack of another one's end: the turn sends it when that end is done. */
@Timeout(30)
class CompletionsTest {
    private static final String DISPATCHER = CallDispatcher.class.getName();

    private final UpstreamFixture fixture = new UpstreamFixture();
    private final Link link = new Link();
    /** The client of each call. */
    private final CallClient client = new CallClient();

    private final Upstream upstream = link.upstream(fixture);

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
            link.answer(first, Outcome.OK, 0, "1", 0);
            assertThat(link.sent).as("sent before the end of the turn").isEmpty();
            return null;
        });
        assertThat(client.answers().take()).isEqualTo(Outcome.OK);
        requireSentOnAStackOfItsOwn();
    }

    @Test
    void aCallThatWaitsIsSentAfterTheDeadlineThatMadeRoomForIt() throws Exception {
        fixture.onLoop(() -> {
            upstream.update(ReadyLink.directory());
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
            link.answer(first, Outcome.PROVIDER_ERROR, 0, "no", 0);
            return null;
        });
        requireSentOnAStackOfItsOwn();
    }

    private long twoCallsOfWhichOneWaits() throws Exception {
        fixture.onLoop(() -> {
            upstream.update(ReadyLink.directory());
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

    /** Keeps the stack on which each request is sent. */
    private static final class Link extends ReadyLink {
        private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();

        @Override
        void sent(long requestId) {
            List<String> stack = new ArrayList<>();
            StackWalker.getInstance().forEach(each -> stack.add(each.getClassName() + '.' + each.getMethodName()));
            sent.add(new Sent(requestId, stack));
        }
    }
}
