package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Clients that send or read slowly hold no more bytes than the budget has; others are served beside them. */
class MemoryTest extends AgentTest {
    /** Half of it is for large requests, an eighth for nothing but requests. */
    private static final String BUDGET = "1200 KiB";

    private static final String LARGE = "x".repeat(400 << 10);
    private static final int HEAD = 1000;
    private static final String TOKEN = "a-token-of-26-characters-1";

    private ProviderPeer provider;

    private void start(String... settings) throws Exception {
        provider = provider(180);
        Map<String, String> all = new HashMap<>(Map.of("memory.budget", BUDGET));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        start(all, provider);
    }

    private void assertServed(HttpSocket client, String parameter) throws Exception {
        client.send(Requests.form(parameter));
        answerNext("ok");
        assertThat(client.answer().text()).isEqualTo("ok");
    }

    private void answerNext(String document) throws Exception {
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, document);
    }

    /** A client that has sent the first bytes of a large request, which the agent has read. */
    private HttpSocket uploading(String request) throws Exception {
        // Without the answers that wait, of which the system may take one meanwhile.
        long before = requestBytesHeld();
        HttpSocket client = client();
        client.send(request.substring(0, HEAD));
        Await.until("the agent has read the head", () -> requestBytesHeld() > before);
        return client;
    }

    private void assertNothingHeld() throws Exception {
        Await.until("nothing is held", () -> bytesHeld() == 0);
    }

    private static String chunked(String body) {
        String form = Requests.form(body);
        String content = form.substring(form.indexOf("\r\n\r\n") + 4);
        StringBuilder chunks = new StringBuilder(form.substring(0, form.indexOf("Content-Length")))
                .append("Transfer-Encoding: chunked\r\n\r\n");
        for (int at = 0; at < content.length(); at += 50_000) {
            String chunk = content.substring(at, Math.min(content.length(), at + 50_000));
            chunks.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return chunks.append("0\r\n\r\n").toString();
    }

    @Test
    void aLargeRequestIsReadWhenThereIsRoomForAllOfIt() throws Exception {
        start("memory.wait", "30 s", "http.body-timeout", "500 ms");
        String request = Requests.form(LARGE);
        HttpSocket first = uploading(request);
        HttpSocket second = uploading(request);
        CompletableFuture<Void> rest = CompletableFuture.runAsync(() -> send(second, request.substring(HEAD)));
        assertServed(client(), "small");

        // Longer than the time for a body, which does not pass for a client that is not read.
        CompletableFuture<HttpAnswer> answer = CompletableFuture.supplyAsync(() -> answer(second));
        assertThatThrownBy(() -> answer.get(1200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(bytesHeld()).isLessThan(600 << 10);
        first.send(request.substring(HEAD));
        answerNext("first");
        answerNext("second");

        assertThat(first.answer().text()).isEqualTo("first");
        assertThat(answer.get().text()).isEqualTo("second");
        rest.get();
        assertNothingHeld();
    }

    private static void send(HttpSocket client, String text) {
        try {
            client.send(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeRequestThatFindsNoRoomIsAnswered503(boolean chunked) throws Exception {
        start("memory.wait", "100 ms", "http.max-body", "500 KiB");
        String request = chunked ? chunked(LARGE) : Requests.form(LARGE);
        HttpSocket first = client();
        first.send(request.substring(0, 100_000));
        Await.until("there is room for no other", () -> bytesHeld() > 400 << 10);
        List<HttpSocket> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            HttpSocket other = client();
            other.send(request.substring(0, 60_000));
            others.add(other);
        }
        for (HttpSocket other : others) {
            HttpAnswer answer = other.answer();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("OVERLOADED");
            assertThat(answer.headers()).containsKey("retry-after").containsEntry("connection", "close");
            other.assertEnd();
        }
        assertThat(bytesHeld()).isLessThan(600 << 10);
        assertServed(client(), "small");
        first.send(request.substring(100_000));
        answerNext("first");

        assertThat(first.answer().text()).isEqualTo("first");
        assertNothingHeld();
    }

    @Test
    void theBodyIsAskedForWhenThereIsRoomForIt() throws Exception {
        start("memory.wait", "30 s");
        String request = Requests.form(LARGE);
        HttpSocket first = uploading(request);
        String expecting = Requests.form(LARGE, "Expect: 100-continue");
        int body = expecting.indexOf("\r\n\r\n") + 4;
        HttpSocket second = client();
        second.send(expecting.substring(0, body));
        assertServed(client(), "small");
        CompletableFuture<HttpAnswer> interim = CompletableFuture.supplyAsync(() -> answer(second));
        assertThatThrownBy(() -> interim.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        first.send(request.substring(HEAD));
        answerNext("first");
        assertThat(interim.get().status()).isEqualTo(100);
        second.send(expecting.substring(body));
        answerNext("second");
        assertThat(second.answer().text()).isEqualTo("second");
        assertNothingHeld();
    }

    private static HttpAnswer answer(HttpSocket client) {
        try {
            return client.answer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls of a method that was never called before come at once: only its first answer tells how long they are. */
    @Test
    void callsThatWaitAreRefusedWhenTheirAnswersTurnOutToHaveNoRoom() throws Exception {
        provider = provider(4);
        start(Map.of("memory.budget", BUDGET), provider);
        String patience = "X-Request-Timeout: 30000";
        ExecutorService readers = Executors.newCachedThreadPool();
        List<Future<HttpAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            HttpSocket client = client().send(Requests.form("large", patience));
            answers.add(readers.submit(() -> client.answer()));
        }
        readers.shutdown();
        Await.until("the others wait", () -> scrape().sum("dubbomesh_consumer_requests_waiting") == 16);
        HttpSocket other = client().send(Requests.form("small", patience).replace("method=m&", "method=n&"));
        Await.until(
                "one of another method waits behind them",
                () -> scrape().sum("dubbomesh_consumer_requests_waiting") == 17);

        // A quarter of an answer is reserved for each call, and calls may have two thirds of the budget.
        ProviderPeer.Received next = provider.nextRequest();
        while (!next.body().endsWith("736d616c6c")) {
            provider.answer(next, 0, Flags.TEXT, "a".repeat(900 << 10));
            next = provider.nextRequest();
        }
        provider.answer(next, 0, Flags.TEXT, "ok");
        assertThat(other.answer().text()).isEqualTo("ok");
        List<Integer> statuses = new ArrayList<>();
        for (Future<HttpAnswer> answer : answers) {
            statuses.add(answer.get().status());
        }
        // 502: its answer came while another client had not read its own.
        assertThat(statuses).contains(503).isSubsetOf(200, 502, 503);
        assertNothingHeld();
    }

    /** Whether there is room for the answer of a call is asked when an endpoint has room for the call. */
    @Test
    void callsThatWaitForAnEndpointOutlastAMomentWithoutRoomForTheirAnswers(@TempDir Path directory) throws Exception {
        provider = provider(1);
        ProviderPeer other = provider(180);
        register(directory, "a.B", provider, "{\"weight\":1}");
        register(directory, "a.C", other, "{\"weight\":1}");
        startWithRegistry(Map.of("memory.budget", BUDGET, "tcp.send-buffer", "4 KiB"), "file:" + directory);
        String call = Requests.form("hi", "X-Request-Timeout: 30000");
        HttpSocket first = client().send(call);
        ProviderPeer.Received inFlight = provider.nextRequest();
        List<HttpSocket> waiting = List.of(client().send(call), client().send(call), client().send(call));
        Await.until("the others wait", () -> scrape().sum("dubbomesh_consumer_requests_waiting") == 3);
        provider.answer(inFlight, 0, Flags.TEXT, LARGE);
        assertThat(first.answer().text()).isEqualTo(LARGE);
        inFlight = provider.nextRequest();

        awaitQueueServed();
        int reserved = LARGE.length() / 4 / 4;
        Await.until("only what is in flight has room for its answer", () -> bytesHeld() < 2 * reserved);
        HttpSocket[] readers = slowReaders(3);
        for (HttpSocket reader : readers) {
            reader.send(call.replace("=a.B&", "=a.C&"));
        }
        for (int i = 0; i < readers.length; i++) {
            other.answer(other.nextRequest(), 0, Flags.TEXT, "x".repeat(330 << 10));
        }
        Await.until("there is no room for large answers", () -> bytesHeld() > 800 << 10);
        awaitQueueServed();
        for (HttpSocket reader : readers) {
            assertThat(reader.answer().status()).isEqualTo(200);
        }
        Await.until("there is room again", () -> bytesHeld() < 2 * reserved);

        for (HttpSocket client : waiting) {
            provider.answer(inFlight, 0, Flags.TEXT, "ok");
            assertThat(client.answer().text()).isEqualTo("ok");
            inFlight = client == waiting.get(2) ? null : provider.nextRequest();
        }
        assertNothingHeld();
    }

    /** Waits until it was tried three times, once every 10 ms, to send what waits. */
    private void awaitQueueServed() throws Exception {
        for (int i = 0; i < 3; i++) {
            awaitTimers(11);
        }
    }

    @Test
    void clientsThatLeaveGiveTheirRoomBack() throws Exception {
        start("memory.wait", "30 s");
        String request = Requests.form(LARGE);
        HttpSocket admitted = uploading(request);
        HttpSocket waiting = uploading(request);
        HttpSocket head = client();
        head.send(request.substring(0, 50));
        waiting.closeByReset();
        head.close();
        admitted.closeByReset();
        assertNothingHeld();
    }

    @Test
    void anIncompleteRequestThatTimesOutGivesItsRoomBack() throws Exception {
        start("http.body-timeout", "100 ms", "http.min-body-rate", "1 MiB");
        HttpSocket client = client();
        client.send(Requests.form(LARGE).substring(0, HEAD));
        assertThat(client.answer().status()).isEqualTo(408);
        assertNothingHeld();
    }

    @Test
    void firstBytesForWhichThereIsNoRoomAreAnswered503() throws Exception {
        start("memory.budget", "64 KiB", "memory.wait", "30 s", "http.max-head", "30 KiB");
        List<HttpSocket> slow = new ArrayList<>();
        String head = "POST / HTTP/1.1\r\nHost: a\r\nX-Filler: " + "x".repeat(20_000);
        for (int i = 0; i < 10; i++) {
            HttpSocket client = client();
            assertServed(client, "known");
            slow.add(client.send(head));
        }
        int refused = 0;
        for (HttpSocket client : slow.subList(2, 10)) {
            assertThat(client.answer().status()).isEqualTo(503);
            refused++;
        }
        assertThat(refused).isEqualTo(8);
        assertThat(bytesHeld()).isBetween(40_000L, 64L << 10);
    }

    @Test
    void theFirstBytesOfAStrangerMakeRoomForThoseOfANewOne() throws Exception {
        start("memory.budget", "64 KiB", "http.max-head", "30 KiB", "http.head-timeout", "60 s");
        String head = "POST / HTTP/1.1\r\nHost: a\r\nX-Filler: " + "x".repeat(5_000);
        List<HttpSocket> slow = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            slow.add(client().send(head));
        }
        for (HttpSocket client : slow.subList(0, 9)) {
            assertThat(client.answer().status()).isEqualTo(503);
        }
        assertThat(bytesHeld()).isBetween(5_000L, 16L << 10);
        String rest = Requests.form("late").substring("POST / HTTP/1.1\r\n".length());
        slow.get(9).send("\r\n" + rest.substring(rest.indexOf("\r\n") + 2));
        answerNext("ok");
        assertThat(slow.get(9).answer().text()).isEqualTo("ok");
    }

    private HttpSocket[] slowReaders(int count) throws Exception {
        HttpSocket[] clients = new HttpSocket[count];
        for (int i = 0; i < count; i++) {
            clients[i] = slowReader();
        }
        return clients;
    }

    @Test
    void anAnswerForWhichThereIsNoRoomIsReplaced() throws Exception {
        start("tcp.send-buffer", "4 KiB");
        HttpSocket[] clients = slowReaders(4);
        for (HttpSocket client : clients) {
            client.send(Requests.form("hi"));
        }
        for (int i = 0; i < clients.length; i++) {
            answerNext(LARGE);
        }
        int whole = 0;
        for (HttpSocket client : clients) {
            HttpAnswer answer = client.answer();
            if (answer.status() == 200) {
                assertThat(answer.text()).isEqualTo(LARGE);
                whole++;
            } else {
                assertThat(answer.status()).isEqualTo(502);
                assertThat(answer.text()).contains("PROVIDER_ERROR").contains("no room for its answer");
            }
        }
        assertThat(whole).isBetween(2, 3);
        assertNothingHeld();
    }

    @Test
    void answersThatComeSlowlyAreBoundedAndOneBeyondIsReplacedAtOnce() throws Exception {
        ProviderPeer[] providers = new ProviderPeer[5];
        for (int i = 0; i < providers.length; i++) {
            providers[i] = provider(180);
        }
        start(Map.of("memory.budget", BUDGET), providers);
        List<HttpSocket> clients = new ArrayList<>();
        List<ProviderPeer.Received> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(client().send(Requests.form("hi")));
            requests.add(nextRequestOf(providers));
            sendPart(requests.get(i), true);
            if (i < 2) {
                long held = (i + 1) * LARGE.length();
                Await.until("the answer is being received", () -> bytesHeld() > held);
            } else {
                HttpAnswer answer = clients.get(i).answer();
                assertThat(answer.status()).isEqualTo(502);
                assertThat(answer.text()).contains("PROVIDER_ERROR").contains("no room for its answer");
            }
        }
        assertThat(bytesHeld()).isLessThan(900 << 10);
        // It has shown how long the answers are: another call would be executed for nothing.
        assertThat(client().send(Requests.form("hi")).answer().status()).isEqualTo(503);
        assertThat(called(providers)).isEmpty();

        for (ProviderPeer.Received request : requests) {
            sendPart(request, false);
        }
        for (HttpSocket client : clients.subList(0, 2)) {
            assertThat(client.answer().text()).isEqualTo(LARGE);
        }
        for (int i = 0; i < providers.length; i++) {
            HttpSocket client = client().send(Requests.form("hi"));
            ProviderPeer.Received next = nextRequestOf(providers);
            next.link().send(MeshFrame.response(next.requestId(), 0, Flags.TEXT, "", "small"));
            assertThat(client.answer().text()).isEqualTo("small");
        }
        assertNothingHeld();
    }

    @Test
    void anAnswerWhoseCallHasEndedIsNotHeldHoweverSlowlyItComes() throws Exception {
        start();
        HttpSocket client = client().send(Requests.form("hi", "X-Request-Timeout: 200"));
        ProviderPeer.Received request = provider.nextRequest();
        sendPart(request, true);
        assertThat(client.answer().status()).isEqualTo(504);
        assertThat(bytesHeld()).isGreaterThan(LARGE.length());

        String rest = MeshFrame.response(request.requestId(), 0, Flags.TEXT, "", LARGE)
                .substring(LARGE.length());
        request.link().send(rest.substring(0, 2));
        assertNothingHeld();
        request.link().send(rest.substring(2));
        assertServed(client, "hi");
    }

    /** Sends the first half of a large answer, or the second one. */
    private static void sendPart(ProviderPeer.Received request, boolean isFirst) throws IOException {
        String frame = MeshFrame.response(request.requestId(), 0, Flags.TEXT, "", LARGE);
        int half = LARGE.length();
        request.link().send(isFirst ? frame.substring(0, half) : frame.substring(half));
    }

    private static ProviderPeer.Received nextRequestOf(ProviderPeer... providers) throws Exception {
        Await.until("a provider agent has the request", () -> called(providers).isPresent());
        return called(providers).orElseThrow().nextRequest();
    }

    private static Optional<ProviderPeer> called(ProviderPeer... providers) {
        return Arrays.stream(providers).filter(provider -> !provider.hasNone()).findFirst();
    }

    @Test
    void aCallWhoseAnswerWouldFindNoRoomIsNotExecuted() throws Exception {
        start("tcp.send-buffer", "4 KiB");
        HttpSocket[] clients = slowReaders(2);
        for (HttpSocket client : clients) {
            client.send(Requests.form("hi"));
            answerNext(LARGE);
        }
        Await.until("two answers wait", () -> bytesHeld() > 700 << 10);
        HttpSocket another = client();
        another.send(Requests.form("hi"));
        HttpAnswer answer = another.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("OVERLOADED");
        assertThat(provider.hasNone()).isTrue();

        for (HttpSocket client : clients) {
            assertThat(client.answer().text()).isEqualTo(LARGE);
        }
        assertNothingHeld();
        assertServed(another, "hi");
    }

    @Test
    void answersThatWaitForAnEarlierOneAreBounded() throws Exception {
        start();
        HttpSocket client = client();
        int first = 20;
        client.send(Requests.form("hi").repeat(50));
        ProviderPeer.Received held = provider.nextRequest();
        String medium = "x".repeat(10 << 10);
        for (int i = 1; i < first; i++) {
            answerNext(medium);
        }
        Await.until("answers wait", () -> bytesHeld() > 64 << 10);
        // The others were read before; what comes now is not.
        client.send(Requests.form("late"));
        for (int i = first; i < 50; i++) {
            answerNext("ok");
        }
        assertServed(client(), "small");
        assertThat(provider.hasNone()).isTrue();
        provider.answer(held, 0, Flags.TEXT, "held");
        assertThat(client.answer().text()).isEqualTo("held");
        for (int i = 1; i < 50; i++) {
            assertThat(client.answer().text()).isEqualTo(i < first ? medium : "ok");
        }
        answerNext("late");
        assertThat(client.answer().text()).isEqualTo("late");
        assertNothingHeld();
    }

    @Test
    void anAnswerThatIsNeverReadGivesItsRoomBackWithItsConnection() throws Exception {
        start("tcp.send-buffer", "4 KiB", "http.write-timeout", "300 ms");
        HttpSocket client = slowReader();
        client.send(Requests.form("hi") + Requests.form("hi"));
        ProviderPeer.Received first = provider.nextRequest();
        answerNext(LARGE);
        provider.answer(first, 0, Flags.TEXT, LARGE);
        Await.until("the answers wait", () -> bytesHeld() > 700 << 10);
        assertNothingHeld();
    }

    /** A steady client reads 80 KB/s here, and the least rate is 30 KB/s. */
    @Test
    void aClientThatReadsSteadilyIsServedToTheEnd() throws Exception {
        start("tcp.send-buffer", "4 KiB", "http.write-timeout", "1 s", "http.min-read-rate", "30000");
        HttpSocket client = slowReader();
        client.send(Requests.form("hi"));
        answerNext(LARGE);
        assertThat(client.answerSlowly(4 << 10, 50).text()).isEqualTo(LARGE);
        assertNothingHeld();
    }

    @Test
    void aClientThatReadsSlowerThanTheLeastRateIsCut() throws Exception {
        start("tcp.send-buffer", "4 KiB", "http.write-timeout", "1 s", "http.min-read-rate", "60000");
        HttpSocket client = slowReader();
        client.send(Requests.form("hi"));
        answerNext(LARGE);
        assertThatThrownBy(() -> client.answerSlowly(2 << 10, 100)).isInstanceOf(IOException.class);
        assertNothingHeld();
    }

    @Test
    void answersThatAreNotReadLeaveRoomForLargeRequests() throws Exception {
        start("tcp.send-buffer", "4 KiB", "memory.wait", "100 ms");
        HttpSocket[] readers = slowReaders(3);
        for (HttpSocket reader : readers) {
            reader.send(Requests.form("hi"));
        }
        for (int i = 0; i < readers.length; i++) {
            answerNext(LARGE);
        }
        Await.until("answers wait", () -> bytesHeld() > 700 << 10);
        // The other method is known for large answers.
        String request = Requests.form("x".repeat(40 << 10)).replace("method=m&", "method=n&");
        for (int i = 0; i < 2; i++) {
            uploading(request);
        }
        HttpSocket upload = client();
        upload.send(request);
        answerNext("ok");
        assertThat(upload.answer().text()).isEqualTo("ok");
    }

    /** The system takes megabytes and says for long nothing of how many of them the client has read. */
    @Test
    void aSlowReaderIsNotTakenForOneThatDoesNotRead() throws Exception {
        start("memory.budget", "64 MiB", "tcp.send-buffer", "1 MiB", "http.write-timeout", "700 ms");
        HttpSocket client = slowReader();
        client.send(Requests.form("hi"));
        answerNext("x".repeat(4 << 20));
        assertThat(client.answerSlowly(64 << 10, 100).text()).hasSize(4 << 20);
        assertNothingHeld();
    }

    /** Checks strangers with heads that do not end, and with answers that are not read. */
    @Test
    void strangersTakeNoRoomFromCallersWithTokens(@TempDir Path directory) throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana " + TOKEN + "\n");
        start("http.auth", "token", "http.auth.token-file", tokens.toString(), "http.head-timeout", "60 s");
        for (int i = 0; i < 400; i++) {
            client().send("P");
            client().send(HttpSocket.request("GET /a.B", "").repeat(100));
        }
        Await.until("a quarter is taken", () -> bytesHeld() > 200 << 10);
        assertThat(bytesHeld()).isLessThanOrEqualTo(1200 << 8);

        String authorized = "Authorization: Bearer " + TOKEN;
        HttpSocket large = client();
        large.send(Requests.form("x".repeat(100 << 10), authorized));
        answerNext("y".repeat(100 << 10));
        assertThat(large.answer().text()).hasSize(100 << 10);
        HttpSocket split = client();
        String request = Requests.form("small", authorized);
        split.send(request.substring(0, 20));
        split.send(request.substring(20));
        answerNext("ok");
        assertThat(split.answer().text()).isEqualTo("ok");
    }
}
