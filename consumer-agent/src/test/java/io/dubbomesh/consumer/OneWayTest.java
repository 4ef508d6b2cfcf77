package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class OneWayTest extends AgentTest {
    private static final String ONE_WAY = "X-Dubbo-Oneway: true";

    @Test
    void aOneWayCallIsAnsweredAtOnce() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.json("/a.B/m", "[1]", ONE_WAY, "X-Request-Timeout: 60000"));
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.headers()).containsEntry("content-length", "0").doesNotContainKey("content-type");
        FakeProviderAgent.Frame request = provider.next();
        assertThat(request.flags()).isEqualTo(0x06);
        assertThat(request.requestId()).isNotZero();
        assertThat(request.hex())
                .isEqualTo("0000ea60" + "0000" + "0003612e42" + "00016d" + "00013f" + "0000" + "0000" + "5b315d");
    }

    @Test
    void aFormMayBeOneWayToo() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("hi", "x-dubbo-oneway: true", "X-Dubbo-Class-Names: true"));
        assertThat(client.receive().status()).isEqualTo(202);
        assertThat(provider.next().flags()).isEqualTo(0x0d);
        client.send(HttpClient.form("hi", "X-Dubbo-Oneway: false"));
        FakeProviderAgent.Frame request = provider.next();
        assertThat(request.flags()).isEqualTo(0x01);
        provider.answer(request, 0, Flags.TEXT, "one");
        assertThat(client.receive().body()).isEqualTo("one");
    }

    @Test
    void itTakesNobodysPlaceAndWhatIsAnsweredToItReachesNobody() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1", ONE_WAY) + HttpClient.form("2", ONE_WAY) + HttpClient.form("3"));
        FakeProviderAgent.Frame one = provider.next();
        FakeProviderAgent.Frame two = provider.next();
        FakeProviderAgent.Frame three = provider.next();
        assertThat(two.requestId()).isNotEqualTo(one.requestId());
        assertThat(three.requestId()).isNotEqualTo(two.requestId());
        provider.answer(one, 0, Flags.TEXT, "one");
        provider.refuse(two);
        provider.answer(three, 0, Flags.TEXT, "three");

        assertThat(client.receive().status()).isEqualTo(202);
        assertThat(client.receive().status()).isEqualTo(202);
        assertThat(client.receive().body()).isEqualTo("three");
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void itIsAnsweredInItsTurn() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1") + HttpClient.form("2", ONE_WAY, "Connection: close"));
        FakeProviderAgent.Frame one = provider.next();
        assertThat(provider.next().flags()).isEqualTo(0x05);
        provider.answer(one, 0, Flags.TEXT, "one");

        assertThat(client.receive().body()).isEqualTo("one");
        HttpClient.Answer accepted = client.receive();
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.headers()).containsEntry("connection", "close");
        assertThat(client.isAtEnd()).isTrue();
    }

    @Test
    void itDoesNotWaitForRoom() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient busy = client();
        busy.send(HttpClient.form("1"));
        FakeProviderAgent.Frame one = provider.next();
        HttpClient client = client();

        client.send(HttpClient.form("2", ONE_WAY));
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsKey("retry-after");
        assertThat(answer.body()).contains("OVERLOADED").contains("every endpoint is at its limit");
        provider.answer(one, 0, Flags.TEXT, "one");
        assertThat(busy.receive().body()).isEqualTo("one");
        client.send(HttpClient.form("3", ONE_WAY));
        assertThat(client.receive().status()).isEqualTo(202);
        assertThat(provider.nextRequest().hex()).endsWith("0000000133");
    }

    @Test
    void whatCannotBeSentIsNotAccepted() throws Exception {
        start(Map.of());
        HttpClient client = client();

        client.send(HttpClient.json("/a.B/m", "[]", ONE_WAY));
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("NO_PROVIDER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRUE", "1", "yes", "", "true, true", "truefals"})
    void anythingButTrueAndFalseIsRefused(String value) throws Exception {
        start(Map.of());
        HttpClient client = client();

        client.send(HttpClient.form("1", "X-Dubbo-Oneway: " + value));
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("X-Dubbo-Oneway (expected: true or false)");
        client.send(HttpClient.json("/a.B/m", "1", "X-Dubbo-Oneway: true", "X-Dubbo-Oneway: true"));
        assertThat(client.receive().body()).contains("X-Dubbo-Oneway is given twice");
    }
}
