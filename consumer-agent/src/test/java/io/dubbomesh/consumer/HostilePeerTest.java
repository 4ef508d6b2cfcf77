package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests frames that a provider agent must not send, and the calls of others meanwhile. */
class HostilePeerTest extends AgentTest {
    private static final int MAX_FRAME = 8 * 1024;
    /** The header, and the length of the attachments. */
    private static final int RESPONSE_OVERHEAD = 26;

    private static final String LATE = "dubbomesh_consumer_responses_late_total";

    @Test
    void anAnswerThatNobodyAskedForIsDroppedAndCounted() throws Exception {
        ProviderPeer peer = provider(180);
        start(Map.of(), peer);
        peer.send(MeshFrame.response(0, 0, Flags.TEXT, "", "1") + MeshFrame.response(-1, 0, Flags.TEXT, "", "2"));
        Await.until("both are dropped", () -> scrape().sum(LATE) == 2);

        HttpSocket client = client();
        client.send(Requests.form("hi"));
        ProviderPeer.Received request = peer.nextRequest();
        peer.answer(request, 0, Flags.TEXT, "3");
        peer.answer(request, 0, Flags.TEXT, "4");
        assertThat(client.answer().text()).isEqualTo("3");
        Await.until("the second answer is dropped", () -> scrape().sum(LATE) == 3);

        client.send(Requests.form("hi"));
        peer.answer(peer.nextRequest(), 0, Flags.TEXT, "5");
        assertThat(client.answer().text()).isEqualTo("5");
    }

    @Test
    void anEndpointCannotAnswerTheCallsOfAnother() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer other = provider(180);
        start(Map.of(), one, other);
        HttpSocket client = client();
        client.send(Requests.form("a"));
        Await.until("the call is sent", () -> !one.hasNone() || !other.hasNone());
        ProviderPeer asked = one.hasNone() ? other : one;
        ProviderPeer notAsked = asked == one ? other : one;
        ProviderPeer.Received request = asked.nextRequest();

        notAsked.send(MeshFrame.response(request.requestId(), 0, Flags.TEXT, "", "forged"));
        Await.until("it is dropped", () -> scrape().sum(LATE) == 1);
        asked.answer(request, 0, Flags.TEXT, "1");
        assertThat(client.answer().text()).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Another magic number, another version, reserved bits, an unknown type, an unknown flag.
                "d3e60105 00000000 0000000000000000 00000000 00000000",
                "d3e50205 00000000 0000000000000000 00000000 00000000",
                "d3e50105 00000001 0000000000000000 00000000 00000000",
                "d3e50109 00000000 0000000000000000 00000000 00000000",
                "d3e50104 00800000 0000000000000001 00000000 00000000",
                // Lengths of 2^31 - 1, of -1, and a PING with a body.
                "d3e50104 00000000 0000000000000001 00000000 7fffffff",
                "d3e50104 00000000 0000000000000001 00000000 ffffffff",
                "d3e50105 00000000 0000000000000000 00000000 00000001 00",
                // A REQUEST, a DEFINE, and a RESPONSE whose attachments reach beyond it.
                "d3e50103 00010000 0000000000000001 00000000 00000000",
                "d3e50102 00000000 0000000000000000 00000001 00000000",
                "d3e50104 00010000 0000000000000001 00000000 00000002 0001",
                "d3e50104 00010000 0000000000000001 00000000 00000001 00"
            })
    void aFrameThatIsNoneEndsItsLinkAndAnotherOneIsOpened(String frame) throws Exception {
        ProviderPeer peer = provider(180);
        start(Map.of(), peer);
        peer.send(frame.replace(" ", ""));
        // Until it is ready, calls are refused.
        Await.until(
                "there is a new link", () -> peer.connections() == 2 && scrape().sum("dubbomesh_consumer_links") == 1);

        HttpSocket client = client();
        client.send(Requests.form("hi"));
        ProviderPeer.Received goAway = peer.next();
        assertThat(goAway.type()).isEqualTo(MeshFrame.GOAWAY);
        peer.answer(peer.nextRequest(), 0, Flags.TEXT, "1");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aLimitThatIsNoneIsIgnored(int limit) throws Exception {
        ProviderPeer peer = provider(180);
        start(Map.of(), peer);
        peer.send(MeshFrame.limit(limit) + MeshFrame.frame(MeshFrame.LIMIT, 0, 0, 0, 0, Hex.u32(Integer.MAX_VALUE)));

        HttpSocket client = client();
        client.send(Requests.form("hi"));
        peer.answer(peer.nextRequest(), 0, Flags.TEXT, "1");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    private static void giveBack(ProviderPeer.Received request, String body) throws Exception {
        request.link()
                .send(MeshFrame.frame(
                        MeshFrame.RESPONSE, MeshFrame.NOT_EXECUTED, 0, request.requestId(), 0, Hex.u16(0) + body));
    }

    private static ProviderPeer askedOf(ProviderPeer one, ProviderPeer other) throws Exception {
        Await.until("the call is sent", () -> !one.hasNone() || !other.hasNone());
        return one.hasNone() ? other : one;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, -1})
    void aCallThatComesBackWithAnotherLengthIsSentToNobodyElse(int more) throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer other = provider(180);
        start(Map.of(), one, other);
        HttpSocket client = client();
        client.send(Requests.form("a"));
        ProviderPeer asked = askedOf(one, other);
        ProviderPeer notAsked = asked == one ? other : one;
        ProviderPeer.Received request = asked.nextRequest();

        String body = request.body();
        giveBack(request, more > 0 ? body + "61".repeat(more) : body.substring(0, body.length() + 2 * more));
        client.answer().assertProblem(502, "PROVIDER_ERROR");
        ProviderPeer.Received goAway = asked.next();
        assertThat(goAway.type()).isEqualTo(MeshFrame.GOAWAY);
        assertThat(goAway.frame().bodyText())
                .isEqualTo("RESPONSE: a request given back with " + (body.length() / 2 + more)
                        + " bytes (expected: the " + body.length() / 2 + " that were sent)");
        assertThat(notAsked.hasNone()).isTrue();
    }

    @Test
    void aCallThatComesBackWithShorterNamesIsNotSentAsTooLongAFrame() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer other = provider(180);
        start(Map.of("mesh.max-frame", String.valueOf(MAX_FRAME)), one, other);
        HttpSocket client = client();
        client.send(Requests.form("a"));
        ProviderPeer.Received small = askedOf(one, other).nextRequest();
        one.answer(small, 31, Flags.JSON, "{}");
        client.answer();
        int longest = MAX_FRAME - RESPONSE_OVERHEAD - small.body().length() / 2;
        client.send(Requests.form("a".repeat(1 + longest)));
        ProviderPeer asked = askedOf(one, other);
        ProviderPeer notAsked = asked == one ? other : one;
        ProviderPeer.Received request = asked.nextRequest();
        assertThat(request.methodId()).isZero();
        assertThat(request.body()).hasSize(2 * (MAX_FRAME - RESPONSE_OVERHEAD));

        String attachments = Hex.u32(1000) + Hex.u16(0);
        String names = Hex.u16(0).repeat(5);
        int rest = request.body().length() - attachments.length() - names.length();
        giveBack(request, attachments + names + "61".repeat(rest / 2));
        client.answer().assertProblem(503, "OVERLOADED");
        assertThat(notAsked.hasNone()).isTrue();

        client.send(Requests.form("b"));
        ProviderPeer next = askedOf(one, other);
        next.answer(next.nextRequest(), 0, Flags.TEXT, "1");
        assertThat(client.answer().text()).isEqualTo("1");
        assertThat(one.connections()).isOne();
        assertThat(other.connections()).isOne();
    }
}
