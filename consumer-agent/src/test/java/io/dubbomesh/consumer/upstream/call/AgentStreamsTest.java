package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.ProviderPeer.Received;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static org.assertj.core.api.Assertions.assertThat;

/** Streams from a provider agent, frame by frame. */
@Timeout(30)
class AgentStreamsTest {
    private static final int TAKES_STREAMS = 0x20;
    private static final String ACCEPT = "Accept: application/x-ndjson";

    private final UpstreamFixture fixture = new UpstreamFixture();
    private final ProviderPeer agent = new ProviderPeer(MeshFrame.hello(180, 4096, TAKES_STREAMS));
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StreamClient client = new StreamClient(events);
    private final Upstream upstream = fixture.newUpstream(UpstreamFixture.pools(600_000_000_000L), null, route -> {});

    AgentStreamsTest() throws IOException {}

    @AfterEach
    void close() throws Exception {
        assertThat(events).isEmpty();
        fixture.onLoop(() -> {
            upstream.close();
            return null;
        });
        agent.close();
        fixture.close();
    }

    private Received call(ProviderPeer to, String... headers) throws Exception {
        call(List.of(to), headers);
        return to.nextRequest();
    }

    private void call(List<ProviderPeer> to, String... headers) throws Exception {
        List<Endpoint> endpoints = to.stream()
                .map(each -> new Endpoint("127.0.0.1", each.port(), 1, 1, List.of()))
                .toList();
        fixture.onLoop(() -> {
            upstream.update(Directory.of(Map.of("a.B", endpoints)));
            ByteBuf request = UpstreamFixture.request("/a.B/m", headers);
            long nowNs = System.nanoTime();
            upstream.dispatch(UpstreamFixture.parsed(request), client, nowNs, nowNs);
            request.release();
            return null;
        });
    }

    /** Returns the request of a stream that has begun with one message. */
    private Received stream() throws Exception {
        Received request = call(agent, ACCEPT);
        assertThat(request.flags() & MeshFrame.STREAM).isNotZero();
        send(request, MeshFrame.streamOpened(request.requestId()));
        assertThat(next()).isEqualTo("opened LINES");
        send(request, MeshFrame.message(request.requestId(), 20, "1"));
        assertThat(next()).isEqualTo("message 1");
        assertReceived(MeshFrame.credit(request.requestId(), 20));
        return request;
    }

    private static void send(Received request, String frame) throws IOException {
        request.link().send(frame);
    }

    private void end(Received request) throws Exception {
        agent.answer(request, Outcome.OK.number(), Flags.JSON, "");
        assertThat(next()).isEqualTo("OK");
    }

    private String next() throws Exception {
        return Await.next(events, "an event");
    }

    private void assertReceived(String frame) throws Exception {
        MeshFrame received = agent.next().frame();
        String hex = MeshFrame.frame(
                received.type(), received.status(), received.flags(), received.requestId(), 0, received.body());
        assertThat(hex).isEqualTo(frame);
    }

    private int pending() throws Exception {
        return fixture.onLoop(upstream::pendingCount);
    }

    @Test
    void messagesAreCreditedWhenTheClientHasTakenThem() throws Exception {
        Received request = stream();
        client.block(true);
        send(request, MeshFrame.message(request.requestId(), 6, "2") + MeshFrame.message(request.requestId(), 7, "3"));
        assertThat(next()).isEqualTo("message 2");
        assertThat(next()).isEqualTo("message 3");
        assertThat(agent.hasNone()).isTrue();
        fixture.onLoop(() -> {
            client.block(false);
            client.source().resumed();
            return null;
        });
        assertReceived(MeshFrame.credit(request.requestId(), 13));
        end(request);
        assertThat(pending()).isZero();
    }

    @Test
    void aStreamThatIsGivenBackBehindItsBeginningIsThatOfTheNextAgent() throws Exception {
        try (ProviderPeer other = new ProviderPeer(MeshFrame.hello(180, 4096, TAKES_STREAMS))) {
            call(List.of(agent, other), ACCEPT);
            Await.until("an agent has the request", () -> !agent.hasNone() || !other.hasNone());
            ProviderPeer first = agent.hasNone() ? other : agent;
            ProviderPeer second = first == agent ? other : agent;
            Received refused = first.nextRequest();
            send(refused, MeshFrame.streamOpened(refused.requestId()));
            assertThat(next()).isEqualTo("opened LINES");
            first.refuse(refused);

            Received request = second.nextRequest();
            send(request, MeshFrame.streamOpened(request.requestId()));
            send(request, MeshFrame.message(request.requestId(), 20, "1"));
            assertThat(next()).isEqualTo("message 1");
            assertThat(second.next().type()).isEqualTo(MeshFrame.CREDIT);
            second.answer(request, Outcome.OK.number(), Flags.JSON, "");
            assertThat(next()).isEqualTo("OK");
            assertThat(first.hasNone()).isTrue();
        }
    }

    @Test
    void aStreamThatIsGivenBackBehindAMessageEndsTheLink() throws Exception {
        Received request = stream();
        agent.refuse(request);
        assertThat(agent.next().type()).isEqualTo(MeshFrame.GOAWAY);
        assertThat(next()).isEqualTo("PROVIDER_ERROR");
    }

    @Test
    void aClientThatLeavesCancelsTheStream() throws Exception {
        Received request = stream();
        fixture.onLoop(() -> {
            client.source().cancelled();
            return null;
        });
        assertReceived(MeshFrame.cancel(request.requestId()));
        assertThat(pending()).isZero();
    }

    /** Its call may have ended by its deadline, before it was known to be a stream. */
    @Test
    void aStreamThatNobodyWaitsForIsCancelled() throws Exception {
        Received request = stream();
        end(request);
        send(request, MeshFrame.message(request.requestId(), 6, "2"));
        assertReceived(MeshFrame.cancel(request.requestId()));
    }

    /** The 0x10 and 0x02 of one before streams. */
    @Test
    void anAgentThatTakesNoStreamsIsNotAskedForOne() throws Exception {
        try (ProviderPeer old = new ProviderPeer(MeshFrame.hello(180, 4096, 0x12))) {
            Received request = call(old, ACCEPT);
            assertThat(request.flags()).isEqualTo(Flags.JSON);
            old.answer(request, Outcome.NOT_IMPLEMENTED.number(), Flags.JSON, "{}");
            assertThat(next()).isEqualTo("NOT_IMPLEMENTED");
        }
    }

    /** {@code ID} stands for the id of the request. */
    @ParameterizedTest
    @CsvSource({
        "d3e5010400420000 ID 00000000 00000003 000031, has no bytes of window",
        "d3e5010400420000 ID 00000014 00000002 0000, is the beginning and has some",
        "d3e5010424420000 ID 00000014 00000003 000031, has a status",
        "d3e5010400410000 ID 00000014 00000003 000031, is text",
        "d3e5010400400000 ID 00000014 00000003 000031, is neither text nor JSON",
        "d3e5010400420000 ID 80000000 00000003 000031, has more than any window"
    })
    void aMessageThatBreaksTheProtocolEndsTheLink(String frame, String why) throws Exception {
        Received request = stream();
        send(request, frame.replace("ID", Hex.u64(request.requestId())).replace(" ", ""));
        assertThat(agent.next().type()).as(why).isEqualTo(MeshFrame.GOAWAY);
        assertThat(next()).isEqualTo("PROVIDER_ERROR");
    }

    @Test
    void aMessageToACallThatTakesNoStreamEndsTheLink() throws Exception {
        Received request = call(agent);
        send(request, MeshFrame.message(request.requestId(), 6, "1"));
        Received goAway = agent.next();
        assertThat(goAway.type()).isEqualTo(MeshFrame.GOAWAY);
        assertThat(goAway.frame().bodyText()).contains("a request without STREAM");
        assertThat(next()).isEqualTo("PROVIDER_ERROR");
    }

    @Test
    void aStreamEndsWithItsLink() throws Exception {
        stream();
        agent.closeLinks();
        assertThat(next()).isEqualTo("PROVIDER_ERROR");
        assertThat(pending()).isZero();
    }

    @Test
    void aStreamGoesOnWhileItsAgentDrainsBesideTheNextLink() throws Exception {
        Received request = stream();
        agent.goAway("paused");
        Await.until("there is another link", () -> agent.openLinks() == 2);
        send(request, MeshFrame.message(request.requestId(), 6, "2"));
        assertThat(next()).isEqualTo("message 2");
        assertReceived(MeshFrame.credit(request.requestId(), 6));
        end(request);
        Await.until("the first link is closed", () -> agent.openLinks() == 1);
    }
}
