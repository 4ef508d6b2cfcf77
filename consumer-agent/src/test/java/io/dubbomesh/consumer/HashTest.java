package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of one key go to one endpoint, as long as that takes calls. */
class HashTest extends AgentTest {
    private static final int KEYS = 60;

    private final List<ServingPeer> peers = new ArrayList<>();

    @BeforeEach
    void startPeers() throws Exception {
        for (int i = 0; i < 3; i++) {
            peers.add(opened(new ServingPeer()));
        }
    }

    private void start(String key) throws Exception {
        startWithRegistry(
                Map.of(
                        "lb",
                        "hash",
                        "lb.hash.key",
                        key,
                        "lb.slow-start",
                        "0",
                        "io.threads",
                        "1",
                        "lb.ejection",
                        "false"),
                "static:"
                        + peers.stream().map(peer -> "127.0.0.1:" + peer.port()).collect(Collectors.joining(",")));
        // The first calls wait for the first link, and may be sent before the others are ready.
        HttpSocket client = client();
        Await.until("all links are ready", () -> {
            assertThat(client.call(Requests.form("12345678")).status()).isEqualTo(200);
            client.call(Requests.json("/a.B/m", "[]"));
            return peers.stream().allMatch(peer -> peer.requests() > 0);
        });
    }

    private static String ofHeader(int key) {
        return Requests.form("12345678", "X-User: user-" + key);
    }

    private static String ofArgument(int key) {
        return Requests.form("user-" + (100 + key));
    }

    /** A call with the key. */
    private interface Call {
        String of(int key);
    }

    /** Returns the peer that each key's call goes to. */
    private int[] owners(Call call) throws Exception {
        HttpSocket client = client();
        int[] owners = new int[KEYS];
        for (int key = 0; key < KEYS; key++) {
            int[] before = peers.stream().mapToInt(ServingPeer::requests).toArray();
            assertThat(client.call(call.of(key)).status()).isEqualTo(200);
            owners[key] = -1;
            for (int i = 0; i < before.length; i++) {
                if (peers.get(i).requests() > before[i]) {
                    owners[key] = i;
                }
            }
        }
        return owners;
    }

    @Test
    void callsOfAKeyInAHeaderFieldGoToOneEndpoint() throws Exception {
        start("header:X-User");
        int[] owners = owners(HashTest::ofHeader);

        assertThat(owners(HashTest::ofHeader)).isEqualTo(owners);
        assertThat(owners).contains(0, 1, 2);
    }

    @Test
    void callsOfAKeyInAnArgumentGoToOneEndpoint() throws Exception {
        start("argument:0");
        int[] owners = owners(HashTest::ofArgument);

        assertThat(owners(HashTest::ofArgument)).isEqualTo(owners);
        assertThat(owners).contains(0, 1, 2);
        assertThat(owners(HashTest::inJson)).isEqualTo(owners);
    }

    @Test
    void anArgumentInJsonIsFoundBehindOthersWithQuotesAndBrackets() throws Exception {
        start("argument:1");
        int[] owners = owners(key -> behind("1", key));

        assertThat(owners).contains(0, 1, 2);
        for (String first : new String[] {"\"a\\\"],\"", "\"\\\\\"", "{\"a]\":[1,\"}\"]}", "\"\""}) {
            assertThat(owners(key -> behind(first, key))).as(first).isEqualTo(owners);
        }
    }

    private static String behind(String first, int key) {
        return Requests.json("/a.B/m", "[" + first + ", \"user-" + (100 + key) + "\"]");
    }

    private static String inJson(int key) {
        return Requests.json("/a.B/m", "[\"user-" + (100 + key) + "\"]");
    }

    @Test
    void callsWithoutAKeyGoInTurn() throws Exception {
        start("header:X-User");

        int[] owners = owners(key -> Requests.form("12345678"));

        for (int i = 0; i < 3; i++) {
            int peer = i;
            assertThat(Arrays.stream(owners).filter(owner -> owner == peer)).hasSize(KEYS / 3);
        }
    }

    /** A call that an endpoint gives back goes to the next one of its key, each time to the same. */
    @Test
    void keysOfAnEndpointThatGivesCallsBackAreSpreadAndReturn() throws Exception {
        start("header:X-User");
        int[] owners = owners(HashTest::ofHeader);
        peers.get(1).drain();
        Await.until("it gets no calls", () -> {
            int before = peers.get(1).requests();
            owners(HashTest::ofHeader);
            return peers.get(1).requests() == before;
        });

        int[] meanwhile = owners(HashTest::ofHeader);

        assertThat(owners(HashTest::ofHeader)).isEqualTo(meanwhile);
        boolean[] heirs = new boolean[3];
        for (int key = 0; key < KEYS; key++) {
            if (owners[key] == 1) {
                heirs[meanwhile[key]] = true;
            } else {
                assertThat(meanwhile[key]).isEqualTo(owners[key]);
            }
        }
        assertThat(heirs).containsExactly(true, false, true);
    }
}
