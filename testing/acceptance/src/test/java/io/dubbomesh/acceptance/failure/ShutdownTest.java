package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.MisbehavingProvider;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/** No call is lost when agents are told to stop. */
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShutdownTest {
    private static final int CLIENTS = 64;
    private static final Duration GRACE = Duration.ofSeconds(8);
    /** Less than the grace, and time for a busy machine. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private static Mesh mesh;
    private static EtcdServer etcd;
    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static final List<Agent> AGENTS = new ArrayList<>();
    private static MisbehavingProvider stub;
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ShutdownTest");
        etcd = mesh.etcd();
        for (int i = 1; i <= 2; i++) {
            DUBBOS.add(mesh.provider(Jvm.STUB, "provider-" + i, Map.of("delay.ms", "20")));
        }
        for (int i = 1; i <= 2; i++) {
            Dubbo provider = DUBBOS.get(i - 1);
            provider.awaitListening();
            AGENTS.add(mesh.providerAgent("provider-agent-" + i, provider.port(), etcd.uri(), Map.of()));
        }
        stub = new MisbehavingProvider();
        AGENTS.add(mesh.providerAgent(
                "stub-agent", stub.port(), etcd.uri(), Map.of("dubbo.services", "io.dubbomesh.acceptance.Stub")));
        for (Agent agent : AGENTS) {
            agent.awaitReady();
        }
        consumerAgent = mesh.consumerAgent("consumer-agent", etcd.uri(), Map.of());
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        stub.close();
    }

    @Test
    @Order(1)
    void noCallFailsWhenAProviderAgentStopsAndStartsAgain() throws Exception {
        Agent leaving = AGENTS.get(0);
        try (Load load = Load.startSteady(consumerAgent.port(), CLIENTS)) {
            for (int i = 0; i < 2; i++) {
                load.awaitMore(1000);
                long startNs = System.nanoTime();
                leaving.process().send(Signal.TERM);
                assertThat(leaving.process().awaitExit(GRACE)).isZero();
                assertThat(System.nanoTime() - startNs).isLessThan(GRACE.toNanos());
                int executed = DUBBOS.get(0).executed();
                load.awaitMore(500);
                assertThat(DUBBOS.get(0).executed()).isEqualTo(executed);
                leaving.startAgain();
                leaving.awaitReady();
                Await.until(
                        A_WHILE,
                        "its provider gets calls again",
                        () -> DUBBOS.get(0).executed() > executed);
            }
            load.stop();
            assertThat(load.failures()).isEmpty();
        }
    }

    @Test
    @Order(2)
    void aConsumerAgentLosesNoRequestThatItAccepted() throws Exception {
        try (Load load = Load.start(consumerAgent.port(), CLIENTS);
                HttpSocket idle = new HttpSocket(consumerAgent.port())) {
            idle.call(Form.post(Form.hash("idle"))).assertHash("idle");
            load.awaitMore(1000);
            assertThat(load.connected()).isEqualTo(CLIENTS);
            long startNs = System.nanoTime();
            consumerAgent.process().send(Signal.TERM);
            load.join();
            assertThat(load.failures()).isEmpty();
            assertThat(load.toldToClose()).as("clients that were told to close").isEqualTo(CLIENTS);
            assertThat(consumerAgent.process().awaitExit(GRACE)).isZero();
            assertThat(System.nanoTime() - startNs).isLessThan(GRACE.toNanos());
            idle.assertEnd();
        }
        consumerAgent.startAgain();
        consumerAgent.awaitReady();
        HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("again"))).assertHash("again");
    }

    @Test
    @Order(3)
    void aConsumerAgentWhoseClientsKeepReconnectingAnswersAllThatAreConnected() throws Exception {
        Agent brief = mesh.consumerAgent("brief-consumer-agent", etcd.uri(), Map.of("shutdown.grace", "2 s"));
        brief.awaitReady();
        Load.warmUp(brief.port());
        int before = executed();
        AtomicInteger answered = new AtomicInteger();
        Queue<IOException> failures = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread client = new Thread(() -> reconnectAndCall(brief.port(), answered, failures));
            clients.add(client);
            client.start();
        }
        Await.until(A_WHILE, "clients are answered", () -> answered.get() > CLIENTS);
        brief.process().send(Signal.TERM);
        assertThat(brief.process().awaitExit(GRACE)).isZero();
        for (Thread client : clients) {
            client.join();
        }
        assertThat(failures).isEmpty();
        assertThat(answered.get()).isEqualTo(executed() - before);
    }

    /** Calls over a new connection each time, until the port is closed. */
    private static void reconnectAndCall(int port, AtomicInteger answered, Queue<IOException> failures) {
        while (true) {
            try {
                HttpSocket.once(port, Form.post(Form.hash("again"))).assertHash("again");
                answered.incrementAndGet();
            } catch (ConnectException e) {
                return;
            } catch (IOException e) {
                failures.add(e);
                return;
            }
        }
    }

    private static int executed() throws IOException {
        return DUBBOS.get(0).executed() + DUBBOS.get(1).executed();
    }

    @Test
    @Order(4)
    void aConsumerAgentWaitsForACallInFlight() throws Exception {
        try (HttpSocket client = new HttpSocket(consumerAgent.port());
                HttpSocket other = new HttpSocket(consumerAgent.port())) {
            client.send(Form.post(stubCall("held")));
            awaitExecuted(1);
            consumerAgent.process().send(Signal.TERM);
            Await.until(A_WHILE, "it is no longer ready", () -> !consumerAgent.isReady());
            // The loops know a moment later. An answer of the agent itself ends its connection, like one of a provider.
            Await.until(A_WHILE, "its refusals end their connections", () -> {
                HttpAnswer refusal =
                        other.call(Form.post(Form.call("io.dubbomesh.acceptance.Nobody", "hash", Form.STRING, "x")));
                assertThat(refusal.status()).isEqualTo(404);
                return refusal.hasConnectionClose();
            });
            stub.releaseNext();
            HttpAnswer answer = client.answer();
            assertThat(answer.text()).isEqualTo("7");
            assertThat(answer.hasConnectionClose()).isTrue();
            client.assertEnd();
            assertThat(consumerAgent.process().awaitExit(GRACE)).isZero();
        }
        consumerAgent.startAgain();
        consumerAgent.awaitReady();
    }

    @Test
    @Order(5)
    void aProviderAgentWaitsForACallInFlight() throws Exception {
        Agent leaving = AGENTS.get(2);
        int before = stub.executed();
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            client.send(Form.post(stubCall("held")));
            awaitExecuted(before + 1);
            leaving.process().send(Signal.TERM);
            Await.until(A_WHILE, "it is no longer ready", () -> !leaving.isReady());
            stub.releaseNext();
            assertThat(client.answer().text()).isEqualTo("7");
            assertThat(leaving.process().awaitExit(GRACE)).isZero();
            client.call(Form.post(stubCall("hash"))).assertProblem(503, "NO_PROVIDER");
        }
        leaving.startAgain();
        leaving.awaitReady();
        Await.until(
                A_WHILE,
                "it is found again",
                () -> HttpSocket.once(consumerAgent.port(), Form.post(stubCall("hash")))
                                .status()
                        == 200);
    }

    @Test
    @Order(6)
    void aSecondSignalEndsAProviderAgentAtOnce() throws Exception {
        try (HttpSocket client = withACallThatIsNeverAnswered()) {
            endsAtTheSecondSignal(AGENTS.get(2));
            client.answer().assertProblem(502, "PROVIDER_ERROR");
        }
        AGENTS.get(2).startAgain();
        AGENTS.get(2).awaitReady();
    }

    @Test
    @Order(7)
    void aSecondSignalEndsAConsumerAgentAtOnce() throws Exception {
        Await.until(
                A_WHILE,
                "the provider agent is found again",
                () -> HttpSocket.once(consumerAgent.port(), Form.post(stubCall("hash")))
                                .status()
                        == 200);
        try (HttpSocket client = withACallThatIsNeverAnswered()) {
            endsAtTheSecondSignal(consumerAgent);
            client.assertEnd();
        }
    }

    private static HttpSocket withACallThatIsNeverAnswered() throws Exception {
        int before = stub.executed();
        HttpSocket client = new HttpSocket(consumerAgent.port());
        client.send(Form.post(stubCall("silent"), "X-Request-Timeout: 30000"));
        awaitExecuted(before + 1);
        return client;
    }

    private static void endsAtTheSecondSignal(Agent agent) throws Exception {
        agent.process().send(Signal.TERM);
        Await.until(A_WHILE, "it is no longer ready", () -> !agent.isReady());
        assertThat(agent.process().isAlive()).isTrue();
        agent.process().expectExitCode(143);
        agent.process().send(Signal.TERM);
        assertThat(agent.process().awaitExit(AT_ONCE)).isEqualTo(143);
    }

    private static String stubCall(String method) {
        return Form.call("io.dubbomesh.acceptance.Stub", method, Form.STRING, "x");
    }

    private static void awaitExecuted(int calls) throws Exception {
        Await.until(A_WHILE, "the call is with the provider", () -> stub.executed() >= calls);
    }
}
