package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How connections end: nothing that was accepted is lost, and nothing is held by a client that does not come back. */
class ConnectionEndTest extends AgentTest {
    private static final String LARGE = "x".repeat(4 << 20);
    /** Too little for the water marks, too much for the socket buffers of a slow reader. */
    private static final String MEDIUM = "x".repeat(40 << 10);

    private static final Map<String, String> SMALL_SEND_BUFFER = Map.of("tcp.send-buffer", "4 KiB");

    @Test
    void anAnswerLargerThanTheSocketBufferArrivesInFrontOfTheAnswerToAMalformedRequest() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(SMALL_SEND_BUFFER, provider);
        HttpClient client = slowReader();

        client.send(HttpClient.form("hi") + "NO HTTP\r\n\r\n");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);

        assertThat(client.receive().body()).hasSize(LARGE.length());
        assertThat(client.receive().status()).isEqualTo(400);
        assertThat(client.isAtEnd()).isTrue();
    }

    /** Repeated, since epoll was left without a registration only if the client's end came while the loop had other work. */
    @RepeatedTest(20)
    void aClientThatEndsItsOutputWhileTheLastAnswerIsWrittenGetsAllOfIt() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(SMALL_SEND_BUFFER, provider);
        HttpClient client = slowReader();

        client.send(HttpClient.form("hi", "Connection: close"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        HttpClient.Answer head = client.receiveHead();
        client.endOutput();
        callOnAnotherConnection(provider);

        assertThat(client.receiveBody(head).body()).hasSize(LARGE.length());
        assertThat(client.isAtEnd()).isTrue();
    }

    /** Whatever the only event loop was to hear before this, it has heard. */
    private void callOnAnotherConnection(FakeProviderAgent provider) throws Exception {
        HttpClient other = client();
        other.send(HttpClient.form("other"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "ok");
        assertThat(other.receive().status()).isEqualTo(200);
    }

    @Test
    void aSlowReaderGetsItsAnswerWithinTheGraceOfAShutdown() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(SMALL_SEND_BUFFER, provider);
        HttpClient client = slowReader();
        client.send(HttpClient.form("hi"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        HttpClient.Answer head = client.receiveHead();

        CompletableFuture<Void> stopped = stop(takeAgent());
        assertStillRunsAfterAQuietSecond(stopped);

        assertThat(client.receiveBody(head).body()).hasSize(LARGE.length());
        stopped.get();
    }

    @Test
    void anUploadIsAnsweredWithinTheGraceOfAShutdown() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();
        String request = HttpClient.form("hi");
        client.send(request.substring(0, request.length() - 1));
        callOnAnotherConnection(provider);

        CompletableFuture<Void> stopped = stop(takeAgent());
        assertStillRunsAfterAQuietSecond(stopped);

        client.send(request.substring(request.length() - 1));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "ok");
        assertThat(client.receive().body()).isEqualTo("ok");
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
        FakeProviderAgent provider = provider(180);
        start(
                Map.of("tcp.send-buffer", "4 KiB", "http.write-timeout", "200 ms", "http.max-connections", "1"),
                provider);
        HttpClient client = slowReader();
        client.send(HttpClient.form("hi", "Connection: close"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, MEDIUM);
        client.receiveHead();

        int status = 503;
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (status == 503 && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            try (HttpClient next = client()) {
                next.send(HttpClient.request("GET /nothing/here/", ""));
                status = next.receive().status();
            }
        }
        assertThat(status).isEqualTo(404);
    }
}
