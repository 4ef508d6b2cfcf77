package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.process.StartException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class AdminServerTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile Readiness readiness = Readiness.ready();
    private AdminServer admin;

    @BeforeEach
    void start() throws StartException {
        admin = AdminServer.start(settings("127.0.0.1", 0), () -> readiness);
    }

    private static AdminSettings settings(String host, int port) {
        return new AdminSettings(host, port, AdminSettings.Changes.LOCAL, List.of());
    }

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void healthzAnswers200WhileTheProcessRuns() throws Exception {
        HttpResponse<String> response = get("/healthz");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ok\n");
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain;charset=UTF-8");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void readyzAnswers200UnlessThereIsAReason() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("ready\n");

        readiness = Readiness.notReady("registry: not loaded\nyet");
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).isEqualTo("registry: not loaded\\nyet\n");
        assertThat(get("/healthz").statusCode()).isEqualTo(200);

        readiness = Readiness.readyBut("a.B is not exported");
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("ready; a.B is not exported\n");
    }

    @Test
    void thePageRunsOnlyTheScriptAndTheStyleThatAreWrittenInIt() throws Exception {
        HttpResponse<String> page = get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=UTF-8");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
                .startsWith("default-src 'none';")
                .contains("script-src '" + hash(page.body(), "script") + "';")
                .contains("style-src '" + hash(page.body(), "style") + "';")
                .contains("connect-src 'self'")
                .contains("frame-ancestors 'none'")
                .contains("require-trusted-types-for 'script'")
                .doesNotContain("unsafe");
    }

    private static String hash(String page, String element) throws Exception {
        String[] parts = page.split("</?" + element + ">", -1);
        assertThat(parts).as("one <" + element + "> without attributes").hasSize(3);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(parts[1].getBytes(UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    @Test
    void thePageNeedsNothingFromElsewhereAndMakesNoMarkupOfWhatItIsTold() throws Exception {
        assertThat(get("/").body())
                .doesNotContain(
                        "src=", "@import", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
                .doesNotContainPattern("https?://(?!www\\.w3\\.org/2000/svg')")
                .doesNotContainPattern(" (style|on[a-z]+)=\"");
    }

    @Test
    void otherPathsAre404() throws Exception {
        assertThat(get("/healthz/more").statusCode()).isEqualTo(404);
        assertThat(get("/healthzz").statusCode()).isEqualTo(404);
    }

    @Test
    void otherMethodsThanGetAre405() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/healthz"))
                .POST(BodyPublishers.ofString("x"))
                .build();
        HttpResponse<String> response = client.send(post, BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("GET");
    }

    @Test
    void aPageAddedLaterIsServed() throws Exception {
        admin.handle("/metrics", exchange -> AdminServer.respond(exchange, 200, "calls 7"));

        assertThat(get("/metrics").body()).isEqualTo("calls 7\n");
    }

    @Test
    void aFailedPageIs500AndTheServerGoesOn() throws Exception {
        admin.handle("/broken", exchange -> {
            throw new IllegalStateException("broken on purpose");
        });

        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void slowAndSilentClientsAreClosedAndBlockNoOthers() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 7; i++) {
                Socket socket = new Socket("127.0.0.1", admin.port());
                slow.add(socket);
                if (i > 0) {
                    socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost:".getBytes(US_ASCII));
                }
            }

            assertThat(get("/healthz").statusCode()).isEqualTo(200);

            for (Socket socket : slow) {
                assertThat(readToEnd(socket)).isEmpty();
            }
            assertThat(get("/healthz").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();

            assertThatThrownBy(() -> AdminServer.start(settings("127.0.0.1", port), Readiness::ready))
                    .isInstanceOf(StartException.class)
                    .hasMessage("admin.port: " + port + " (address already in use)");
        }
    }

    @Test
    void aHostThatIsNotOfThisMachineIsNamed() {
        assertThatThrownBy(() -> AdminServer.start(settings("192.0.2.1", 0), Readiness::ready))
                .isInstanceOf(StartException.class)
                .hasMessage("admin.host: 192.0.2.1 (not an address of this machine)");
        assertThatThrownBy(() -> AdminServer.start(settings("no-such-host.invalid", 0), Readiness::ready))
                .hasMessage("admin.host: no-such-host.invalid (unknown host)");
    }

    @Test
    void allThreadsAreDaemons() throws Exception {
        get("/healthz");

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("HTTP-Dispatcher")
                        || thread.getName().startsWith("admin-"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:20001",
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example:20001",
                "[::1].evil.example",
                "notlocalhost",
                ""
            })
    void aNameThatWasMadeToPointToLoopbackLearnsNothing(String host) throws IOException {
        assertThat(answerTo("/", host)).startsWith("HTTP/1.1 403").contains("admin.host is a loopback address");
        assertThat(answerTo("/no/such/page", host)).startsWith("HTTP/1.1 403");
        assertThat(answerTo("/api/v1/config", host))
                .startsWith("HTTP/1.1 403")
                .contains("application/problem+json", "FORBIDDEN");
        assertThat(answerTo("/healthz", host)).startsWith("HTTP/1.1 200");
        assertThat(answerTo("/readyz", host)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1", "127.0.0.1:20001", "[::1]:20001", "localhost", "LocalHost:20001", "192.0.2.7:80"})
    void addressesAndLocalhostAreServed(String host) throws IOException {
        assertThat(answerTo("/", host)).startsWith("HTTP/1.1 200");
        assertThat(answerTo("/api/v1/config", host)).startsWith("HTTP/1.1 200");
    }

    @Test
    void whereOthersReachThePortEveryNameIsServed() throws Exception {
        admin.close();
        admin = AdminServer.start(settings("0.0.0.0", 0), () -> readiness);
        assertThat(answerTo("/", "agent.mesh.svc:20001")).startsWith("HTTP/1.1 200");
        assertThat(answerTo("/api/v1/config", "agent.mesh.svc")).startsWith("HTTP/1.1 200");
    }

    /** The whole answer. */
    private String answerTo(String path, String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", admin.port())) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static String readToEnd(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        } catch (IOException e) {
            // A reset is an end as well.
            return "";
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + admin.port() + path);
    }
}
