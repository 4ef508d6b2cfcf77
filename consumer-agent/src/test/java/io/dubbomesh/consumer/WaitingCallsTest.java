package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** CallDispatcher for which no provider agent has room. */
class WaitingCallsTest extends AgentTest {
    @Test
    void callsBeyondTheLimitWaitInOrder() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1") + HttpClient.form("2") + HttpClient.form("3"));
        FakeProviderAgent.Frame one = provider.nextRequest();
        assertThat(one.hex()).endsWith("0000000131");
        assertThat(provider.hasNone()).isTrue();
        provider.answer(one, 0, Flags.TEXT, "one");
        FakeProviderAgent.Frame two = provider.nextRequest();
        assertThat(two.hex()).endsWith("0000000132");
        provider.answer(two, 0, Flags.TEXT, "two");
        FakeProviderAgent.Frame three = provider.nextRequest();
        assertThat(three.hex()).endsWith("0000000133");
        provider.answer(three, 0, Flags.TEXT, "three");

        assertThat(client.receive().body()).isEqualTo("one");
        assertThat(client.receive().body()).isEqualTo("two");
        assertThat(client.receive().body()).isEqualTo("three");
    }

    @Test
    void aCallThatWaitsIsSentOnceARefusalIsForgottenThoughNothingIsAnswered() throws Exception {
        FakeProviderAgent provider = provider(2);
        start(Map.of("io.threads", "2"), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1") + HttpClient.form("2"));
        provider.nextRequest();
        // Beyond its share of the limit, the loop goes on only as long as it is not refused.
        provider.refuse(provider.nextRequest());
        client.send(HttpClient.form("3", "X-Request-Timeout: 60000"));
        assertThat(provider.nextRequest().hex()).endsWith("0000000133");
    }

    @Test
    void callsBeyondTheQueueAreAnsweredAtOnce() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of("queue.size", "1"), provider);
        HttpClient first = client();
        first.send(HttpClient.form("1") + HttpClient.form("2"));
        FakeProviderAgent.Frame one = provider.nextRequest();
        HttpClient client = client();

        client.send(HttpClient.form("3"));
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("OVERLOADED").contains("queue is full");
        provider.answer(one, 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        assertThat(first.receive().body()).isEqualTo("one");
        assertThat(first.receive().body()).isEqualTo("two");
    }

    @Test
    void callsThatWaitAreBoundedByTheirBytesToo() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of("queue.bytes", "2000"), provider);
        HttpClient first = client();
        first.send(HttpClient.form("1") + HttpClient.form("x".repeat(1500)));
        FakeProviderAgent.Frame one = provider.nextRequest();
        HttpClient client = client();

        client.send(HttpClient.form("x".repeat(500)));
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("OVERLOADED").contains("queue is full");
        client.send(HttpClient.form("3"));
        provider.answer(one, 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "three");
        assertThat(first.receive().body()).isEqualTo("one");
        assertThat(first.receive().body()).isEqualTo("two");
        assertThat(client.receive().body()).isEqualTo("three");
    }

    @Test
    void aCallThatWaitsOrIsUnansweredEndsAtItsDeadlineAndALateAnswerReachesNobody() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1", "X-Request-Timeout: 200"));
        FakeProviderAgent.Frame late = provider.nextRequest();
        HttpClient waiting = client();
        waiting.send(HttpClient.form("2", "X-Request-Timeout: 50"));
        assertThat(waiting.receive().status()).isEqualTo(504);
        assertThat(client.receive().body()).contains("TIMEOUT");
        provider.answer(late, 0, Flags.TEXT, "late");

        client.send(HttpClient.form("3"));
        FakeProviderAgent.Frame third = provider.nextRequest();
        assertThat(third.hex()).endsWith("0000000133");
        provider.answer(third, 0, Flags.TEXT, "three");
        assertThat(client.receive().body()).isEqualTo("three");
    }

    @Test
    void callsThatWaitForAgentsThatDieAreAnsweredWhateverServiceTheyAreFor() throws Exception {
        FakeProviderAgent provider = provider(1);
        FakeProviderAgent other = provider(1);
        start(Map.of(), provider, other);
        HttpClient busy = client();
        busy.send(HttpClient.form("1") + HttpClient.form("2"));
        provider.nextRequest();
        other.nextRequest();
        List<HttpClient> waiting = new ArrayList<>();
        for (String service : List.of("a.B", "a.C", "a.D", "a.E")) {
            HttpClient client = client();
            client.send(HttpClient.form("3").replace("=a.B&", "=" + service + "&"));
            // Answered in order and by this side, so the request in front of it has been taken.
            client.send("GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n");
            waiting.add(client);
        }
        HttpClient last = client();
        last.send("GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(last.receive().status()).isEqualTo(404);
        provider.close();
        other.close();

        assertThat(busy.receive().status()).isEqualTo(502);
        for (HttpClient client : waiting) {
            assertThat(client.receive().body()).contains("NO_PROVIDER");
        }
    }
}
