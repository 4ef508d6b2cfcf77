package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.benchmark.ladder.Client.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** Both agents as they are started, between a client's sockets and the stub provider; each switch flipped alone. */
@Timeout(60)
class LadderTest {
    private static final String TOP = "";
    private static final String BOTTOM =
            "balance=random,wait=future,link=http,loops=own,dubbo.connections=4,transport=nio,"
                    + "quickack=false,nodelay=false,http=netty,flush=write,decode=frame,workers=200";

    private static Stub stub;

    @BeforeAll
    static void startTheProvider() throws IOException {
        stub = Stub.start(0, 0);
    }

    @AfterAll
    static void endTheProvider() {
        stub.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TOP,
                BOTTOM,
                "balance=random",
                "wait=future",
                "wait=future,workers=8",
                "link=http",
                "link=protobuf",
                "loops=own",
                "dubbo.connections=4",
                "transport=nio",
                "quickack=false",
                "nodelay=false",
                "http=netty",
                "flush=write",
                "decode=frame",
                "threads=2",
                "threads=2,loops=own,wait=future,link=protobuf",
                "link=http,wait=future",
                "link=protobuf,decode=frame,flush=write"
            })
    void answersEveryCallOf64ConnectionsRight(String switches) throws Exception {
        int rounds = 5;
        Random random = new Random(20180601);
        List<Client> clients = new ArrayList<>();
        try (Pair pair = new Pair(switches, stub.port())) {
            for (int i = 0; i < 64; i++) {
                clients.add(new Client(pair.consumer));
            }
            for (int round = 0; round < rounds; round++) {
                List<String> texts = new ArrayList<>();
                for (Client client : clients) {
                    String text = text(random);
                    texts.add(text);
                    client.send(Client.call(text));
                }
                for (int i = 0; i < clients.size(); i++) {
                    assertThat(clients.get(i).receive()).isEqualTo(hashOf(texts.get(i)));
                }
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TOP,
                BOTTOM,
                "wait=future",
                "link=http",
                "link=protobuf",
                "loops=own",
                "http=netty",
                "http=netty,wait=future",
                "decode=frame",
                "flush=write",
                "dubbo.connections=4"
            })
    void answersPipelinedCallsInTheirOrder(String switches) throws Exception {
        Random random = new Random(1);
        StringBuilder requests = new StringBuilder();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String text = text(random);
            texts.add(text);
            requests.append(Client.call(text));
        }
        try (Pair pair = new Pair(switches, stub.port());
                Client client = new Client(pair.consumer)) {
            client.send(requests.toString());
            for (String text : texts) {
                assertThat(client.receive()).isEqualTo(hashOf(text));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http=own", "http=netty"})
    void understandsARequestHoweverItsBytesArrive(String switches) throws Exception {
        try (Pair pair = new Pair(switches, stub.port());
                Client client = new Client(pair.consumer)) {
            for (char c : (Client.call("a") + Client.call("bc")).toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertThat(client.receive()).isEqualTo(hashOf("a"));
            assertThat(client.receive()).isEqualTo(hashOf("bc"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TOP, BOTTOM, "link=protobuf", "link=http", "http=netty"})
    void answersAnErrorAndGoesOn(String switches) throws Exception {
        try (Pair pair = new Pair(switches, stub.port());
                Client client = new Client(pair.consumer)) {
            client.send(Client.post("method=hash"));
            assertThat(client.receive().status()).isEqualTo(400);
            client.send(Client.post("interface=i&method=m&parameterTypesString=I&parameter=x"));
            assertThat(client.receive().status()).isGreaterThanOrEqualTo(400);
            client.send(Client.post("interface=i&method=m&parameterTypesString="));
            assertThat(client.receive().status()).isGreaterThanOrEqualTo(400);
            client.send(Client.call("x"));
            assertThat(client.receive()).isEqualTo(hashOf("x"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http=own", "http=netty"})
    void closesAConnectionThatDoesNotSpeakHttp(String switches) throws Exception {
        try (Pair pair = new Pair(switches, stub.port());
                Client client = new Client(pair.consumer)) {
            client.send("nonsense\r\n\r\n" + Client.call("x"));
            assertThat(client.receive().status()).isEqualTo(400);
            assertThat(client.read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TOP, BOTTOM, "link=protobuf", "link=http", "wait=future"})
    void failsCallsWhileTheProviderIsAwayAndAnswersAgainWhenItIsBack(String switches) throws Exception {
        Stub first = Stub.start(0, 10_000);
        try (Pair pair = new Pair(switches, first.port());
                Client client = new Client(pair.consumer)) {
            client.send(Client.call("x"));
            first.close();
            assertThat(client.receive().status()).isGreaterThanOrEqualTo(500);
            try (Stub second = Stub.start(first.port(), 0)) {
                assertThat(second.port()).isEqualTo(first.port());
                Response response;
                do {
                    client.send(Client.call("x"));
                    response = client.receive();
                } while (response.status() >= 500);
                assertThat(response).isEqualTo(hashOf("x"));
            }
        } finally {
            first.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TOP, BOTTOM})
    void answersACallThatTheProviderDoesNotAnswerInTime(String switches) throws Exception {
        try (Stub slow = Stub.start(0, 60_000);
                Pair pair = new Pair(switches, slow.port());
                Client client = new Client(pair.consumer)) {
            client.send(Client.call("x"));
            assertThat(client.receive().status()).isGreaterThanOrEqualTo(500);
        }
    }

    @Test
    void reachesEveryProviderThatIsNamed() throws Exception {
        LadderAgent first = Pair.provider(TOP, stub.port());
        try (LadderAgent second = Pair.provider(TOP, stub.port());
                LadderAgent consumer = Pair.consumer(TOP, first.port(), second.port());
                Client client = new Client(consumer)) {
            first.close();
            client.send(Client.call("x") + Client.call("x"));
            assertThat(List.of(client.receive().status() / 100, client.receive().status() / 100))
                    .containsExactlyInAnyOrder(2, 5);
        }
    }

    /** From empty to 1,023 characters, as in 2018 but mostly short ones; some of them more than ASCII. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(random.nextInt(8) == 0 ? 1024 : 64); length > 0; length--) {
            text.append(random.nextInt(100) == 0 ? '\u4e2d' : (char) ('!' + random.nextInt('~' - '!')));
        }
        return text.toString();
    }

    private static Response hashOf(String text) {
        return new Response(200, String.valueOf(text.hashCode()));
    }

    /** A consumer's agent and the provider agent that it calls, on any free ports. */
    private static final class Pair implements AutoCloseable {
        private final LadderAgent provider;
        private final LadderAgent consumer;

        Pair(String switches, int dubboPort) throws IOException {
            provider = provider(switches, dubboPort);
            consumer = consumer(switches, provider.port());
        }

        static LadderAgent provider(String switches, int dubboPort) throws IOException {
            Map<String, String> values = values(switches);
            values.put("dubbo.port", String.valueOf(dubboPort));
            return LadderProvider.start(new Settings(values));
        }

        static LadderAgent consumer(String switches, int... providers) throws IOException {
            List<String> addresses = new ArrayList<>();
            for (int port : providers) {
                addresses.add("127.0.0.1:" + port + ":1");
            }
            Map<String, String> values = values(switches);
            values.put("providers", String.join(",", addresses));
            return LadderConsumer.start(new Settings(values));
        }

        private static Map<String, String> values(String switches) {
            Map<String, String> values = new HashMap<>(Map.of("server.port", "0"));
            for (String each : switches.isEmpty() ? new String[0] : switches.split(",")) {
                String[] keyAndValue = each.split("=");
                values.put("ladder." + keyAndValue[0], keyAndValue[1]);
            }
            return values;
        }

        @Override
        public void close() {
            consumer.close();
            provider.close();
        }
    }
}
