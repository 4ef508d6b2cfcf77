package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

import java.io.IOException;
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
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("hi", "X-Dubbo-Attachment-tag: grey", "X-Request-Timeout: 60000"));
        ProviderPeer.Received first = provider.next();
        assertThat(first.type()).isEqualTo(FrameType.REQUEST);
        assertThat(first.flags()).isEqualTo(Flags.TEXT);
        assertThat(first.methodId()).isZero();
        assertThat(first.body()).isEqualTo("0000ea60" + "000b" + "0003746167" + "000467726579" + NAMES + HI);
        provider.answer(first, 0, Flags.TEXT, "3329");
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "text/plain;charset=UTF-8");
        assertThat(answer.text()).isEqualTo("3329");

        client.send(Requests.form("hi", "X-Request-Timeout: 60000"));
        ProviderPeer.Received define = provider.next();
        assertThat(define.type()).isEqualTo(FrameType.DEFINE);
        assertThat(define.methodId()).isEqualTo(1);
        assertThat(define.body()).isEqualTo(NAMES);
        ProviderPeer.Received second = provider.next();
        assertThat(second.methodId()).isEqualTo(1);
        assertThat(second.body()).isEqualTo("0000ea60" + "0000" + HI);
        provider.answer(second, 0, Flags.TEXT, "3329");
        assertThat(client.answer().text()).isEqualTo("3329");

        client.send(Requests.form("hi"));
        assertThat(provider.next().type()).as("defined once").isEqualTo(FrameType.REQUEST);
    }

    @Test
    void aMethodThatIsNotFoundIsNeverDefined() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        for (int i = 0; i < 3; i++) {
            client.send(Requests.form("hi"));
            ProviderPeer.Received request = provider.next();
            assertThat(request.type()).isEqualTo(FrameType.REQUEST);
            assertThat(request.methodId()).isZero();
            provider.answer(request, 14, Flags.JSON, "{}");
            assertThat(client.answer().status()).isEqualTo(404);
        }
    }

    @Test
    void aNameThatWasOnlyEverRefusedHasNoPlaceInTheTable() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        for (Outcome refusal : List.of(Outcome.BAD_REQUEST, Outcome.BAD_ARGUMENT, Outcome.NOT_FOUND)) {
            client.send(Requests.form("hi"));
            ProviderPeer.Received request = provider.next();
            assertThat(request.type()).isEqualTo(FrameType.REQUEST);
            assertThat(request.methodId()).isZero();
            provider.answer(request, refusal.number(), Flags.JSON, "{}");
            assertThat(client.answer().status()).isEqualTo(refusal.httpStatus());
        }
        client.send(Requests.form("hi"));
        assertThat(provider.next().methodId()).isZero();
    }

    @Test
    void namesStandInEveryRequestWhereThePeerTakesNoDefinitions() throws Exception {
        ProviderPeer provider = new ProviderPeer(180, 0);
        start(Map.of(), provider);
        HttpSocket client = client();

        for (int i = 0; i < 3; i++) {
            client.send(Requests.form("hi"));
            ProviderPeer.Received request = provider.next();
            assertThat(request.methodId()).isZero();
            provider.answer(request, 0, Flags.TEXT, "0");
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrderWhateverComesFirst() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("1") + Requests.form("2") + "GET /x/y/z HTTP/1.1\r\nHost: a\r\n\r\n"
                + Requests.form("3"));
        ProviderPeer.Received one = provider.nextRequest();
        ProviderPeer.Received two = provider.nextRequest();
        ProviderPeer.Received three = provider.nextRequest();
        provider.answer(three, 0, Flags.TEXT, "three");
        provider.answer(two, 0, Flags.TEXT, "two");
        provider.answer(one, 0, Flags.TEXT, "one");

        assertThat(client.answer().text()).isEqualTo("one");
        assertThat(client.answer().text()).isEqualTo("two");
        assertThat(client.answer().status()).isEqualTo(404);
        assertThat(client.answer().text()).isEqualTo("three");
    }

    @Test
    void aConnectionThatAlwaysHasPartOfTheNextRequestKeepsNoMoreThanThat() throws Exception {
        start(Map.of());
        HttpSocket client = client();
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(1000);
        String half = request.substring(0, request.length() / 2);
        String otherHalf = request.substring(request.length() / 2);

        long usedBefore = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        client.send(half);
        for (int i = 0; i < 10_000; i++) {
            client.send(otherHalf + half);
            assertThat(client.answer().status()).isEqualTo(415);
        }
        // Memory is allocated in chunks of 4 MiB; 10 MB were received.
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - usedBefore)
                .isLessThan(5_000_000);
    }

    @Test
    void aRefusedCallIsSentOnceToAnotherEndpointUnchanged() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer two = provider(180);
        start(Map.of(), one, two);
        HttpSocket client = client();

        client.send(Requests.form("hi", "X-Dubbo-Attachment-tag: grey", "X-Request-Timeout: 60000"));
        ProviderPeer.Received refused = takeFromEither(one, two);
        ProviderPeer first = lastTakenFrom;
        ProviderPeer second = first == one ? two : one;
        first.refuse(refused);
        ProviderPeer.Received again = second.nextRequest();
        assertThat(again.body().substring(8)).isEqualTo(refused.body().substring(8));
        assertThat(Integer.parseInt(again.body().substring(0, 8), 16)).isBetween(1, 60_000);
        second.refuse(again);

        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsKey("retry-after");
        assertThat(answer.text()).contains("OVERLOADED");
        assertThat(first.hasNone()).isTrue();
    }

    @Test
    void aCallThatCameBackFromAProviderThatIsGoingHasNoProvider() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("hi"));
        provider.refuse(provider.nextRequest(), "the provider takes no new calls");

        Map<String, String> problem = client.answer().assertProblem(503, "NO_PROVIDER");
        assertThat(problem.get("detail")).startsWith("refused by ").endsWith(": the provider takes no new calls");
    }

    @Test
    void aLostLinkFailsWhatWasInFlightAndIsOpenedAgain() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("1"));
        provider.nextRequest();
        provider.closeLinks();
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.text()).contains("PROVIDER_ERROR").contains(":" + provider.port());

        assertThat(callUntilGood(client, provider)).isEqualTo("two");
    }

    @Test
    void noNewCallGoesToAnAgentThatIsGoingAwayAndThoseInFlightAreAnswered() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer two = provider(180);
        start(Map.of(), one, two);
        HttpSocket client = client();

        client.send(Requests.form("1"));
        ProviderPeer.Received request = takeFromEither(one, two);
        ProviderPeer leaving = lastTakenFrom;
        ProviderPeer staying = leaving == one ? two : one;
        leaving.goAway("restart");
        HttpSocket other = client();
        for (int i = 0; i < 4; i++) {
            other.send(Requests.form("2"));
            ProviderPeer.Received next = takeFromEither(one, two);
            if (i > 0) {
                assertThat(lastTakenFrom).isSameAs(staying);
            }
            lastTakenFrom.answer(next, 0, Flags.TEXT, "two");
            assertThat(other.answer().text()).isEqualTo("two");
        }
        leaving.answer(request, 0, Flags.TEXT, "one");
        assertThat(client.answer().text()).isEqualTo("one");
    }

    @Test
    void aClientThatLeavesTakesNothingFromOthers() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of(), provider);
        HttpSocket leaving = client();
        leaving.send(Requests.form("1") + Requests.form("2"));
        ProviderPeer.Received one = provider.nextRequest();
        leaving.close();
        HttpSocket client = client();
        client.send(Requests.form("3"));
        provider.answer(one, 0, Flags.TEXT, "one");

        ProviderPeer.Received next = provider.nextRequest();
        if (next.body().endsWith("0000000132")) {
            provider.answer(next, 0, Flags.TEXT, "two");
            next = provider.nextRequest();
        }
        provider.answer(next, 0, Flags.TEXT, "three");
        assertThat(client.answer().text()).isEqualTo("three");
    }

    @Test
    void aClientThatEndsItsOutputIsStillAnswered() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1") + Requests.form("2") + "POST / HT");
        client.endOutput();
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");

        assertThat(client.answer().text()).isEqualTo("one");
        assertThat(client.answer().text()).isEqualTo("two");
        client.assertEnd();
    }

    @Test
    void moreRequestsThanMayBePipelinedAreAnsweredAllTheSame() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.max-pipelined", "3"), provider);
        HttpSocket client = client();
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            requests.append(Requests.form("" + (char) ('a' + i)));
        }
        client.send(requests.toString());
        for (int i = 0; i < 20; i++) {
            ProviderPeer.Received request = provider.nextRequest();
            provider.answer(
                    request,
                    0,
                    Flags.TEXT,
                    request.body().substring(request.body().length() - 2));
            assertThat(client.answer().text()).isEqualTo(Integer.toHexString('a' + i));
        }
    }

    @Test
    void anAnswerOfUnknownStatusIsAProviderError() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.form("1"));
        provider.answer(provider.nextRequest(), 200, Flags.JSON, "?");

        assertThat(client.answer().status()).isEqualTo(502);
    }

    @Test
    void aRequestThatDoesNotComeInTimeIsAnswered408AndAnIdleConnectionClosedSilently() throws Exception {
        start(Map.of("http.head-timeout", "100", "http.body-timeout", "100", "http.idle-timeout", "300"));
        HttpSocket slowHead = client();
        slowHead.send("POST / HTTP/1.1\r\nHo");
        HttpSocket slowBody = client();
        slowBody.send(Requests.form("12345").substring(0, Requests.form("12345").length() - 1));
        HttpSocket idle = client();

        assertThat(slowHead.answer().status()).isEqualTo(408);
        slowHead.assertEnd();
        assertThat(slowBody.answer().status()).isEqualTo(408);
        idle.assertEnd();
    }

    @Test
    void connectionsBeyondTheLimitAreRefused() throws Exception {
        start(Map.of("http.max-connections", "1"));
        HttpSocket first = client();
        first.send("PUT / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(first.answer().status()).isEqualTo(405);
        HttpSocket second = client();

        assertThat(second.answer().status()).isEqualTo(503);
        second.assertEnd();
    }

    @Test
    void clientsThatExpect100ContinueAreInvitedInTheirTurn() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        String expecting = Requests.form("2", "Expect: 100-continue");
        int head = expecting.indexOf("\r\n\r\n") + 4;
        client.send(Requests.form("1") + expecting.substring(0, head));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");

        assertThat(client.answer().text()).isEqualTo("one");
        assertThat(client.answer().status()).isEqualTo(100);
        client.send(expecting.substring(head));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        assertThat(client.answer().text()).isEqualTo("two");
    }

    @Test
    void aRequestThatIsRefusedAnywayIsNotAskedForItsBody() throws Exception {
        start(Map.of());
        HttpSocket client = client();
        client.send("POST /x/y/z HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");

        assertThat(client.answer().status()).isEqualTo(404);
        client.assertEnd();
    }

    @Test
    void stoppingEndsConnectionsWithTheirNextAnswerAndLosesNoCall() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket busy = client();
        busy.send(Requests.form("1"));
        ProviderPeer.Received request = provider.nextRequest();
        ConsumerAgent stopping = takeAgent();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stopping.stop(TimeUnit.SECONDS.toNanos(20)));
        awaitDraining(stopping);
        provider.answer(request, 0, Flags.TEXT, "one");

        HttpAnswer answer = busy.answer();
        assertThat(answer.text()).isEqualTo("one");
        assertThat(answer.headers()).containsEntry("connection", "close");
        busy.assertEnd();
        stopped.get(20, TimeUnit.SECONDS);
    }

    /** The agent is not ready a moment before its event loop drains: only an answer tells that this one does. */
    private static void awaitDraining(ConsumerAgent stopping) throws Exception {
        Await.until(
                "connections end with their next answer",
                () -> HttpSocket.once(stopping.port(), HttpSocket.request("GET /", ""))
                        .hasConnectionClose());
    }

    // --- set-up ---

    private ProviderPeer lastTakenFrom;

    private ProviderPeer.Received takeFromEither(ProviderPeer one, ProviderPeer two) throws Exception {
        long start = System.nanoTime();
        while (one.hasNone() && two.hasNone()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
            LockSupport.parkNanos(100_000);
        }
        lastTakenFrom = one.hasNone() ? two : one;
        return lastTakenFrom.nextRequest();
    }

    private static String callUntilGood(HttpSocket client, ProviderPeer provider) throws Exception {
        while (true) {
            client.send(Requests.form("2"));
            CompletableFuture<HttpAnswer> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.answer();
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
                return answer.get().text();
            }
            assertThat(answer.get().status()).isEqualTo(503);
        }
    }
}
