package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Tests the times of its call that a client gets. */
class TimesTest extends AgentTest {
    private static final String TIMED = "X-Mesh-Timing: true";
    private static final int TELLS_TIMING = 0x02;

    private ProviderPeer timingProvider(int limit) throws IOException {
        return opened(new ProviderPeer(MeshFrame.hello(limit, 4096, TELLS_TIMING)));
    }

    /** An attachment, without the length of all of them. */
    private static String timing(String value) {
        return MeshFrame.attachments(":timing", value).substring(4);
    }

    @Test
    void anAnswerSaysHowLongItsCallWasWhere() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1", TIMED));
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(request.flags()).isEqualTo(0x11);
        provider.answer(request, 0, Flags.TEXT, timing("1000 2000 127.0.0.1:20880"), "one");

        HttpAnswer answer = client.answer();
        assertThat(answer.text()).isEqualTo("one");
        assertThat(answer.headers()).containsEntry("x-mesh-endpoint", "127.0.0.1:" + provider.port());
        assertThat(answer.headers().keySet())
                .noneMatch(name -> name.contains("timing") && !name.equals("server-timing"));
        Map<String, Double> stages = stages(answer);
        assertThat(stages).containsOnlyKeys("agent", "queue", "mesh", "provider-queue", "provider", "total");
        assertThat(stages)
                .containsEntry("queue", 0.0)
                .containsEntry("provider-queue", 0.001)
                .containsEntry("provider", 0.002);
        assertThat(stages.get("mesh")).isPositive();
        assertThat(stages.get("agent")).isPositive();
        assertThat(sumOfParts(stages)).isCloseTo(stages.get("total"), within(0.01));
    }

    /**
     * An entry that is left half behind would end in the middle of a number that stands in the next one, at the end of
     * the buffer.
     */
    @Test
    void aRequestWhoseAttachmentsAreRejectedHasItsAnswer() throws Exception {
        start(Map.of(), timingProvider(180));
        HttpSocket client = client();
        String rejected =
                Requests.form("1", TIMED, "X-Dubbo-Attachment-path: x", "X-Dubbo-Attachment-foo: " + "a".repeat(243));
        client.send(rejected + rejected);

        assertThat(client.answer().status()).isEqualTo(400);
        assertThat(client.answer().text()).contains("attachment path is reserved");
    }

    @Test
    void onlyAnAnswerWhoseRequestAsksForItSaysSo() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1")
                + Requests.form("2", "X-Mesh-Timing: false")
                + Requests.form("3", TIMED)
                + Requests.form("4"));
        int[] flags = {0x01, 0x01, 0x11, 0x01};
        for (int each : flags) {
            ProviderPeer.Received request = provider.nextRequest();
            assertThat(request.flags()).isEqualTo(each);
            provider.answer(request, 0, Flags.TEXT, "x");
        }
        for (int each : flags) {
            assertThat(client.answer().headers().containsKey("server-timing")).isEqualTo(each == 0x11);
        }
    }

    @Test
    void aProviderAgentThatDoesNotKnowTheFlagIsNotSentIt() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1", TIMED));
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(request.flags()).isEqualTo(0x01);
        provider.answer(request, 0, Flags.TEXT, "one");

        Map<String, Double> stages = stages(client.answer());
        assertThat(stages).containsOnlyKeys("agent", "queue", "upstream", "total");
        assertThat(sumOfParts(stages)).isCloseTo(stages.get("total"), within(0.01));
    }

    @Test
    void aCallThatIsGivenBackIsTimedAtItsSecondEndpointAsFarAsThatOneCan() throws Exception {
        ProviderPeer old = provider(180);
        ProviderPeer other = timingProvider(180);
        start(Map.of(), old, other);
        HttpSocket client = client();
        for (int i = 0; i < 2; i++) {
            client.send(Requests.form("1", TIMED));
            Await.until("a frame comes", () -> !old.hasNone() || !other.hasNone());
            ProviderPeer first = old.hasNone() ? other : old;
            ProviderPeer second = first == old ? other : old;
            first.refuse(first.nextRequest());
            ProviderPeer.Received request = second.nextRequest();
            assertThat(request.flags()).isEqualTo(second == other ? 0x11 : 0x01);
            second.answer(request, 0, Flags.TEXT, "one");
            HttpAnswer answer = client.answer();
            assertThat(answer.headers()).containsEntry("x-mesh-endpoint", "127.0.0.1:" + second.port());
            assertThat(stages(answer)).containsKey("upstream");
        }
    }

    @Test
    void theTimeInTheQueueIsToldApart() throws Exception {
        ProviderPeer provider = timingProvider(1);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1") + Requests.form("2", TIMED));
        ProviderPeer.Received first = provider.nextRequest();
        Await.until("the second waits", () -> scrape().sum("dubbomesh_consumer_requests_waiting") == 1);
        provider.answer(first, 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, timing("0 1 a:1"), "two");

        client.answer();
        Map<String, Double> stages = stages(client.answer());
        assertThat(stages.get("queue")).isPositive();
        assertThat(sumOfParts(stages)).isCloseTo(stages.get("total"), within(0.01));
    }

    @Test
    void aFailureIsTimedAsFarAsItWent() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1", TIMED, "X-Request-Timeout: 50"));
        provider.nextRequest();
        HttpAnswer late = client.answer();
        assertThat(late.status()).isEqualTo(504);
        assertThat(stages(late)).containsOnlyKeys("agent", "queue", "upstream", "total");
        assertThat(stages(late).get("upstream")).isGreaterThan(40);

        client.send(Requests.json("/a.B", "[]", TIMED));
        HttpAnswer refused = client.answer();
        assertThat(refused.status()).isEqualTo(405);
        assertThat(stages(refused)).containsOnlyKeys("agent", "queue", "total").containsEntry("queue", 0.0);
    }

    @Test
    void aOneWayCallIsNotTimedAtTheProvider() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1", TIMED, "X-Dubbo-Oneway: true"));

        assertThat(provider.nextRequest().flags()).isEqualTo(0x05);
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(202);
        assertThat(stages(answer)).containsOnlyKeys("agent", "queue", "upstream", "total");
    }

    @Test
    void theEndpointIsNotNamedIfTheSettingsWantItNever() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of("http.endpoint-header", "never"), provider);
        HttpSocket client = client();
        client.send(Requests.form("1", TIMED));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");

        assertThat(client.answer().headers()).containsKey("server-timing").doesNotContainKey("x-mesh-endpoint");
    }

    @Test
    void answersThatWaitForEarlierOnesHaveTheirOwnTimes() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1", TIMED) + Requests.form("2", TIMED));
        ProviderPeer.Received first = provider.nextRequest();
        ProviderPeer.Received second = provider.nextRequest();
        provider.answer(second, 0, Flags.TEXT, timing("0 2000000 a:1"), "two");
        provider.answer(first, 0, Flags.TEXT, timing("0 1000000 a:1"), "one");

        assertThat(stages(client.answer())).containsEntry("provider", 1.0);
        assertThat(stages(client.answer())).containsEntry("provider", 2.0);
    }

    @Test
    void aClientThatLeavesLeavesNothingBehind() throws Exception {
        ProviderPeer provider = timingProvider(180);
        start(Map.of(), provider);
        HttpSocket leaving = client();
        leaving.send(Requests.form("1", TIMED));
        ProviderPeer.Received request = provider.nextRequest();
        leaving.closeByReset();
        Await.until("the agent has noticed", () -> scrape().sum("dubbomesh_consumer_requests_abandoned_total") == 1);
        HttpSocket client = client();
        client.send(Requests.form("2"));
        provider.answer(request, 0, Flags.TEXT, timing("0 1 a:1"), "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");

        HttpAnswer answer = client.answer();
        assertThat(answer.text()).isEqualTo("two");
        assertThat(answer.headers()).doesNotContainKey("server-timing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "yes", ""})
    void anythingButTrueAndFalseIsRefused(String value) throws Exception {
        start(Map.of());
        HttpSocket client = client();
        client.send(Requests.form("1", "X-Mesh-Timing: " + value));
        assertThat(client.answer().text()).contains("X-Mesh-Timing (expected: true or false)");
    }

    /** In milliseconds. */
    private static Map<String, Double> stages(HttpAnswer answer) {
        Map<String, Double> stages = new LinkedHashMap<>();
        for (String stage : answer.headers().get("server-timing").split(", ")) {
            String[] parts = stage.split(";dur=");
            stages.put(parts[0], Double.valueOf(parts[1]));
        }
        return stages;
    }

    private static double sumOfParts(Map<String, Double> stages) {
        return stages.values().stream().mapToDouble(Double::doubleValue).sum() - stages.get("total");
    }
}
