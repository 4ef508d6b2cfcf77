package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Methods of unmodified providers of Dubbo that return streams, by Triple, through a gateway and through a pair. */
@Timeout(180)
class StreamTest {
    static final String SERVICE = "io.dubbomesh.demo.dubbo3.TickerService";
    private static final Path CLASSES = Path.of("../..", "testing", "demo", "dubbo33", "target", "classes");
    private static final String EVENTS = "Accept: text/event-stream";
    private static final String LINES = "Accept: application/x-ndjson";
    private static final String JSON = "Content-Type: application/json";
    private static final Duration SOON = Duration.ofSeconds(1);

    private Mesh mesh;
    /** The one that takes calls, and of a pair the provider agent. */
    private List<Agent> agents;

    /** What is between the client and the provider. */
    enum Way {
        GATEWAY,
        PAIR;

        /**
         * Starts the agents before a provider by Triple; returns the one that takes calls first.
         *
         * @param settings of each
         */
        List<Agent> start(Mesh mesh, int providerPort, Map<String, String> settings) throws Exception {
            Map<String, String> entry = new HashMap<>(settings);
            if (this == GATEWAY) {
                entry.putAll(Map.of("type", "gateway", "dubbo.api.jars", CLASSES.toString()));
                Agent gateway = mesh.consumerAgent("gateway", "static:tri://127.0.0.1:" + providerPort, entry);
                gateway.awaitReady();
                return List.of(gateway);
            }
            Map<String, String> served = new HashMap<>(Map.of(
                    "dubbo.services", SERVICE, "dubbo.protocol.name", "tri", "dubbo.api.jars", CLASSES.toString()));
            settings.forEach((key, value) -> {
                if (!key.startsWith("stream.")) {
                    served.put(key, value);
                }
            });
            Agent behind = mesh.providerAgent("provider-agent", providerPort, "static:127.0.0.1:1", served);
            behind.awaitReady();
            Agent first = mesh.consumerAgent("consumer-agent", "static:127.0.0.1:" + behind.port(), entry);
            first.awaitReady();
            return List.of(first, behind);
        }
    }

    static List<Arguments> setUps() {
        List<Arguments> setUps = new ArrayList<>();
        List<Jvm> versions = Jvm.selected(Jvm.DUBBO_30, Jvm.DUBBO_31, Jvm.DUBBO_32, Jvm.DUBBO);
        for (Jvm version : versions) {
            setUps.add(Arguments.of(Way.GATEWAY, version));
        }
        for (Jvm version : Selection.isAll() ? versions : List.of(Jvm.DUBBO)) {
            setUps.add(Arguments.of(Way.PAIR, version));
        }
        return setUps;
    }

    /** The client of a stream, which reads as fast as its test does. */
    private static final class Client implements Closeable {
        private final Socket socket = new Socket();
        private final BufferedReader in;

        Client(Agent agent, String method, String arguments, String accept) throws IOException {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(30_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), agent.port()));
            String request = HttpSocket.request("POST /" + SERVICE + '/' + method, arguments, JSON, accept);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        }

        /** Returns the next line that has content; those of chunks have theirs in hexadecimal digits. */
        String message() throws IOException {
            String line;
            do {
                line = in.readLine();
                assertThat(line).as("a line").isNotNull();
            } while (!line.startsWith("{") && !line.startsWith("data: ") && !line.startsWith("\""));
            return line.replace("data: ", "");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @BeforeEach
    void start(TestInfo test) throws Exception {
        mesh = Mesh.named("StreamTest-" + test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void end() throws Exception {
        mesh.end();
    }

    /** Starts a provider and what is before it; returns the agent that takes calls. */
    private Agent start(Way way, Jvm version, String... settings) throws Exception {
        Dubbo provider = mesh.provider(version, "provider-" + version, Map.of("delay.ms", "0", "protocol", "tri"));
        provider.awaitListening();
        Map<String, String> all = new HashMap<>(Map.of("io.threads", "1"));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        agents = way.start(mesh, provider.port(), all);
        return agents.get(0);
    }

    private static HttpAnswer call(Agent agent, String method, String arguments, String... headers) throws IOException {
        String[] all = new String[headers.length + 1];
        all[0] = JSON;
        System.arraycopy(headers, 0, all, 1, headers.length);
        return HttpSocket.once(agent.port(), HttpSocket.request("POST /" + SERVICE + '/' + method, arguments, all));
    }

    private static int cancelled(Agent agent) throws IOException {
        return Integer.parseInt(call(agent, "cancelled", "[]").text());
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void theMessagesOfEveryVersionAreThoseOfItsMethod(Way way, Jvm version) throws Exception {
        Agent agent = start(way, version);
        try (Client client = new Client(agent, "tick", "[{\"count\":3,\"length\":2}]", EVENTS)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.message())
                        .isIn("{\"number\":" + i + ",\"text\":\"xx\"}", "{\"text\":\"xx\",\"number\":" + i + "}");
            }
            assertThat(client.message()).isEqualTo("{\"status\":200,\"code\":\"OK\"}");
        }
        try (Client client = new Client(agent, "words", "[\"one two\"]", LINES)) {
            assertThat(client.message()).isEqualTo("\"one\"");
            assertThat(client.message()).isEqualTo("\"two\"");
            assertThat(client.message()).isEqualTo("{\"$end\":{\"status\":200,\"code\":\"OK\"}}");
        }
        try (Client client = new Client(agent, "tick", "[{\"count\":1,\"failing\":true}]", EVENTS)) {
            assertThat(client.message()).containsPattern("\"number\":0\\b");
            assertThat(client.message()).contains("\"status\":5", "\"code\":\"");
        }
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void aClientThatLeavesEndsTheStreamAtTheProviderWithinASecond(Way way, Jvm version) throws Exception {
        Agent agent = start(way, version);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Client client = new Client(agent, "tick", "[{\"count\":100000,\"length\":10,\"pauseMs\":20}]", EVENTS);
            clients.add(client);
            client.message();
        }
        assertThat(cancelled(agent)).isZero();
        for (Client client : clients) {
            client.close();
        }
        Await.until(SOON, "the provider has ended them", () -> cancelled(agent) == clients.size());
    }

    @ParameterizedTest
    @EnumSource
    void aThousandMessagesReachASlowReaderInOrderWhileOthersAreServed(Way way) throws Exception {
        Agent agent = start(way, Jvm.DUBBO);
        try (Client slow = new Client(agent, "tick", "[{\"count\":1000,\"length\":20000}]", LINES)) {
            slow.message();
            assertThat(call(agent, "cancelled", "[]").text()).isEqualTo("0");
            for (int i = 1; i < 1000; i++) {
                assertThat(slow.message()).containsPattern("\"number\":" + i + "\\b");
            }
            assertThat(slow.message()).contains("\"status\":200");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeAStreamIsRefusedByName(Way way) throws Exception {
        Agent agent = start(way, Jvm.DUBBO);
        HttpAnswer plain = call(agent, "tick", "[{\"count\":3}]");
        assertThat(plain.status()).isEqualTo(406);
        assertThat(plain.text()).contains("NOT_ACCEPTABLE", "Accept: text/event-stream");
        HttpAnswer chat = call(agent, "chat", "[\"x\"]", EVENTS);
        assertThat(chat.status()).isEqualTo(501);
        assertThat(chat.text()).contains("method chat takes a stream");
    }

    @ParameterizedTest
    @EnumSource
    void aStreamEndsWithItsTimeouts(Way way) throws Exception {
        Agent agent = start(way, Jvm.DUBBO, "stream.idle-timeout", "2 s");
        // So that the first message takes less: classes are loaded.
        assertThat(cancelled(agent)).isZero();
        try (Client client = new Client(agent, "tick", "[{\"count\":5,\"pauseMs\":10000}]", EVENTS)) {
            assertThat(client.message()).containsPattern("\"number\":0\\b");
            assertThat(client.message()).contains("\"status\":504", "stream.idle-timeout");
        }
    }

    @Test
    void aStreamEndsWithItsStatusWhenTheProviderAgentEnds() throws Exception {
        Agent agent = start(Way.PAIR, Jvm.DUBBO);
        try (Client client = new Client(agent, "tick", "[{\"count\":100000,\"pauseMs\":50}]", EVENTS)) {
            client.message();
            agents.get(1).process().send(Signal.TERM);
            String message = client.message();
            while (!message.contains("\"status\"")) {
                message = client.message();
            }
            assertThat(message).contains("\"status\":503", "NO_PROVIDER", "the provider agent is shutting down");
        }
    }
}
