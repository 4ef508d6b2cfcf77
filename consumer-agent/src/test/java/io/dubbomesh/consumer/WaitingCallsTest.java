package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** CallDispatcher for which no provider agent has room. */
class WaitingCallsTest extends AgentTest {
    @Test
    void callsBeyondTheLimitWaitInOrder() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("1") + Requests.form("2") + Requests.form("3"));
        ProviderPeer.Received one = provider.nextRequest();
        assertThat(one.body()).endsWith("0000000131");
        assertThat(provider.hasNone()).isTrue();
        provider.answer(one, 0, Flags.TEXT, "one");
        ProviderPeer.Received two = provider.nextRequest();
        assertThat(two.body()).endsWith("0000000132");
        provider.answer(two, 0, Flags.TEXT, "two");
        ProviderPeer.Received three = provider.nextRequest();
        assertThat(three.body()).endsWith("0000000133");
        provider.answer(three, 0, Flags.TEXT, "three");

        assertThat(client.answer().text()).isEqualTo("one");
        assertThat(client.answer().text()).isEqualTo("two");
        assertThat(client.answer().text()).isEqualTo("three");
    }

    @Test
    void aCallThatWaitsIsSentWhenARefusalExpiresThoughNoCallIsAnswered() throws Exception {
        ProviderPeer provider = provider(2);
        start(Map.of("io.threads", "2"), provider);
        HttpSocket client = client();

        client.send(Requests.form("1") + Requests.form("2"));
        provider.nextRequest();
        // Beyond its share of the limit, the loop goes on only as long as it is not refused.
        provider.refuse(provider.nextRequest());
        client.send(Requests.form("3", "X-Request-Timeout: 60000"));
        assertThat(provider.nextRequest().body()).endsWith("0000000133");
    }

    @Test
    void callsAreSentUpToTheLimitThatTheAgentHasToldLast() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1") + Requests.form("2") + Requests.form("3") + Requests.form("4"));
        ProviderPeer.Received one = provider.nextRequest();
        awaitReadBefore();
        assertThat(provider.hasNone()).isTrue();

        one.link().send(MeshFrame.limit(3));
        ProviderPeer.Received two = provider.nextRequest();
        ProviderPeer.Received three = provider.nextRequest();
        assertThat(three.body()).endsWith("0000000133");
        one.link().send(MeshFrame.limit(2));
        provider.answer(one, 0, Flags.TEXT, "one");
        assertThat(client.answer().text()).isEqualTo("one");
        assertThat(provider.hasNone()).as("two are in flight").isTrue();
        provider.answer(two, 0, Flags.TEXT, "two");

        assertThat(provider.nextRequest().body()).endsWith("0000000134");
    }

    @Test
    void servicesThatWaitForAnEndpointGetItsRoomInTurn() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket first = client();
        first.send(call("a.B", "A1") + call("a.B", "A2") + call("a.B", "A3") + call("a.B", "A4"));
        ProviderPeer.Received request = provider.nextRequest();
        HttpSocket second = client();
        second.send(call("a.C", "B1") + call("a.C", "B2"));
        awaitReadBefore();

        for (String next : List.of("A2", "B1", "A3", "B2", "A4")) {
            provider.answer(request, 0, Flags.TEXT, "");
            request = provider.nextRequest();
            assertThat(request.body()).endsWith(hex(next));
        }
    }

    @Test
    void aServiceWithoutACallThatWaitsDoesNotTakeTheRoomThatOthersWaitFor() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of("http.max-pipelined", "1"), provider);
        HttpSocket first = client();
        // The second request is read when the first one is answered, before the queue is served.
        first.send(call("a.B", "A1") + call("a.B", "A2"));
        ProviderPeer.Received request = provider.nextRequest();
        HttpSocket second = client();
        second.send(call("a.C", "B1"));
        awaitReadBefore();

        provider.answer(request, 0, Flags.TEXT, "");
        request = provider.nextRequest();
        assertThat(request.body()).endsWith(hex("B1"));
        provider.answer(request, 0, Flags.TEXT, "");
        assertThat(provider.nextRequest().body()).endsWith(hex("A2"));
    }

    /** How long the answers of a method are, or whether there is one, only its first answer tells. */
    @Test
    void callsOfANewMethodGetHalfOfTheRoomUntilOneIsExecuted() throws Exception {
        ProviderPeer provider = provider(4);
        start(Map.of(), provider);
        HttpSocket known = client();
        known.send(call("a.B", "A0"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "");
        known.answer();

        client().send(callOfNew("B1") + callOfNew("B2") + callOfNew("B3") + callOfNew("B4") + callOfNew("B5"));
        ProviderPeer.Received first = provider.nextRequest();
        assertThat(first.body()).endsWith(hex("B1"));
        assertThat(provider.nextRequest().body()).endsWith(hex("B2"));
        awaitReadBefore();
        assertThat(provider.hasNone()).as("the others wait").isTrue();
        known.send(call("a.B", "A1") + call("a.B", "A2") + call("a.B", "A3"));
        ProviderPeer.Received ofKnown = provider.nextRequest();
        assertThat(ofKnown.body()).endsWith(hex("A1"));
        assertThat(provider.nextRequest().body()).endsWith(hex("A2"));
        awaitReadBefore();

        // What was executed before is not bounded; those that wait share the room in turn.
        provider.answer(ofKnown, 0, Flags.TEXT, "");
        assertThat(provider.nextRequest().body()).endsWith(hex("A3"));
        provider.answer(first, 0, Flags.TEXT, "");
        assertThat(provider.nextRequest().body()).endsWith(hex("B3"));
    }

    @Test
    void aMethodThatWasCalledFirstGetsHalfOfTheRoomWhenAnotherWasExecuted() throws Exception {
        ProviderPeer provider = provider(4);
        start(Map.of(), provider);
        client().send(callOfNew("B1"));
        provider.nextRequest();
        HttpSocket known = client();
        known.send(call("a.B", "A0"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "");
        known.answer();

        client().send(callOfNew("B2") + callOfNew("B3") + callOfNew("B4"));
        assertThat(provider.nextRequest().body()).endsWith(hex("B2"));
        assertThat(provider.nextRequest().body()).endsWith(hex("B3"));
        awaitReadBefore();
        known.send(call("a.B", "A1"));
        assertThat(provider.nextRequest().body()).endsWith(hex("A1"));
    }

    @Test
    void callsOfNewMethodsGetHalfOfTheQueue() throws Exception {
        ProviderPeer provider = provider(2);
        start(Map.of("queue.size", "4"), provider);
        HttpSocket known = client();
        known.send(call("a.B", "A0"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "");
        known.answer();

        client().send(callOf("n", "B1") + callOf("o", "B2") + callOf("p", "B3"));
        assertThat(provider.nextRequest().body()).endsWith(hex("B1"));
        awaitReadBefore();
        HttpAnswer beyondHalf = client().call(callOf("q", "B4"));
        beyondHalf.assertProblem(503, "OVERLOADED");
        assertThat(beyondHalf.text())
                .contains("every endpoint is at its limit (half of it for methods that were never executed) and half of"
                        + " the queue is taken by calls of such methods; 1 endpoint");
        known.send(call("a.B", "A1") + call("a.B", "A2") + call("a.B", "A3"));
        ProviderPeer.Received ofKnown = provider.nextRequest();
        assertThat(ofKnown.body()).endsWith(hex("A1"));
        awaitReadBefore();
        HttpAnswer beyondAll = client().call(call("a.B", "A4"));
        beyondAll.assertProblem(503, "OVERLOADED");
        assertThat(beyondAll.text()).contains("every endpoint is at its limit and the queue is full; 1 endpoint");

        for (String next : List.of("A2", "A3")) {
            provider.answer(ofKnown, 0, Flags.TEXT, "");
            ofKnown = provider.nextRequest();
            assertThat(ofKnown.body()).endsWith(hex(next));
        }
    }

    private static String callOfNew(String parameter) {
        return callOf("n", parameter);
    }

    /** @param method of one letter, as the length of the request is known by then */
    private static String callOf(String method, String parameter) {
        return call("a.B", parameter).replace("method=m&", "method=" + method + "&");
    }

    @Test
    void aCallThatWouldWaitTooLongIsRefusedAtOnce() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket first = client();
        first.send(call("a.B", "A1", "X-Request-Timeout: 60000") + call("a.B", "A2", "X-Request-Timeout: 60000"));
        ProviderPeer.Received request = provider.nextRequest();
        // Longer than a burst may wait; then, as long as no call has been answered, five for each call in service may
        // wait.
        TimeUnit.MILLISECONDS.sleep(300);
        String longTimeout = "X-Request-Timeout: 60000";
        for (String parameter : List.of("A3", "A4", "A5", "A6")) {
            first.send(call("a.B", parameter, longTimeout));
        }
        awaitReadBefore();
        HttpSocket client = client();

        HttpAnswer answer = client.call(call("a.B", "A7", longTimeout));
        answer.assertProblem(503, "OVERLOADED");
        assertThat(answer.text()).contains("the queue is too long");
        for (String next : List.of("A2", "A3", "A4", "A5", "A6")) {
            provider.answer(request, 0, Flags.TEXT, "");
            request = provider.nextRequest();
            assertThat(request.body()).endsWith(hex(next));
        }
    }

    @Test
    void aCallThatWouldNotBeServedBeforeItsDeadlineIsRefusedAtOnce() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket first = client();
        first.send(call("a.B", "A1") + call("a.B", "A2"));
        ProviderPeer.Received request = provider.nextRequest();
        TimeUnit.MILLISECONDS.sleep(200);
        HttpSocket client = client();

        HttpAnswer answer = client.call(call("a.B", "A3", "X-Request-Timeout: 150"));
        answer.assertProblem(503, "OVERLOADED");
        client.send(call("a.B", "A4"));
        awaitReadBefore();
        for (String next : List.of("A2", "A4")) {
            provider.answer(request, 0, Flags.TEXT, "");
            request = provider.nextRequest();
            assertThat(request.body()).endsWith(hex(next));
        }
    }

    /** What waits for a connection has nothing to do with how fast calls were served before. */
    @Test
    void callsThatWaitForTheirEndpointToBeConnectedAreNotRefusedForTheirNumber(@TempDir Path directory)
            throws Exception {
        ProviderPeer provider = provider(1);
        register(directory, provider.port());
        startWithRegistry(Map.of(), "file:" + directory);
        HttpSocket first = client();
        first.send(call("a.B", "A1") + call("a.B", "A2"));
        ProviderPeer.Received request = provider.nextRequest();
        TimeUnit.MILLISECONDS.sleep(200);
        provider.answer(request, 0, Flags.TEXT, "");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "");
        first.answer();
        first.answer();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            register(directory, silent.getLocalPort());
            try (Socket link = silent.accept()) {
                provider.close();
                String state =
                        "GET /api/v1/endpoints/127.0.0.1:" + provider.port() + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
                Await.until(
                        "the other is away",
                        () -> HttpSocket.once(adminPort(), state).text().contains("\"alive\":false"));
                first.send(call("a.B", "A3"));
                awaitReadBefore();

                HttpAnswer answer = client().call(call("a.B", "A4", "X-Request-Timeout: 100"));
                assertThat(link.isConnected()).isTrue();
                answer.assertProblem(504, "TIMEOUT");
            }
        }
    }

    private static void register(Path directory, int port) throws IOException {
        Path entry = directory.resolve("a.B").resolve("127.0.0.1_" + port);
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "{\"weight\":1}");
    }

    /** Each event loop has a half of the limit, and uses the other half only as far as the other loop does not. */
    @Test
    void eventLoopsTogetherDoNotExceedTheLimit() throws Exception {
        ProviderPeer provider = provider(2);
        start(Map.of("io.threads", "2"), provider);
        client().send(call("a.B", "A1"));
        ProviderPeer.Received first = provider.nextRequest();
        client().send(call("a.B", "A2"));
        provider.nextRequest();
        for (int i = 0; i < 4; i++) {
            client().send(call("a.B", "A3"));
        }
        for (int i = 0; i < 4; i++) {
            awaitReadBefore();
        }

        assertThat(provider.hasNone()).isTrue();
        provider.answer(first, 0, Flags.TEXT, "");
        assertThat(provider.nextRequest().body()).endsWith(hex("A3"));
    }

    @Test
    void callsBeyondTheQueueAreAnsweredAtOnce() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of("queue.size", "1"), provider);
        HttpSocket first = client();
        first.send(Requests.form("1") + Requests.form("2"));
        ProviderPeer.Received one = provider.nextRequest();
        HttpSocket client = client();

        client.send(Requests.form("3"));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("OVERLOADED").contains("queue is full");
        provider.answer(one, 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        assertThat(first.answer().text()).isEqualTo("one");
        assertThat(first.answer().text()).isEqualTo("two");
    }

    @Test
    void callsThatWaitAreBoundedByTheirBytesToo() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of("queue.bytes", "2000"), provider);
        HttpSocket first = client();
        first.send(Requests.form("1") + Requests.form("x".repeat(1500)));
        ProviderPeer.Received one = provider.nextRequest();
        HttpSocket client = client();

        client.send(Requests.form("x".repeat(500)));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("OVERLOADED").contains("queue is full");
        client.send(Requests.form("3"));
        provider.answer(one, 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "three");
        assertThat(first.answer().text()).isEqualTo("one");
        assertThat(first.answer().text()).isEqualTo("two");
        assertThat(client.answer().text()).isEqualTo("three");
    }

    @Test
    void aCallThatWaitsOrIsUnansweredEndsAtItsDeadlineAndALateAnswerIsDropped() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("1", "X-Request-Timeout: 1000"));
        ProviderPeer.Received late = provider.nextRequest();
        HttpSocket waiting = client();
        waiting.send(Requests.form("2", "X-Request-Timeout: 50"));
        assertThat(waiting.answer().status()).isEqualTo(504);
        assertThat(client.answer().text()).contains("TIMEOUT");
        provider.answer(late, 0, Flags.TEXT, "late");

        client.send(Requests.form("3"));
        ProviderPeer.Received third = provider.nextRequest();
        assertThat(third.body()).endsWith("0000000133");
        provider.answer(third, 0, Flags.TEXT, "three");
        assertThat(client.answer().text()).isEqualTo("three");
    }

    @Test
    void callsThatWaitAreAnsweredWhenTheirAgentsAreLostWhateverTheirService() throws Exception {
        ProviderPeer provider = provider(1);
        ProviderPeer other = provider(1);
        start(Map.of(), provider, other);
        HttpSocket busy = client();
        busy.send(Requests.form("1") + Requests.form("2"));
        provider.nextRequest();
        other.nextRequest();
        List<HttpSocket> waiting = new ArrayList<>();
        for (String service : List.of("a.B", "a.C", "a.D", "a.E")) {
            HttpSocket client = client();
            client.send(Requests.form("3").replace("=a.B&", "=" + service + "&"));
            // Answered in order and by this side, so the request in front of it has been taken.
            client.send("GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n");
            waiting.add(client);
        }
        HttpSocket last = client();
        last.send("GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(last.answer().status()).isEqualTo(404);
        provider.close();
        other.close();

        assertThat(busy.answer().status()).isEqualTo(502);
        for (HttpSocket client : waiting) {
            assertThat(client.answer().text()).contains("NO_PROVIDER");
        }
    }

    private static String call(String service, String parameter, String... headers) {
        return Requests.form(parameter, headers).replace("=a.B&", "=" + service + "&");
    }

    private static String hex(String parameter) {
        return ByteBufUtil.hexDump(parameter.getBytes(US_ASCII));
    }

    /** Returns when all requests that were sent before have been read: those of the one event loop are read in turn. */
    private void awaitReadBefore() throws IOException {
        for (int turn = 0; turn < 2; turn++) {
            assertThat(client().call("GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(404);
        }
    }
}
