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
import io.dubbomesh.testsupport.process.Signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** One topic of {@link FailureTableTest}; all of them use the same processes. */
abstract class FailureTopic {
    static final String STUB = "io.dubbomesh.acceptance.Stub";
    /** Its agent executes one call at a time and lets one more wait. */
    static final String NARROW = "io.dubbomesh.acceptance.Narrow";
    /** Its agent has left. */
    static final String GONE = "io.dubbomesh.acceptance.Gone";

    /** The time the consumer agent gives for a head, and for a body. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    static final int QUEUE = 2;
    /** The methods whose names both agents keep. */
    static final int METHODS = 256;

    static final int MAX_LINE = 4 * 1024;
    static final int MAX_HEAD = 8 * 1024;
    static final int MAX_BODY = 1024 * 1024;
    static final String HOST = "Host: mesh\r\n";
    static final String HELLO = Form.post(Form.hash("hello"));

    private static Mesh mesh;
    static Dubbo provider;
    static MisbehavingProvider stub;
    static MisbehavingProvider narrowStub;
    static int port;

    static void start() throws Exception {
        mesh = Mesh.named("FailureTableTest");
        provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0"));
        stub = new MisbehavingProvider();
        narrowStub = new MisbehavingProvider();
        String registry = mesh.etcd().uri();
        List<Agent> agents = new ArrayList<>();
        agents.add(mesh.providerAgent("stub-agent", stub.port(), registry, Map.of("dubbo.services", STUB)));
        agents.add(mesh.providerAgent(
                "narrow-agent",
                narrowStub.port(),
                registry,
                Map.of("dubbo.services", NARROW, "lb.limit", "1", "dubbo.queue", "1")));
        Agent gone = mesh.providerAgent("gone-agent", stub.port(), registry, Map.of("dubbo.services", GONE));
        agents.add(gone);
        provider.awaitListening();
        agents.add(mesh.providerAgent(
                "provider-agent", provider.port(), registry, Map.of("mesh.table-size", "" + METHODS)));
        for (Agent agent : agents) {
            agent.awaitReady();
        }
        Agent consumerAgent = mesh.consumerAgent(
                "consumer-agent",
                registry,
                Map.of(
                        "http.head-timeout",
                        PATIENCE.toMillis() + " ms",
                        "http.body-timeout",
                        PATIENCE.toMillis() + " ms",
                        "http.idle-timeout",
                        "4 s",
                        "queue.size",
                        Integer.toString(QUEUE),
                        "methods.max",
                        Integer.toString(METHODS)));
        consumerAgent.awaitReady();
        port = consumerAgent.port();
        Load.warmUp(port);
        gone.process().send(Signal.TERM);
        assertThat(gone.process().awaitExit(Duration.ofSeconds(10))).isZero();
        Await.until(
                "the consumer agent sees which agent has left",
                () -> HttpSocket.once(port, Form.post(Form.call(GONE, "hash", Form.STRING, "x")))
                                .status()
                        == 503);
    }

    static void end() throws Exception {
        mesh.end();
        stub.close();
        narrowStub.close();
    }

    static String withFraming(String framing) {
        return "POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE + "\r\n" + framing + "\r\n" + Form.hash("x");
    }

    static String chunked(String body) {
        return "POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE + "\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    }

    static void assertAnsweredAndClosed(String request, int status, String code) throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            HttpAnswer answer = client.call(request);
            answer.assertProblem(status, code);
            assertThat(answer.hasConnectionClose()).isTrue();
            client.assertEnd();
        }
        assertAlive();
    }

    /**
     * Asserts the problem document, and that the connection serves further requests; returns the document's members.
     */
    static Map<String, String> assertRefused(String request, int status, String code) throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            Map<String, String> problem = client.call(request).assertProblem(status, code);
            client.call(HELLO).assertHash("hello");
            return problem;
        }
    }

    static void assertAlive() throws Exception {
        HttpSocket.once(port, HELLO).assertHash("hello");
    }

    /** Returns when a provider whose connection was lost in an earlier test is served again. */
    static void awaitStub(String service) throws Exception {
        Await.until(
                Duration.ofSeconds(10),
                service + " answers",
                () -> HttpSocket.once(port, Form.post(Form.call(service, "hash", Form.STRING, "x")))
                                .status()
                        == 200);
    }
}
