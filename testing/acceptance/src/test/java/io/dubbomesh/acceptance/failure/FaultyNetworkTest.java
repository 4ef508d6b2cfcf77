package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.MisbehavingProvider;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A mesh link over a network that slices, cuts and stalls. */
@Timeout(180)
class FaultyNetworkTest {
    private static final String SERVICE = "io.dubbomesh.acceptance.Stub";
    private static final Duration TO_RECOVER = Duration.ofSeconds(20);

    private static Mesh mesh;
    private static MisbehavingProvider provider;
    private static FaultyProxy network;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("FaultyNetworkTest");
        provider = new MisbehavingProvider();
        Agent providerAgent = mesh.providerAgent(
                "provider-agent", provider.port(), "static:127.0.0.1:1", Map.of("dubbo.services", SERVICE));
        providerAgent.awaitReady();
        network = new FaultyProxy(providerAgent.port());
        Agent consumerAgent = mesh.consumerAgent("consumer-agent", "static:127.0.0.1:" + network.port(), Map.of());
        consumerAgent.awaitReady();
        port = consumerAgent.port();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        network.close();
        provider.close();
    }

    @Test
    void callsAreAnsweredHoweverTheirBytesAreSliced() throws Exception {
        network.slice(1);
        // The link opens in slices too; on a busy machine its HELLO may come too late, and then another one is opened.
        awaitAnswers();
        try (HttpSocket client = new HttpSocket(port)) {
            for (int length = 0; length < 2000; length = 2 * length + 1) {
                assertThat(client.call(request("hash", "x".repeat(length))).text())
                        .isEqualTo("7");
            }
        } finally {
            network.slice(Integer.MAX_VALUE);
        }
    }

    @Test
    void aCutFailsTheCallsInFlightAndLaterCallsAreAnsweredOverANewLink() throws Exception {
        int executed = provider.executed();
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(request("held", "x", Form.PATIENT));
            Await.until("the call is in flight", () -> provider.executed() > executed);

            network.cut();

            client.answer().assertProblem(502, "PROVIDER_ERROR");
        }
        provider.releaseAll();
        awaitAnswers();
    }

    @Test
    void callsEndAtTheirDeadlineDuringAStallAndAreAnsweredAfterIt() throws Exception {
        awaitAnswers();
        network.stall();
        HttpAnswer answer = HttpSocket.once(port, request("hash", "x", "X-Request-Timeout: 200"));
        network.resume();

        answer.assertProblem(504, "TIMEOUT");
        awaitAnswers();
    }

    private static void awaitAnswers() throws Exception {
        Await.until(
                TO_RECOVER,
                "calls are answered again",
                () -> HttpSocket.once(port, request("hash", "x")).status() == 200);
    }

    private static String request(String method, String argument, String... headers) {
        return Form.post(Form.call(SERVICE, method, Form.STRING, argument), headers);
    }
}
