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

/** What a provider agent must not send, and what becomes of the calls of others. */
class HostilePeerTest extends AgentTest {
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
}
