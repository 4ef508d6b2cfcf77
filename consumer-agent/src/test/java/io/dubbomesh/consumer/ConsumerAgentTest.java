package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

class ConsumerAgentTest extends AgentTest {
    private static final String NAMES =
            "0003612e42" + "00016d" + "00124c6a6176612f6c616e672f537472696e673b" + "0000" + "0000";
    private static final String HI = "000000026869";

    @Test
    void aFirstCallCarriesItsNamesAndLaterOnesAMethodId() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("hi", "X-Dubbo-Attachment-tag: grey", "X-Request-Timeout: 60000"));
        FakeProviderAgent.Frame first = provider.next();
        assertThat(first.type()).isEqualTo(FrameType.REQUEST);
        assertThat(first.flags()).isEqualTo(Flags.TEXT);
        assertThat(first.methodId()).isZero();
        assertThat(first.hex()).isEqualTo("0000ea60" + "000b" + "0003746167" + "000467726579" + NAMES + HI);
        provider.answer(first, 0, Flags.TEXT, "3329");
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "text/plain;charset=UTF-8");
        assertThat(answer.body()).isEqualTo("3329");

        client.send(HttpClient.form("hi", "X-Request-Timeout: 60000"));
        FakeProviderAgent.Frame define = provider.next();
        assertThat(define.type()).isEqualTo(FrameType.DEFINE);
        assertThat(define.methodId()).isEqualTo(1);
        assertThat(define.hex()).isEqualTo(NAMES);
        FakeProviderAgent.Frame second = provider.next();
        assertThat(second.methodId()).isEqualTo(1);
        assertThat(second.hex()).isEqualTo("0000ea60" + "0000" + HI);
        provider.answer(second, 0, Flags.TEXT, "3329");
        assertThat(client.receive().body()).isEqualTo("3329");

        client.send(HttpClient.form("hi"));
        assertThat(provider.next().type()).as("defined once").isEqualTo(FrameType.REQUEST);
    }

    @Test
    void aMethodThatIsNotFoundIsNeverDefined() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        for (int i = 0; i < 3; i++) {
            client.send(HttpClient.form("hi"));
            FakeProviderAgent.Frame request = provider.next();
            assertThat(request.type()).isEqualTo(FrameType.REQUEST);
            assertThat(request.methodId()).isZero();
            provider.answer(request, 14, Flags.JSON, "{}");
            assertThat(client.receive().status()).isEqualTo(404);
        }
    }

    @Test
    void aNameThatWasOnlyEverRefusedHasNoPlaceInTheTable() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        for (Outcome refusal : List.of(Outcome.BAD_REQUEST, Outcome.BAD_ARGUMENT, Outcome.NOT_FOUND)) {
            client.send(HttpClient.form("hi"));
            FakeProviderAgent.Frame request = provider.next();
            assertThat(request.type()).isEqualTo(FrameType.REQUEST);
            assertThat(request.methodId()).isZero();
            provider.answer(request, refusal.number(), Flags.JSON, "{}");
            assertThat(client.receive().status()).isEqualTo(refusal.httpStatus());
        }
        client.send(HttpClient.form("hi"));
        assertThat(provider.next().methodId()).isZero();
    }

    @Test
    void namesStandInEveryRequestWhereThePeerTakesNoDefinitions() throws Exception {
        FakeProviderAgent provider = new FakeProviderAgent(180, 0);
        start(Map.of(), provider);
        HttpClient client = client();

        for (int i = 0; i < 3; i++) {
            client.send(HttpClient.form("hi"));
            FakeProviderAgent.Frame request = provider.next();
            assertThat(request.methodId()).isZero();
            provider.answer(request, 0, Flags.TEXT, "0");
            assertThat(client.receive().status()).isEqualTo(200);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrderWhateverComesFirst() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1") + HttpClient.form("2") + "GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n"
                + HttpClient.form("3"));
        FakeProviderAgent.Frame one = provider.nextRequest();
        FakeProviderAgent.Frame two = provider.nextRequest();
        FakeProviderAgent.Frame three = provider.nextRequest();
        provider.answer(three, 0, Flags.TEXT, "three");
        provider.answer(two, 0, Flags.TEXT, "two");
        provider.answer(one, 0, Flags.TEXT, "one");

        assertThat(client.receive().body()).isEqualTo("one");
        assertThat(client.receive().body()).isEqualTo("two");
        assertThat(client.receive().status()).isEqualTo(404);
        assertThat(client.receive().body()).isEqualTo("three");
    }

    @Test
    void aConnectionThatAlwaysHasPartOfTheNextRequestKeepsNoMoreThanThat() throws Exception {
        start(Map.of());
        HttpClient client = client();
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(1000);
        String half = request.substring(0, request.length() / 2);
        String otherHalf = request.substring(request.length() / 2);

        long usedBefore = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        client.send(half);
        for (int i = 0; i < 10_000; i++) {
            client.send(otherHalf + half);
            assertThat(client.receive().status()).isEqualTo(415);
        }
        // Memory is taken 4 MiB at a time; all that came is 10 MB.
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - usedBefore)
                .isLessThan(5_000_000);
    }

    @Test
    void aRefusedCallIsSentOnceToAnotherEndpointUnchanged() throws Exception {
        FakeProviderAgent one = provider(180);
        FakeProviderAgent two = provider(180);
        start(Map.of(), one, two);
        HttpClient client = client();

        client.send(HttpClient.form("hi", "X-Dubbo-Attachment-tag: grey", "X-Request-Timeout: 60000"));
        FakeProviderAgent.Frame refused = takeFromEither(one, two);
        FakeProviderAgent first = lastTakenFrom;
        FakeProviderAgent second = first == one ? two : one;
        first.refuse(refused);
        FakeProviderAgent.Frame again = second.nextRequest();
        assertThat(again.hex().substring(8)).isEqualTo(refused.hex().substring(8));
        assertThat(Integer.parseInt(again.hex().substring(0, 8), 16)).isBetween(1, 60_000);
        second.refuse(again);

        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsKey("retry-after");
        assertThat(answer.body()).contains("OVERLOADED");
        assertThat(first.hasNone()).isTrue();
    }

    @Test
    void aLostLinkFailsWhatWasInFlightAndIsOpenedAgain() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        client.send(HttpClient.form("1"));
        provider.nextRequest();
        provider.closeLinks();
        HttpClient.Answer answer = client.receive();
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("PROVIDER_ERROR").contains(":" + provider.port());

        assertThat(callUntilGood(client, provider)).isEqualTo("two");
    }

    @Test
    void noNewCallGoesToAnAgentThatIsGoingAwayAndThoseInFlightAreAnswered() throws Exception {
        FakeProviderAgent one = provider(180);
        FakeProviderAgent two = provider(180);
        start(Map.of(), one, two);
        HttpClient client = client();

        client.send(HttpClient.form("1"));
        FakeProviderAgent.Frame request = takeFromEither(one, two);
        FakeProviderAgent leaving = lastTakenFrom;
        FakeProviderAgent staying = leaving == one ? two : one;
        leaving.goAway("restart");
        HttpClient other = client();
        for (int i = 0; i < 4; i++) {
            other.send(HttpClient.form("2"));
            FakeProviderAgent.Frame next = takeFromEither(one, two);
            if (i > 0) {
                assertThat(lastTakenFrom).isSameAs(staying);
            }
            lastTakenFrom.answer(next, 0, Flags.TEXT, "two");
            assertThat(other.receive().body()).isEqualTo("two");
        }
        leaving.answer(request, 0, Flags.TEXT, "one");
        assertThat(client.receive().body()).isEqualTo("one");
    }

    @Test
    void aClientThatLeavesTakesNothingFromOthers() throws Exception {
        FakeProviderAgent provider = provider(1);
        start(Map.of(), provider);
        HttpClient leaving = client();
        leaving.send(HttpClient.form("1") + HttpClient.form("2"));
        FakeProviderAgent.Frame one = provider.nextRequest();
        leaving.close();
        HttpClient client = client();
        client.send(HttpClient.form("3"));
        provider.answer(one, 0, Flags.TEXT, "one");

        FakeProviderAgent.Frame next = provider.nextRequest();
        if (next.hex().endsWith("0000000132")) {
            provider.answer(next, 0, Flags.TEXT, "two");
            next = provider.nextRequest();
        }
        provider.answer(next, 0, Flags.TEXT, "three");
        assertThat(client.receive().body()).isEqualTo("three");
    }

    @Test
    void aClientThatEndsItsOutputIsStillAnswered() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();
        client.send(HttpClient.form("1") + HttpClient.form("2") + "POST / HT");
        client.endOutput();
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");

        assertThat(client.receive().body()).isEqualTo("one");
        assertThat(client.receive().body()).isEqualTo("two");
        assertThat(client.isAtEnd()).isTrue();
    }

    @Test
    void moreRequestsThanMayBePipelinedAreAnsweredAllTheSame() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of("http.max-pipelined", "3"), provider);
        HttpClient client = client();
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            requests.append(HttpClient.form("" + (char) ('a' + i)));
        }
        client.send(requests.toString());
        for (int i = 0; i < 20; i++) {
            FakeProviderAgent.Frame request = provider.nextRequest();
            provider.answer(
                    request,
                    0,
                    Flags.TEXT,
                    request.hex().substring(request.hex().length() - 2));
            assertThat(client.receive().body()).isEqualTo(Integer.toHexString('a' + i));
        }
    }

    @Test
    void anAnswerOfUnknownStatusIsAProviderError() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();
        client.send(HttpClient.form("1"));
        provider.answer(provider.nextRequest(), 200, Flags.JSON, "?");

        assertThat(client.receive().status()).isEqualTo(502);
    }

    @Test
    void aRequestThatDoesNotComeInTimeIsAnswered408AndAnIdleConnectionClosedSilently() throws Exception {
        start(Map.of("http.head-timeout", "100", "http.body-timeout", "100", "http.idle-timeout", "300"));
        HttpClient slowHead = client();
        slowHead.send("POST / HTTP/1.1\r\nHo");
        HttpClient slowBody = client();
        slowBody.send(
                HttpClient.form("12345").substring(0, HttpClient.form("12345").length() - 1));
        HttpClient idle = client();

        assertThat(slowHead.receive().status()).isEqualTo(408);
        assertThat(slowHead.isAtEnd()).isTrue();
        assertThat(slowBody.receive().status()).isEqualTo(408);
        assertThat(idle.isAtEnd()).isTrue();
    }

    @Test
    void connectionsBeyondTheLimitAreRefused() throws Exception {
        start(Map.of("http.max-connections", "1"));
        HttpClient first = client();
        first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(first.receive().status()).isEqualTo(405);
        HttpClient second = client();

        assertThat(second.receive().status()).isEqualTo(503);
        assertThat(second.isAtEnd()).isTrue();
    }

    @Test
    void expectingClientsAreToldToGoOnInTheirTurn() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();
        String expecting = HttpClient.form("2", "Expect: 100-continue");
        int head = expecting.indexOf("\r\n\r\n") + 4;
        client.send(HttpClient.form("1") + expecting.substring(0, head));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");

        assertThat(client.receive().body()).isEqualTo("one");
        assertThat(client.receive().status()).isEqualTo(100);
        client.send(expecting.substring(head));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        assertThat(client.receive().body()).isEqualTo("two");
    }

    @Test
    void aRequestThatIsRefusedAnywayIsNotAskedForItsBody() throws Exception {
        start(Map.of());
        HttpClient client = client();
        client.send("POST /x/y/z HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");

        assertThat(client.receive().status()).isEqualTo(404);
        assertThat(client.isAtEnd()).isTrue();
    }

    @Test
    void stoppingEndsConnectionsWithTheirNextAnswerAndLosesNoCall() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient busy = client();
        busy.send(HttpClient.form("1"));
        FakeProviderAgent.Frame request = provider.nextRequest();
        ConsumerAgent stopping = takeAgent();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stopping.stop(TimeUnit.SECONDS.toNanos(20)));
        awaitNotReady(stopping);
        provider.answer(request, 0, Flags.TEXT, "one");

        HttpClient.Answer answer = busy.receive();
        assertThat(answer.body()).isEqualTo("one");
        assertThat(answer.headers()).containsEntry("connection", "close");
        assertThat(busy.isAtEnd()).isTrue();
        stopped.get(20, TimeUnit.SECONDS);
    }

    private static void awaitNotReady(ConsumerAgent stopping) throws IOException {
        URI readyz = URI.create("http://127.0.0.1:" + stopping.adminPort() + "/readyz");
        while (((HttpURLConnection) readyz.toURL().openConnection()).getResponseCode() == 200) {
            Thread.onSpinWait();
        }
    }

    // --- set-up ---

    private FakeProviderAgent lastTakenFrom;

    private FakeProviderAgent.Frame takeFromEither(FakeProviderAgent one, FakeProviderAgent two) throws Exception {
        long start = System.nanoTime();
        while (one.hasNone() && two.hasNone()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
            LockSupport.parkNanos(100_000);
        }
        lastTakenFrom = one.hasNone() ? two : one;
        return lastTakenFrom.nextRequest();
    }

    private static String callUntilGood(HttpClient client, FakeProviderAgent provider) throws Exception {
        while (true) {
            client.send(HttpClient.form("2"));
            CompletableFuture<HttpClient.Answer> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.receive();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            while (!answer.isDone()) {
                if (!provider.hasNone()) {
                    provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
                }
                LockSupport.parkNanos(100_000);
            }
            if (answer.get().status() == 200) {
                return answer.get().body();
            }
            assertThat(answer.get().status()).isEqualTo(503);
        }
    }
}
