package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the ends of connections: nothing that was accepted is lost, and nothing is held by a client that does not come
 * back.
 */
class ConnectionEndTest extends AgentTest {
    private static final String LARGE = "x".repeat(4 << 20);
    /** Too little for the water marks, too much for the socket buffers of a slow reader. */
    private static final String MEDIUM = "x".repeat(40 << 10);

    private static final Map<String, String> SMALL_SEND_BUFFER = Map.of("tcp.send-buffer", "4 KiB");

    @Test
    void anAnswerLargerThanTheSocketBufferArrivesInFrontOfTheAnswerToAMalformedRequest() throws Exception {
        ProviderPeer provider = provider(180);
        start(SMALL_SEND_BUFFER, provider);
        HttpSocket client = slowReader();

        client.send(Requests.form("hi") + "NO HTTP\r\n\r\n");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);

        assertThat(client.answer().text()).hasSize(LARGE.length());
        assertThat(client.answer().status()).isEqualTo(400);
        client.assertEnd();
    }

    /**
     * Repeated, since epoll was left without a registration only if the client's end came while the loop had other
     * work.
     */
    @RepeatedTest(20)
    void aClientThatEndsItsOutputWhileTheLastAnswerIsWrittenGetsAllOfIt() throws Exception {
        ProviderPeer provider = provider(180);
        start(SMALL_SEND_BUFFER, provider);
        HttpSocket client = slowReader();

        client.send(Requests.form("hi", "Connection: close"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        HttpAnswer head = client.answerHead();
        client.endOutput();
        callOnAnotherConnection(provider);

        assertThat(client.answerBody(head).text()).hasSize(LARGE.length());
        client.assertEnd();
    }

    /** Returns when the only event loop has handled all events before this call. */
    private void callOnAnotherConnection(ProviderPeer provider) throws Exception {
        HttpSocket other = client();
        other.send(Requests.form("other"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "ok");
        assertThat(other.answer().status()).isEqualTo(200);
    }

    @Test
    void aSlowReaderGetsItsAnswerWithinTheGraceOfAShutdown() throws Exception {
        ProviderPeer provider = provider(180);
        start(SMALL_SEND_BUFFER, provider);
        HttpSocket client = slowReader();
        client.send(Requests.form("hi"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        HttpAnswer head = client.answerHead();

        CompletableFuture<Void> stopped = stop(takeAgent());
        assertStillRunsAfterAQuietSecond(stopped);

        assertThat(client.answerBody(head).text()).hasSize(LARGE.length());
        stopped.get();
    }

    @Test
    void anUploadIsAnsweredWithinTheGraceOfAShutdown() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        String request = Requests.form("hi");
        client.send(request.substring(0, request.length() - 1));
        callOnAnotherConnection(provider);

        CompletableFuture<Void> stopped = stop(takeAgent());
        assertStillRunsAfterAQuietSecond(stopped);

        client.send(request.substring(request.length() - 1));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "ok");
        assertThat(client.answer().text()).isEqualTo("ok");
        stopped.get();
    }

    @Test
    void aClientThatAlwaysHasAnotherRequestOnItsWayIsToldWhichOneWasTheLast() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("0"));
        CompletableFuture<Void> stopped = null;
        HttpAnswer answer;
        int next = 0;
        do {
            client.send(Requests.form(String.valueOf(next + 1)));
            provider.answer(provider.nextRequest(), 0, Flags.TEXT, String.valueOf(next));
            answer = client.answer();
            assertThat(answer.text()).isEqualTo(String.valueOf(next));
            next++;
            if (stopped == null) {
                ConsumerAgent agent = takeAgent();
                stopped = CompletableFuture.runAsync(() -> agent.stop(TimeUnit.SECONDS.toNanos(4)));
            }
        } while (!"close".equals(answer.headers().get("connection")));

        client.assertEnd();
        assertThat(provider.hasNone())
                .as("nothing was sent that is not answered")
                .isTrue();
        stopped.get();
    }

    private static CompletableFuture<Void> stop(ConsumerAgent agent) {
        return CompletableFuture.runAsync(() -> agent.stop(TimeUnit.SECONDS.toNanos(20)));
    }

    private static void assertStillRunsAfterAQuietSecond(CompletableFuture<Void> stopped) {
        assertThatThrownBy(() -> stopped.get(1500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aClientThatStopsReadingItsLastAnswerGivesItsConnectionBack() throws Exception {
        ProviderPeer provider = provider(180);
        start(
                Map.of("tcp.send-buffer", "4 KiB", "http.write-timeout", "200 ms", "http.max-connections", "1"),
                provider);
        HttpSocket client = slowReader();
        client.send(Requests.form("hi", "Connection: close"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, MEDIUM);
        client.answerHead();

        Await.until(Duration.ofSeconds(20), "the connection is free again", () -> {
            try (HttpSocket next = client()) {
                return next.call(HttpSocket.request("GET /nothing/here/", "")).status() == 404;
            }
        });
    }

    @Test
    void aClientThatLeavesItsAnswersToTheSystemGivesItsConnectionBack() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.write-timeout", "300 ms", "http.max-connections", "1"), provider);
        HttpSocket client = slowReader();
        client.send(Requests.form("hi"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, MEDIUM);

        Await.until(Duration.ofSeconds(20), "the connection is free again", () -> {
            try (HttpSocket next = client()) {
                return next.call(HttpSocket.request("GET /nothing/here/", "")).status() == 404;
            }
        });
    }

    @Test
    void refusedConnectionsDoNotCountWhileTheyLinger() throws Exception {
        start(Map.of("http.max-connections", "1"));
        HttpSocket served = client();
        assertThat(served.call(HttpSocket.request("GET /nothing/here/", "")).status())
                .isEqualTo(404);
        for (int i = 0; i < 3; i++) {
            // Left open, so that the agent waits for their end.
            assertThat(client().answer().status()).isEqualTo(503);
        }
        served.close();

        Await.until(Duration.ofSeconds(1), "the only connection is free again", () -> {
            try (HttpSocket next = client()) {
                return next.call(HttpSocket.request("GET /nothing/here/", "")).status() == 404;
            }
        });
    }

    @Test
    void anUnfinishedRequestLineDoesNotReachTheNextClient() throws Exception {
        start(Map.of());
        HttpSocket client = client();
        client.send("GET /" + "a".repeat(1000));
        client.endOutput();
        client.assertEnd();

        assertThat(client().call(HttpSocket.request("GET /nothing/here/", "")).status())
                .isEqualTo(404);
    }

    @Test
    void aResetAfterAHalfCloseEndsAConnectionThatIsOwedAResponse() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.max-connections", "1"), provider);
        HttpSocket client = client();
        client.send(Requests.form("hi", "X-Request-Timeout: 30000"));
        client.endOutput();
        provider.nextRequest();
        client.closeByReset();

        Await.until(Duration.ofSeconds(5), "the only connection is free again", () -> {
            try (HttpSocket next = client()) {
                return next.call(HttpSocket.request("GET /nothing/here/", "")).status() == 404;
            }
        });
    }
}
