package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Scrape;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Unmodified providers that export Triple alone, and a gateway that has their addresses. */
@Timeout(180)
class TripleGatewayTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Mesh mesh;

    static List<Jvm> versions() {
        return Jvm.selected(Jvm.DUBBO_30, Jvm.DUBBO_31, Jvm.DUBBO_32, Jvm.DUBBO);
    }

    @BeforeEach
    void start(TestInfo test) throws Exception {
        mesh = Mesh.named(
                "TripleGatewayTest-" + test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void end() throws Exception {
        mesh.end();
    }

    private Dubbo provider(Jvm version, String name, Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("delay.ms", "0", "dubbo.protocol.name", "tri"));
        all.putAll(settings);
        Dubbo provider = mesh.provider(version, name, all);
        provider.awaitListening();
        return provider;
    }

    private Agent gateway(Map<String, String> settings, Dubbo... providers) throws Exception {
        List<String> members = new ArrayList<>();
        for (Dubbo provider : providers) {
            members.add("tri://127.0.0.1:" + provider.port());
        }
        Map<String, String> all = new HashMap<>(Map.of("type", "gateway", "lb.slow-start", "0 s"));
        all.putAll(settings);
        Agent gateway = mesh.consumerAgent("gateway", "static:" + String.join(",", members), all);
        gateway.awaitReady();
        return gateway;
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyVersionIsCalled(Jvm version) throws Exception {
        Dubbo provider = provider(version, "provider-" + version, Map.of());
        Agent gateway = gateway(Map.of(), provider);

        try (HttpSocket client = new HttpSocket(gateway.port())) {
            for (String text : Form.TEXTS) {
                client.call(Form.post(Form.hash(text), Form.PATIENT)).assertHash(text);
            }
            String large = "x".repeat(300_000);
            client.call(Form.post(Form.hash(large), Form.PATIENT)).assertHash(large);
        }
        assertThat(provider.executed()).isEqualTo(Form.TEXTS.size() + 1);
        Scrape scrape = Scrape.of(gateway.adminPort());
        assertThat(scrape.sum("dubbomesh_consumer_endpoint_requests_total", "protocol", "tri"))
                .isEqualTo(Form.TEXTS.size() + 1);
        assertThat(scrape.sum("dubbomesh_consumer_dubbo_connections", "protocol", "tri"))
                .isPositive();
        assertThat(scrape.sum("dubbomesh_consumer_dubbo_connections", "protocol", "dubbo"))
                .isZero();
    }

    @Test
    void callsBeyondTheStreamsThatAProviderTakesGoElsewhereOrWait() throws Exception {
        Map<String, String> settings = Map.of("delay.ms", "200", "dubbo.protocol.triple.max-concurrent-streams", "2");
        Dubbo first = provider(Jvm.DUBBO, "first", settings);
        Dubbo second = provider(Jvm.DUBBO, "second", settings);
        Agent gateway = gateway(Map.of("event-loops", "1"), first, second);
        int warm = 0;
        while (first.executed() == 0 || second.executed() == 0) {
            HttpSocket.once(gateway.port(), Form.post(Form.hash("warm"), Form.PATIENT))
                    .assertHash("warm");
            assertThat(++warm).as("calls without one for each provider").isLessThan(100);
        }
        int before = first.executed();

        List<HttpSocket> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            HttpSocket client = new HttpSocket(gateway.port());
            clients.add(client);
            client.send(Form.post(Form.hash("client " + i), Form.PATIENT));
        }
        for (int i = 0; i < 8; i++) {
            clients.get(i).answer().assertHash("client " + i);
            clients.get(i).close();
        }
        assertThat(first.executed() + second.executed()).isEqualTo(warm + 8);
        assertThat(first.executed() - before).isBetween(3, 5);
    }

    @Test
    void aProviderThatIsKilledIsLeftAndFoundAgain() throws Exception {
        Dubbo first = provider(Jvm.DUBBO, "first", Map.of());
        Dubbo second = provider(Jvm.DUBBO, "second", Map.of());
        Agent gateway = gateway(Map.of(), first, second);
        try (HttpSocket client = new HttpSocket(gateway.port())) {
            client.call(Form.post(Form.hash("before"), Form.PATIENT)).assertHash("before");
            first.kill();
            gateway.process().awaitOutput("provider 127.0.0.1:" + first.port() + ": connection lost", LIMIT);
            for (int i = 0; i < 50; i++) {
                client.call(Form.post(Form.hash("after " + i), Form.PATIENT)).assertHash("after " + i);
            }
            int before = first.executed();
            first.startAgain();
            Await.until(LIMIT, "calls of the provider that was started again", () -> {
                client.call(Form.post(Form.hash("again"), Form.PATIENT)).assertHash("again");
                return first.executed() > before;
            });
        }
    }

    @Test
    void aProviderThatIsFrozenGetsNoCallsUntilItIsHeard() throws Exception {
        Dubbo first = provider(Jvm.DUBBO, "first", Map.of());
        Dubbo second = provider(Jvm.DUBBO, "second", Map.of());
        Agent gateway = gateway(Map.of("dubbo.silence", "900 ms"), first, second);
        HttpSocket.once(gateway.port(), Form.post(Form.hash("warm"), Form.PATIENT))
                .assertHash("warm");
        String name = "provider 127.0.0.1:" + first.port() + ": ";

        first.process().send(Signal.STOP);
        for (int i = 0; i < 4; i++) {
            // One of them waits for the frozen one.
            HttpSocket.once(gateway.port(), Form.post(Form.hash("frozen"), "X-Request-Timeout: 500"));
        }
        gateway.process().awaitOutput(name + "silent for 900 ms", LIMIT);
        int before = second.executed();
        for (int i = 0; i < 50; i++) {
            HttpSocket.once(gateway.port(), Form.post(Form.hash("other " + i), Form.PATIENT))
                    .assertHash("other " + i);
        }
        assertThat(second.executed()).isEqualTo(before + 50);
        first.process().send(Signal.CONT);
        gateway.process().awaitOutput(name + "heard again", LIMIT);
    }
}
