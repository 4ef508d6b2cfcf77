package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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

/** Methods of unmodified providers of Dubbo that return streams, by Triple and through a gateway. */
@Timeout(180)
class StreamTest {
    private static final String SERVICE = "io.dubbomesh.demo.dubbo3.TickerService";
    private static final Path CLASSES = Path.of("../..", "testing", "demo", "dubbo33", "target", "classes");
    private static final String EVENTS = "Accept: text/event-stream";
    private static final String LINES = "Accept: application/x-ndjson";
    private static final String JSON = "Content-Type: application/json";
    private static final Duration SOON = Duration.ofSeconds(1);

    private Mesh mesh;

    static List<Jvm> versions() {
        return Jvm.selected(Jvm.DUBBO_30, Jvm.DUBBO_31, Jvm.DUBBO_32, Jvm.DUBBO);
    }

    /** The client of a stream, which reads as fast as its test does. */
    private static final class Client implements Closeable {
        private final Socket socket = new Socket();
        private final BufferedReader in;

        Client(Agent gateway, String method, String arguments, String accept) throws IOException {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(30_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
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

    private Agent gateway(Jvm version, String... settings) throws Exception {
        Dubbo provider = mesh.provider(version, "provider-" + version, Map.of("delay.ms", "0", "protocol", "tri"));
        provider.awaitListening();
        Map<String, String> all =
                new HashMap<>(Map.of("type", "gateway", "event-loops", "1", "dubbo.api.jars", CLASSES.toString()));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        Agent gateway = mesh.consumerAgent("gateway", "static:tri://127.0.0.1:" + provider.port(), all);
        gateway.awaitReady();
        return gateway;
    }

    private static HttpAnswer call(Agent gateway, String method, String arguments, String... headers)
            throws IOException {
        String[] all = new String[headers.length + 1];
        all[0] = JSON;
        System.arraycopy(headers, 0, all, 1, headers.length);
        return HttpSocket.once(gateway.port(), HttpSocket.request("POST /" + SERVICE + '/' + method, arguments, all));
    }

    private static int cancelled(Agent gateway) throws IOException {
        return Integer.parseInt(call(gateway, "cancelled", "[]").text());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void theMessagesOfEveryVersionAreThoseOfItsMethod(Jvm version) throws Exception {
        Agent gateway = gateway(version);
        try (Client client = new Client(gateway, "tick", "[{\"count\":3,\"length\":2}]", EVENTS)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.message())
                        .isIn("{\"number\":" + i + ",\"text\":\"xx\"}", "{\"text\":\"xx\",\"number\":" + i + "}");
            }
            assertThat(client.message()).isEqualTo("{\"status\":200,\"code\":\"OK\"}");
        }
        try (Client client = new Client(gateway, "words", "[\"one two\"]", LINES)) {
            assertThat(client.message()).isEqualTo("\"one\"");
            assertThat(client.message()).isEqualTo("\"two\"");
            assertThat(client.message()).isEqualTo("{\"$end\":{\"status\":200,\"code\":\"OK\"}}");
        }
        try (Client client = new Client(gateway, "tick", "[{\"count\":1,\"failing\":true}]", EVENTS)) {
            assertThat(client.message()).containsPattern("\"number\":0\\b");
            assertThat(client.message()).contains("\"status\":5", "\"code\":\"");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void aClientThatLeavesEndsTheStreamAtTheProviderWithinASecond(Jvm version) throws Exception {
        Agent gateway = gateway(version);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Client client = new Client(gateway, "tick", "[{\"count\":100000,\"length\":10,\"pauseMs\":20}]", EVENTS);
            clients.add(client);
            client.message();
        }
        assertThat(cancelled(gateway)).isZero();
        for (Client client : clients) {
            client.close();
        }
        Await.until(SOON, "the provider has ended them", () -> cancelled(gateway) == clients.size());
    }

    @Test
    void aThousandMessagesReachASlowReaderInOrderWhileOthersAreServed() throws Exception {
        Agent gateway = gateway(Jvm.DUBBO);
        try (Client slow = new Client(gateway, "tick", "[{\"count\":1000,\"length\":20000}]", LINES)) {
            slow.message();
            assertThat(call(gateway, "cancelled", "[]").text()).isEqualTo("0");
            for (int i = 1; i < 1000; i++) {
                assertThat(slow.message()).containsPattern("\"number\":" + i + "\\b");
            }
            assertThat(slow.message()).contains("\"status\":200");
        }
    }

    @Test
    void whatCannotBeAStreamIsRefusedByName() throws Exception {
        Agent gateway = gateway(Jvm.DUBBO);
        HttpAnswer plain = call(gateway, "tick", "[{\"count\":3}]");
        assertThat(plain.status()).isEqualTo(406);
        assertThat(plain.text()).contains("NOT_ACCEPTABLE", "Accept: text/event-stream");
        HttpAnswer chat = call(gateway, "chat", "[\"x\"]", EVENTS);
        assertThat(chat.status()).isEqualTo(501);
        assertThat(chat.text()).contains("method chat takes a stream");
    }

    @Test
    void aStreamEndsWithItsTimeouts() throws Exception {
        Agent gateway = gateway(Jvm.DUBBO, "stream.idle-timeout", "2 s");
        // So that the first message takes less: classes are loaded.
        assertThat(cancelled(gateway)).isZero();
        try (Client client = new Client(gateway, "tick", "[{\"count\":5,\"pauseMs\":10000}]", EVENTS)) {
            assertThat(client.message()).containsPattern("\"number\":0\\b");
            assertThat(client.message()).contains("\"status\":504", "stream.idle-timeout");
        }
    }
}
