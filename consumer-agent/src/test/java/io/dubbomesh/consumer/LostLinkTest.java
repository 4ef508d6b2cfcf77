package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the calls on a link that is lost. */
class LostLinkTest extends AgentTest {
    private static final int CALLS = 20;
    private static final String LARGE = "x".repeat(100_000);
    /** The kernel takes few calls, and the agent sends more. */
    private static final Map<String, String> SLOW_NETWORK =
            Map.of("tcp.send-buffer", "16 KiB", "tcp.high-water-mark", "4 MiB");

    /** The calls on the lost link fail whose bytes the sockets had, and no others. */
    @Test
    void callsThatWereNeverSentGoToAnotherEndpoint() throws Exception {
        ProviderPeer lost = provider(180);
        ProviderPeer sound = provider(180);
        FaultyProxy network = opened(new FaultyProxy(lost.port()));
        startWithPorts(SLOW_NETWORK, network.port(), sound.port());
        network.stall();
        List<HttpSocket> clients = callers();
        for (int i = 0; i < CALLS / 2; i++) {
            sound.answer(sound.nextRequest(), 0, Flags.TEXT, "1");
        }
        network.cut();
        answerAll(sound);

        Map<Integer, Long> statuses = statuses(clients);
        assertThat(List.of(200, 502)).containsAll(statuses.keySet());
        assertThat(statuses.get(200))
                .as("all but those that the buffers of two sockets had wholly")
                .isGreaterThan(CALLS / 2 + 3);
    }

    @Test
    void callsThatWereNeverSentAreRefusedWhereThereIsNoOtherEndpoint() throws Exception {
        ProviderPeer lost = provider(180);
        FaultyProxy network = opened(new FaultyProxy(lost.port()));
        startWithPorts(SLOW_NETWORK, network.port());
        network.stall();
        List<HttpSocket> clients = callers();
        // An answer to a later request of the same loop.
        assertThat(client().call(HttpSocket.request("GET /nothing/here/", "")).status())
                .isEqualTo(404);
        network.cut();

        Map<Integer, Long> statuses = statuses(clients);
        assertThat(List.of(502, 503)).containsAll(statuses.keySet());
        assertThat(statuses.get(503))
                .as("all but those that the buffers of two sockets had wholly")
                .isGreaterThan(CALLS / 2);
    }

    private List<HttpSocket> callers() throws IOException {
        List<HttpSocket> clients = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            clients.add(client().send(Requests.form(LARGE)));
        }
        return clients;
    }

    /** Returns the number of calls with each status. */
    private static Map<Integer, Long> statuses(List<HttpSocket> clients) throws IOException {
        Map<Integer, Long> counts = new TreeMap<>();
        for (HttpSocket client : clients) {
            counts.merge(client.answer().status(), 1L, Long::sum);
        }
        return counts;
    }

    @Test
    void callsThatAreWrittenInTheTurnInWhichTheLinkEndsGoToAnotherEndpoint() throws Exception {
        ProviderPeer ended = provider(180);
        assertGoElsewhereInTheSameTurn(ended, ended::closeLinks);
    }

    @Test
    void callsThatAreWrittenInTheTurnOfAGoAwayGoToAnotherEndpoint() throws Exception {
        ProviderPeer leaving = provider(180);
        assertGoElsewhereInTheSameTurn(leaving, () -> leaving.goAway("test"));
    }

    private interface LinkEnd {
        void happen() throws IOException;
    }

    private void assertGoElsewhereInTheSameTurn(ProviderPeer leaving, LinkEnd end) throws Exception {
        ProviderPeer sound = provider(180);
        start(Map.of(), leaving, sound);
        List<HttpSocket> clients = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            clients.add(client());
        }
        // The agent has accepted them all.
        assertThat(client().call(HttpSocket.request("GET /nothing/here/", "")).status())
                .isEqualTo(404);

        CompletableFuture<Void> blocked = blockLoop();
        for (HttpSocket client : clients) {
            client.send(Requests.form("hi"));
        }
        // The system tells of what is ready in the order in which it became so.
        Thread.sleep(50);
        end.happen();
        Thread.sleep(50);
        blocked.complete(null);

        for (int i = 0; i < CALLS; i++) {
            sound.answer(sound.nextRequest(), 0, Flags.TEXT, "1");
        }
        assertThat(statuses(clients)).containsOnlyKeys(200);
        assertThat(leaving.hasNone()).isTrue();
    }

    private static void answerAll(ProviderPeer provider) {
        Thread answers = new Thread(() -> {
            try {
                while (true) {
                    provider.answer(provider.nextRequest(), 0, Flags.TEXT, "1");
                }
            } catch (IOException | InterruptedException | AssertionError e) {
                // The test is over.
            }
        });
        answers.setDaemon(true);
        answers.start();
    }

    @Test
    void namesOfMethodsAreDefinedAsLongAsTheTableHasRoomForTheirBytes() throws Exception {
        ProviderPeer provider = opened(new ProviderPeer(180, 3));
        start(Map.of(), provider);
        HttpSocket client = client();
        String service = "s".repeat(1500);
        for (int call = 0; call < 2; call++) {
            for (int method = 0; method < 3; method++) {
                client.send(Requests.json("/" + service + "/m" + method, "[]"));
                ProviderPeer.Received request = provider.next();
                if (request.type() == MeshFrame.DEFINE) {
                    assertThat(request.methodId()).isEqualTo(method + 1);
                    request = provider.next();
                }
                provider.answer(request, 0, Flags.JSON, "1");
                assertThat(client.answer().status()).isEqualTo(200);
                boolean defined = call == 1 && method < 2;
                assertThat(request.methodId()).isEqualTo(defined ? method + 1 : 0);
            }
        }
    }
}
