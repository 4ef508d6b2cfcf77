package io.dubbomesh.benchmark.connections;

import io.dubbomesh.benchmark.codec.HttpCodecServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ConnectionsLoadTest {
    private static final int WARM_UP = 100;

    @Test
    void callsOnEveryConnectionAtItsRate() throws Exception {
        try (HttpCodecServer server = HttpCodecServer.start(0, 1)) {
            List<String> lines = run(settings(server.port(), "connections", "300", "rate", "5", "seconds", "1"), "");
            assertThat(lines).hasSize(2).first().isEqualTo("connected 300");
            Map<String, Long> result = result(lines);
            assertThat(result)
                    .containsEntry("connections", 300L)
                    .containsEntry("requests", 1500L)
                    .containsEntry("socket_errors", 0L)
                    .containsEntry("timeouts", 0L)
                    .containsEntry("bad_statuses", 0L)
                    .containsEntry("wrong", 0L);
            assertThat(result.get("duration_us")).isGreaterThan(990_000);
            assertThat(result.get("p50_us")).isPositive().isLessThanOrEqualTo(result.get("max_us"));
        }
    }

    @Test
    void callsOnceOnEveryConnectionThatWasIdleAfterThePause() throws Exception {
        try (HttpCodecServer server = HttpCodecServer.start(0, 1)) {
            List<String> lines =
                    run(settings(server.port(), "connections", "50", "seconds", "1", "pause", "true"), "\n");
            assertThat(lines).hasSize(3).startsWith("connected 50", "paused");
            assertThat(result(lines)).containsEntry("requests", 50L).containsEntry("wrong", 0L);
        }
    }

    @Test
    void doesNotGoOnWithoutALineAfterThePause() throws Exception {
        try (HttpCodecServer server = HttpCodecServer.start(0, 1)) {
            LoadSettings settings = settings(server.port(), "connections", "1", "seconds", "1", "pause", "true");
            assertThatThrownBy(() -> run(settings, ""))
                    .isInstanceOf(IOException.class)
                    .hasMessage("standard input has ended (expected: a line, to go on after the pause)");
        }
    }

    @Test
    void countsWrongAnswersAndBadStatuses() throws Exception {
        try (FixedServer wrong =
                        new FixedServer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 0, Integer.MAX_VALUE);
                FixedServer bad = new FixedServer(
                        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", 0, Integer.MAX_VALUE)) {
            assertThat(result(run(settings(wrong.port(), "connections", "1", "seconds", "1"), "")))
                    .containsEntry("wrong", WARM_UP + 1L)
                    .containsEntry("bad_statuses", 0L);
            assertThat(result(run(settings(bad.port(), "connections", "1", "seconds", "1"), "")))
                    .containsEntry("wrong", 0L)
                    .containsEntry("bad_statuses", WARM_UP + 1L);
        }
    }

    @Test
    void countsEveryCallOnALostConnection() throws Exception {
        try (FixedServer leaves = new FixedServer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n0", 0, WARM_UP)) {
            Map<String, Long> result =
                    result(run(settings(leaves.port(), "connections", "1", "rate", "10", "seconds", "1"), ""));
            assertThat(result).containsEntry("requests", 0L).containsEntry("socket_errors", 11L);
        }
    }

    @Test
    void countsCallsThatAreNeverAnswered() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Map<String, Long> result =
                    result(run(settings(silent.getLocalPort(), "connections", "1", "seconds", "1"), 100, ""));
            assertThat(result)
                    .containsEntry("requests", 0L)
                    .containsEntry("timeouts", (long) WARM_UP)
                    .containsEntry("socket_errors", 1L);
        }
    }

    @Test
    void countsLatenciesFromWhenACallWasDueAndNotFromWhenItCouldBeSent() throws Exception {
        // One call at a time, 20 ms each, where one is due every 10 ms: the last of 100 is a second late.
        try (FixedServer slow =
                new FixedServer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n0", 20, Integer.MAX_VALUE)) {
            Map<String, Long> result =
                    result(run(settings(slow.port(), "connections", "1", "rate", "100", "seconds", "1"), ""));
            assertThat(result).containsEntry("requests", 100L);
            assertThat(result.get("max_us")).isGreaterThan(900_000);
            assertThat(result.get("p50_us")).isGreaterThan(400_000);
        }
    }

    @Test
    void saysWhichConnectionCouldNotBeOpenedAndWhy() throws Exception {
        int closed;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = server.getLocalPort();
        }
        assertThatThrownBy(() -> run(settings(closed, "connections", "3"), ""))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("connection 1 of 3 could not be opened: ")
                .hasMessageContaining("refused");
    }

    @Test
    void refusesAWrongSettingAndSaysWhatItWants() {
        assertThatThrownBy(() -> settings(1, "rate", "-1")).hasMessage("rate: -1 (expected: 0-100000)");
        assertThatThrownBy(() -> settings(1, "rate", "often")).hasMessage("rate: often (expected: 0-100000)");
        assertThatThrownBy(() -> settings(1, "pause", "yes")).hasMessage("pause: yes (expected: true, false)");
        assertThatThrownBy(() -> settings(0)).hasMessage("port: 0 (expected: 1-65535)");
    }

    private static LoadSettings settings(int port, String... keysAndValues) {
        Map<String, String> properties = new HashMap<>(Map.of("port", Integer.toString(port)));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return LoadSettings.from(properties::get);
    }

    private static List<String> run(LoadSettings settings, String input) throws IOException, InterruptedException {
        return run(settings, 20_000, input);
    }

    private static List<String> run(LoadSettings settings, long timeoutMs, String input)
            throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ConnectionsLoad(
                        settings,
                        WARM_UP,
                        timeoutMs,
                        new BufferedReader(new StringReader(input)),
                        new PrintStream(out, true, UTF_8))
                .run();
        return out.toString(UTF_8).lines().toList();
    }

    private static Map<String, Long> result(List<String> lines) {
        String line = lines.get(lines.size() - 1);
        assertThat(line).startsWith("RESULT ");
        Map<String, Long> values = new HashMap<>();
        for (String pair : line.substring("RESULT ".length()).split(" ")) {
            String[] parts = pair.split("=");
            values.put(parts[0], Long.valueOf(parts[1]));
        }
        return values;
    }

    /** Answers the first requests of one connection with the same text, without the delay until the client is warm, and then closes it. */
    private static final class FixedServer implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final byte[] answer;
        private final int delayMs;
        private final int requests;

        FixedServer(String answer, int delayMs, int requests) throws IOException {
            this.answer = answer.getBytes(US_ASCII);
            this.delayMs = delayMs;
            this.requests = requests;
            new Thread(this::serve).start();
        }

        int port() {
            return listener.getLocalPort();
        }

        private void serve() {
            try (Socket socket = listener.accept()) {
                socket.setTcpNoDelay(true);
                byte[] request = new byte[64 * 1024];
                // The client has one call at a time, and a request is far shorter than what one read takes.
                for (int i = 0; i < requests && socket.getInputStream().read(request) > 0; i++) {
                    if (i >= WARM_UP) {
                        Thread.sleep(delayMs);
                    }
                    socket.getOutputStream().write(answer);
                }
            } catch (IOException | InterruptedException e) {
                // The client has left, or the test is over.
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
