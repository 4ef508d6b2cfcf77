package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class OneWayTest extends AgentTest {
    private static final String ONE_WAY = "X-Dubbo-Oneway: true";

    @Test
    void aOneWayCallIsAnsweredAtOnce() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[1]", ONE_WAY, "X-Request-Timeout: 60000"));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.headers()).containsEntry("content-length", "0").doesNotContainKey("content-type");
        ProviderPeer.Received request = provider.next();
        assertThat(request.flags()).isEqualTo(0x06);
        assertThat(request.requestId()).isNotZero();
        assertThat(request.body())
                .isEqualTo("0000ea60" + "0000" + "0003612e42" + "00016d" + "00013f" + "0000" + "0000" + "5b315d");
    }

    @Test
    void aFormMayBeOneWayToo() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("hi", "x-dubbo-oneway: true", "X-Dubbo-Class-Names: true"));
        assertThat(client.answer().status()).isEqualTo(202);
        assertThat(provider.next().flags()).isEqualTo(0x0d);
        client.send(Requests.form("hi", "X-Dubbo-Oneway: false"));
        ProviderPeer.Received request = provider.next();
        assertThat(request.flags()).isEqualTo(0x01);
        provider.answer(request, 0, Flags.TEXT, "one");
        assertThat(client.answer().text()).isEqualTo("one");
    }

    @Test
    void aOneWayCallTakesNoPermitAndItsAnswerIsDropped() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("1", ONE_WAY) + Requests.form("2", ONE_WAY) + Requests.form("3"));
        ProviderPeer.Received one = provider.next();
        ProviderPeer.Received two = provider.next();
        ProviderPeer.Received three = provider.next();
        assertThat(two.requestId()).isNotEqualTo(one.requestId());
        assertThat(three.requestId()).isNotEqualTo(two.requestId());
        provider.answer(one, 0, Flags.TEXT, "one");
        provider.refuse(two);
        provider.answer(three, 0, Flags.TEXT, "three");

        assertThat(client.answer().status()).isEqualTo(202);
        assertThat(client.answer().status()).isEqualTo(202);
        assertThat(client.answer().text()).isEqualTo("three");
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void itIsAnsweredInItsTurn() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("1") + Requests.form("2", ONE_WAY, "Connection: close"));
        ProviderPeer.Received one = provider.next();
        assertThat(provider.next().flags()).isEqualTo(0x05);
        provider.answer(one, 0, Flags.TEXT, "one");

        assertThat(client.answer().text()).isEqualTo("one");
        HttpAnswer accepted = client.answer();
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.headers()).containsEntry("connection", "close");
        client.assertEnd();
    }

    @Test
    void itDoesNotWaitForRoom() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket busy = client();
        busy.send(Requests.form("1"));
        ProviderPeer.Received one = provider.next();
        HttpSocket client = client();

        client.send(Requests.form("2", ONE_WAY));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsKey("retry-after");
        assertThat(answer.text()).contains("OVERLOADED").contains("every endpoint is at its limit");
        provider.answer(one, 0, Flags.TEXT, "one");
        assertThat(busy.answer().text()).isEqualTo("one");
        client.send(Requests.form("3", ONE_WAY));
        assertThat(client.answer().status()).isEqualTo(202);
        assertThat(provider.nextRequest().body()).endsWith("0000000133");
    }

    @Test
    void whatCannotBeSentIsNotAccepted() throws Exception {
        start(Map.of());
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[]", ONE_WAY));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("NO_PROVIDER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRUE", "1", "yes", "", "true, true", "truefals"})
    void anythingButTrueAndFalseIsRefused(String value) throws Exception {
        start(Map.of());
        HttpSocket client = client();

        client.send(Requests.form("1", "X-Dubbo-Oneway: " + value));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("X-Dubbo-Oneway (expected: true or false)");
        client.send(Requests.json("/a.B/m", "1", "X-Dubbo-Oneway: true", "X-Dubbo-Oneway: true"));
        assertThat(client.answer().text()).contains("X-Dubbo-Oneway is given twice");
    }
}
