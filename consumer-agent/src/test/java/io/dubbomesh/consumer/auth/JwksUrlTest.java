package io.dubbomesh.consumer.auth;

import io.dubbomesh.testsupport.RecordedLog;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Servers of keys that do not answer as they should. */
@Timeout(30)
class JwksUrlTest {
    private static final long LIMIT_MS = 500;

    private final List<String> taken = new ArrayList<>();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** Answers one request with the beginning, and goes on with a byte now and then for as long as it is read. */
    private void serve(String beginning, String more) {
        CompletableFuture.runAsync(() -> {
            try (Socket client = server.accept()) {
                assertThat(client.getInputStream().read(new byte[4096])).isPositive();
                OutputStream out = client.getOutputStream();
                out.write(beginning.getBytes(US_ASCII));
                out.flush();
                while (!more.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(LIMIT_MS / 10);
                    out.write(more.getBytes(US_ASCII));
                    out.flush();
                }
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            } catch (IOException | InterruptedException e) {
                // It has left.
            }
        });
    }

    private JwksUrl fetched() {
        JwksUrl url = new JwksUrl(
                URI.create("http://127.0.0.1:" + server.getLocalPort()),
                taken::add,
                0,
                LIMIT_MS,
                Ticker.systemTicker());
        url.fetchIfDue();
        return url;
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX-Long: ", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"})
    void oneThatDripsIsLeft(String beginning) {
        serve(beginning, "a");
        long startNs = System.nanoTime();
        assertThat(fetched().isLoaded()).isFalse();
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(10 * LIMIT_MS));
        assertThat(taken).isEmpty();
    }

    @Test
    void oneThatSendsTooMuchIsLeft() {
        serve("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + " ".repeat(SigningKeys.MAX_BYTES + 1), "");
        assertThat(fetched().isLoaded()).isFalse();
        assertThat(taken).isEmpty();
    }

    @Test
    void theLogDoesNotHaveTheValuesOfItsOptions() {
        try (RecordedLog log = new RecordedLog(JwksUrl.class)) {
            serve("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "");
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/keys?code=";
            new JwksUrl(URI.create(url + "s3cret"), taken::add, 0, LIMIT_MS, Ticker.systemTicker()).fetchIfDue();
            assertThat(log.lines())
                    .containsExactly(
                            "http.auth.jwks: " + url + "...: status 403 (expected: 200); no JWT can be verified yet");
        }
    }

    @Test
    void oneThatSendsElsewhereIsNotFollowed() {
        serve("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "");
        assertThat(fetched().isLoaded()).isFalse();
        assertThat(taken).isEmpty();
    }
}
