package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.process.StartException;
import io.dubbomesh.testsupport.Await;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class AdminServerTest {
    private static final int LARGE = 1024 * 1024;

    private final HttpClient client = HttpClient.newHttpClient();
    private volatile Readiness readiness = Readiness.ready();
    private final MockTicker time = Ticker.newMockTicker();
    private AdminServer admin;

    @BeforeEach
    void start() throws StartException {
        admin = AdminServer.start(settings("127.0.0.1", 0), () -> readiness, time);
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

        readiness = Readiness.readyWithNote("a.B is not exported");
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
                // But for the pages of other agents, in a window of their own.
                .doesNotContainPattern(
                        "https?://(?!www\\.w3\\.org/2000/svg'|' \\+ at \\+ '/', target: '_blank', rel: 'noopener noreferrer')")
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
        admin.handle("/metrics", request -> PageAnswer.line(200, "calls 7"));

        assertThat(get("/metrics").body()).isEqualTo("calls 7\n");
    }

    @Test
    void aFailedPageIs500AndTheServerGoesOn() throws Exception {
        admin.handle("/broken", request -> {
            throw new IllegalStateException("broken on purpose");
        });

        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 1_000})
    void probesAreServedAtOnceBesideSlowClients(int clients) throws Exception {
        admin.handle("/large", request -> PageAnswer.of(200, "text/plain", new byte[LARGE]));
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                slow.add(i % 2 == 0 ? clientWith("GET /healthz HTTP/1.1\r\nHost:") : clientThatDoesNotRead());
            }
            for (int i = 0; i < 20; i++) {
                long startNs = System.nanoTime();
                assertThat(answerTo("/healthz", "localhost")).startsWith("HTTP/1.1 200");
                assertThat(answerTo("/readyz", "localhost")).startsWith("HTTP/1.1 200");
                assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(4));
                // Those that were closed come again.
                for (int j = i; j < clients; j += 20) {
                    slow.get(j).close();
                    slow.set(j, j % 2 == 0 ? clientWith("GET /healthz HTTP/1.1\r\nHost:") : clientThatDoesNotRead());
                }
            }
        } finally {
            closeAll(slow);
        }
    }

    @Test
    void clientsThatSendNoWholeRequestAreClosed() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            slow.add(clientWith(""));
            slow.add(clientWith("GET /healthz HTTP/1.1\r\nHost:"));
            slow.add(clientWith("PUT /api/v1/config HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"));
            for (Socket socket : slow) {
                awaitTimeout(socket);
            }
        } finally {
            closeAll(slow);
        }
    }

    @Test
    void aClientThatDoesNotReadItsAnswerIsClosed() throws Exception {
        admin.handle("/large", request -> PageAnswer.of(200, "text/plain", new byte[LARGE]));
        try (Socket slow = clientThatDoesNotRead()) {
            Await.until("its answer begins", () -> slow.getInputStream().available() > 0);
            Await.until("it is closed", () -> {
                time.advance(1, TimeUnit.SECONDS);
                return isClosedByServer(slow);
            });
        }
    }

    /** Advances the time until the server closes the connection, without an answer. */
    private void awaitTimeout(Socket socket) throws Exception {
        socket.setSoTimeout(10);
        Await.until("it is closed", () -> {
            time.advance(1, TimeUnit.SECONDS);
            try {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
                return true;
            } catch (SocketTimeoutException e) {
                return false;
            }
        });
    }

    @Test
    void probesAnswerWhileAllThreadsArePagesOwn() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(8);
        admin.handle("/blocked", request -> {
            begun.countDown();
            awaitQuietly(end);
            return PageAnswer.line(200, "at last");
        });
        List<Socket> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 80; i++) {
                waiting.add(clientWith("GET /blocked HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
            }
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

            assertThat(get("/healthz").statusCode()).isEqualTo(200);
            assertThat(get("/readyz").statusCode()).isEqualTo(200);

            end.countDown();
            int refused = 0;
            for (Socket socket : waiting) {
                String answer = readToEnd(socket);
                refused += answer.startsWith("HTTP/1.1 503") ? 1 : 0;
                assertThat(answer).containsAnyOf("at last", "the admin port has no thread free");
            }
            assertThat(refused).as("beyond 8 threads and 64 that wait").isEqualTo(8);
        } finally {
            end.countDown();
            closeAll(waiting);
        }
    }

    @Test
    void manyWhoAskWhetherItIsReadyAreAnsweredByFewQuestions() throws Exception {
        admin.close();
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger questions = new AtomicInteger();
        admin = AdminServer.start(settings("127.0.0.1", 0), () -> {
            questions.incrementAndGet();
            awaitQuietly(end);
            return Readiness.ready();
        });
        List<Socket> probes = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                probes.add(clientWith("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
            }
            // It comes after them, and its answer after they were read.
            assertThat(get("/healthz").statusCode()).isEqualTo(200);
            end.countDown();
            for (Socket probe : probes) {
                assertThat(readToEnd(probe)).startsWith("HTTP/1.1 200");
            }
            assertThat(questions).hasValueLessThanOrEqualTo(2);
        } finally {
            end.countDown();
            closeAll(probes);
        }
    }

    @Test
    void beyondItsConnectionsTheOneThatWaitedLongestIsClosed() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < AdminConnections.MAX_OPEN; i++) {
                idle.add(clientWith("GET /"));
            }
            assertThat(get("/healthz").statusCode()).isEqualTo(200);

            Await.untilAsserted(
                    Duration.ofSeconds(2),
                    () -> assertThat(isClosedByServer(idle.get(0))).isTrue());
            assertThat(isClosedByServer(idle.get(idle.size() - 1))).isFalse();
        } finally {
            closeAll(idle);
        }
    }

    @Test
    void aConnectionServesOneRequestAfterTheOther() throws Exception {
        try (Socket socket = clientWith("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            assertThat(in.lines().takeWhile(line -> !line.isEmpty()).toList())
                    .contains("HTTP/1.1 200 OK", "content-length: 3")
                    .anyMatch(line -> line.startsWith("date: "));
            assertThat(in.readLine()).isEqualTo("ok");
            socket.getOutputStream()
                    .write("HEAD /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            List<String> head = in.lines().toList();
            assertThat(head.get(0)).isEqualTo("HTTP/1.1 405 Method Not Allowed");
            assertThat(head.get(head.size() - 1)).as("no body").isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'GET /a b HTTP/1.1\r\n\r\n', 400",
        "'GET / HTTP/1.1\r\nbad\u0000name: x\r\n\r\n', 400",
        "'GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n', 400",
        "'\u0016\u0003\u0001\u0000\r\n\r\n', 400"
    })
    void whatIsNoRequestIsRefusedAndClosed(String request, int status) throws Exception {
        try (Socket socket = clientWith(request.translateEscapes())) {
            assertThat(readToEnd(socket)).startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void headsThatAreTooLongAreRefused() throws Exception {
        try (Socket socket = clientWith("GET /" + "a".repeat(5_000) + " HTTP/1.1\r\n\r\n")) {
            assertThat(readToEnd(socket)).startsWith("HTTP/1.1 414");
        }
        try (Socket socket = clientWith("GET / HTTP/1.1\r\nX: " + "a".repeat(9_000) + "\r\n\r\n")) {
            assertThat(readToEnd(socket)).startsWith("HTTP/1.1 431");
        }
    }

    private Socket clientWith(String request) throws IOException {
        Socket socket = new Socket("127.0.0.1", admin.port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return socket;
    }

    private Socket clientThatDoesNotRead() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress("127.0.0.1", admin.port()));
        socket.getOutputStream().write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        return socket;
    }

    /**
     * Returns whether the server has closed the connection. Its output is not read, as far as that is possible: a write
     * fails after a reset.
     */
    private static boolean isClosedByServer(Socket socket) {
        try {
            socket.getOutputStream().write(' ');
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void requestsToABoundPortAreAnsweredOnceItAccepts() throws Exception {
        AdminServer bound = AdminServer.bind(settings("127.0.0.1", 0), Readiness::ready);
        try (Socket socket = new Socket("127.0.0.1", bound.port())) {
            socket.getOutputStream().write("GET /readyz HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
            socket.setSoTimeout(50);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            bound.accept();
            socket.setSoTimeout(0);
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.")
                    .endsWith("ready\n");
        } finally {
            bound.close();
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
                .filteredOn(thread -> thread.getName().startsWith("admin-"))
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
