package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import static io.dubbomesh.consumer.ServingPeer.Behaviour.FAILING;
import static io.dubbomesh.consumer.ServingPeer.Behaviour.FROZEN;
import static io.dubbomesh.consumer.ServingPeer.Behaviour.GOOD;
import static io.dubbomesh.consumer.ServingPeer.Behaviour.REFUSING;
import static io.dubbomesh.consumer.ServingPeer.Behaviour.SLOW;
import static org.assertj.core.api.Assertions.assertThat;

/** Endpoints that fail get no calls but probes, until they work again. */
class EjectionTest extends AgentTest {
    private static final int CLIENTS = 6;

    private final List<ServingPeer> peers = new ArrayList<>();
    private final List<HttpSocket> clients = new ArrayList<>();
    private final AtomicInteger lastCall = new AtomicInteger();
    private int failed;

    @Test
    void anEndpointThatRefusesEverythingIsEjected() throws Exception {
        startWith(3, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s"));
        peers.get(0).become(REFUSING);
        assertThatItGetsNoCalls(peers.get(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILING", "WITH_A_WRONG_TOKEN"})
    void anEndpointWhoseCallsFailIsEjectedAfterFiveOfThem(ServingPeer.Behaviour bad) throws Exception {
        startWith(3, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s"));
        peers.get(0).become(bad);
        assertThatItGetsNoCalls(peers.get(0));
        // Some more were in flight already.
        assertThat(failed).isBetween(5, 5 + CLIENTS);
    }

    @Test
    void anEndpointThatFreezesIsEjectedBeforeTheDeadlines() throws Exception {
        startWith(
                3, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s", "lb.ejection.stall", "200 ms"));
        peers.get(0).become(FROZEN);
        assertThatItGetsNoCalls(peers.get(0));
        // Those that had been sent there.
        assertThat(failed).isLessThanOrEqualTo(CLIENTS);
    }

    @Test
    void anEndpointThatBecomesSlowIsEjected() throws Exception {
        startWith(4, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s"));
        peers.get(0).become(SLOW);
        assertThatItGetsNoCalls(peers.get(0));
        assertThat(failed).isZero();
    }

    @Test
    void aProbeBringsBackWhatHadRefusedOrFailed() throws Exception {
        startWith(3, Map.of("lb.ejection.pause", "50 ms", "lb.ejection.max-pause", "100 ms"));
        for (ServingPeer.Behaviour bad : List.of(REFUSING, FAILING)) {
            peers.get(0).become(bad);
            awaitProbesOnly(peers.get(0));
            peers.get(0).become(GOOD);
            awaitItsShare(peers.get(0));
        }
    }

    @Test
    void aProbeBringsBackWhatHadBeenSlowOrFrozenAndLateAnswersReachNobodyElse() throws Exception {
        startWith(
                3,
                Map.of(
                        "lb.ejection.pause", "50 ms",
                        "lb.ejection.max-pause", "100 ms",
                        "lb.ejection.stall", "200 ms",
                        "request.timeout", "1 s"));
        for (ServingPeer.Behaviour bad : List.of(SLOW, FROZEN)) {
            peers.get(0).become(bad);
            awaitProbesOnly(peers.get(0));
            peers.get(0).become(GOOD);
            awaitItsShare(peers.get(0));
        }
    }

    @Test
    void whereEverythingIsEjectedEverythingIsUsed() throws Exception {
        startWith(3, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s"));
        peers.forEach(peer -> peer.become(FAILING));
        HttpSocket client = client();
        for (int i = 0; i < 30; i++) {
            assertThat(call(client).status()).isEqualTo(502);
        }
        int before = peers.get(2).requests();
        peers.get(2).become(GOOD);
        Await.until("an endpoint that is ejected answers", () -> call(client).status() == 200);
        for (int i = 0; i < 30; i++) {
            assertThat(call(client).status()).isEqualTo(200);
        }
        assertThat(peers.get(2).requests()).isGreaterThanOrEqualTo(before + 31);
    }

    @Test
    void theOnlyEndpointIsNotEjected() throws Exception {
        startWith(1, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s"));
        peers.get(0).become(FAILING);
        HttpSocket client = client();
        for (int i = 0; i < 20; i++) {
            assertThat(call(client).status()).isEqualTo(502);
        }
        peers.get(0).become(GOOD);
        assertThat(call(client).status()).isEqualTo(200);
    }

    @Test
    void nothingIsEjectedWhereThatIsSwitchedOff() throws Exception {
        startWith(2, Map.of("lb.ejection", "false"));
        peers.get(0).become(FAILING);
        HttpSocket client = client();
        int bad = 0;
        for (int i = 0; i < 40; i++) {
            bad += call(client).status() == 200 ? 0 : 1;
        }
        assertThat(bad).isEqualTo(20);
    }

    @Test
    void aServiceWhoseCallsFailTakesNoEndpointFromAnotherService() throws Exception {
        startWith(2, Map.of("lb.ejection.pause", "60 s", "lb.ejection.max-pause", "60 s"));
        HttpSocket client = client();
        peers.get(0).become(FAILING);
        assertThatItGetsNoCalls(peers.get(0));
        peers.get(0).become(GOOD);
        int before = peers.get(0).requests();
        for (int i = 0; i < 10; i++) {
            assertThat(client.call(form().replace("=a.B&", "=a.C&")).status()).isEqualTo(200);
        }
        assertThat(peers.get(0).requests() - before).isBetween(4, 6);
    }

    // --- set-up ---

    private void startWith(int peerCount, Map<String, String> settings) throws Exception {
        for (int i = 0; i < peerCount; i++) {
            peers.add(opened(new ServingPeer()));
        }
        Map<String, String> all = new HashMap<>(Map.of("lb.slow-start", "0"));
        all.putAll(settings);
        startWithPorts(all, peers.stream().mapToInt(ServingPeer::port).toArray());
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client());
        }
        HttpSocket client = clients.get(0);
        for (int i = 0; i < 10 * peerCount; i++) {
            assertThat(call(client).status()).isEqualTo(200);
        }
    }

    private String form() {
        return Requests.form(Integer.toString(10_000_000 + lastCall.incrementAndGet()));
    }

    /** An answer that is good is the one of this call. */
    private HttpAnswer call(HttpSocket client) throws IOException {
        int number = 10_000_000 + lastCall.incrementAndGet();
        HttpAnswer answer = client.call(Requests.form(Integer.toString(number)));
        if (answer.status() == 200) {
            assertThat(answer.text()).isEqualTo(Integer.toString(number));
        }
        return answer;
    }

    /** Calls until none of 60 goes to this peer. */
    private void assertThatItGetsNoCalls(ServingPeer ejected) throws Exception {
        Await.until(Duration.ofSeconds(20), "no call goes there", () -> callsInBatch(ejected, 60) == 0);
    }

    private void awaitProbesOnly(ServingPeer ejected) throws Exception {
        Await.until(Duration.ofSeconds(20), "few calls go there", () -> callsInBatch(ejected, 60) <= 4);
    }

    private void awaitItsShare(ServingPeer returned) throws Exception {
        Await.until(
                Duration.ofSeconds(20),
                "its share of the calls goes there",
                () -> callsInBatch(returned, 60) >= 60 / peers.size());
    }

    /** Sends so many calls, six at a time and about one a millisecond, and returns the number that reaches the peer. */
    private int callsInBatch(ServingPeer peer, int calls) throws Exception {
        int before = peer.requests();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Integer>> failures = new ArrayList<>();
            for (HttpSocket client : clients) {
                failures.add(threads.submit(() -> callAtIntervals(client, calls / CLIENTS)));
            }
            for (Future<Integer> failure : failures) {
                failed += failure.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return peer.requests() - before;
    }

    /** Returns how many failed. */
    private int callAtIntervals(HttpSocket client, int calls) throws IOException {
        int bad = 0;
        for (int call = 0; call < calls; call++) {
            bad += call(client).status() == 200 ? 0 : 1;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return bad;
    }
}
