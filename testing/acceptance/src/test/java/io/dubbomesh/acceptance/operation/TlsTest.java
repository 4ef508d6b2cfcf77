package io.dubbomesh.acceptance.operation;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Scrape;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two provider agents and a consumer agent that use TLS between them, and peers that are not trusted. */
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TlsTest {
    private static final int CLIENTS = 32;
    private static final Duration A_WHILE = Duration.ofSeconds(30);
    private static final String PROVIDER = "provider.mesh.test";
    private static final String CONSUMER = "consumer.mesh.test";

    private static Mesh mesh;
    private static CertificateAuthority authority;
    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static final List<Agent> AGENTS = new ArrayList<>();
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("TlsTest");
        authority = new CertificateAuthority("ca");
        authority.write(files("provider"), authority.sign(PROVIDER));
        authority.write(files("consumer"), authority.sign(CONSUMER));
        for (int i = 1; i <= 2; i++) {
            DUBBOS.add(mesh.provider(Jvm.STUB, "provider-" + i, Map.of("delay.ms", "5")));
        }
        for (int i = 1; i <= 2; i++) {
            DUBBOS.get(i - 1).awaitListening();
            AGENTS.add(mesh.providerAgent(
                    "provider-agent-" + i, DUBBOS.get(i - 1).port(), registry(), tls("provider", CONSUMER)));
        }
        for (Agent agent : AGENTS) {
            agent.awaitReady();
        }
        consumerAgent = mesh.consumerAgent("consumer-agent", registry(), tls("consumer", PROVIDER));
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @Test
    @Order(1)
    void callsOfEverySizeAreAnswered() throws Exception {
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            for (int length = 1; length < 1_000_000; length *= 4) {
                String text = "x".repeat(length);
                client.call(Form.post(Form.hash(text), Form.PATIENT)).assertHash(text);
            }
        }
        try (Load load = Load.start(consumerAgent.port(), CLIENTS, 50).join()) {
            assertThat(load.failures()).isEmpty();
            assertThat(load.right()).hasSize(CLIENTS * 50);
        }
    }

    @Test
    @Order(2)
    void untrustedPeersAreRefusedAndNoCallOfTheirsIsExecuted() throws Exception {
        int executed = executed();
        CertificateAuthority another = new CertificateAuthority("ca");
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            assertRefused(protocol, null);
            assertRefused(protocol, another.sign(CONSUMER));
            assertRefused(protocol, authority.signExpired(CONSUMER));
            assertRefused(protocol, authority.sign("untrusted.mesh.test"));
        }
        // A hello of TLS 1.1; the answer is the alert protocol_version.
        String hello = "0302" + "00".repeat(32) + "00" + "0002c013" + "0100" + "0000";
        assertThat(answer(Hex.bytes("160301002f" + "0100002b" + hello))).endsWith(new byte[] {0, 2, 2, 70});
        assertThat(executed()).isEqualTo(executed);
        assertCallsGoOn();
    }

    @Test
    @Order(3)
    void garbageAndSilentConnectionsAreClosedInTimeAndCallsGoOn() throws Exception {
        try (Load load = Load.startSteady(consumerAgent.port(), CLIENTS)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                // Some send nothing, some begin a ClientHello of 16 MiB.
                silent.add(connect(Hex.bytes(i % 2 == 0 ? "" : "160301ffff01fffffb")));
            }
            long startNs = System.nanoTime();
            for (int i = 0; i < 100; i++) {
                answer("GET / HTTP/1.1\r\n\r\n".repeat(i + 1).getBytes(US_ASCII));
            }
            for (Socket peer : silent) {
                assertEnd(peer);
            }
            assertThat(System.nanoTime() - startNs)
                    .isLessThan(Duration.ofSeconds(20).toNanos());
            load.awaitMore(200);
            assertThat(load.stop().failures()).isEmpty();
        }
        long refusals = AGENTS.get(0)
                .process()
                .output()
                .lines()
                .filter(line -> line.contains("TLS handshake: "))
                .count();
        assertThat(refusals).isBetween(1L, 40L);
        Scrape scrape = Scrape.of(AGENTS.get(0).adminPort());
        assertThat(scrape.sum("dubbomesh_provider_links_refused_total", "reason", "tls"))
                .isGreaterThanOrEqualTo(300);
    }

    @Test
    @Order(4)
    void anAgentWithoutTlsHasNoProvider() throws Exception {
        Agent plain = mesh.consumerAgent("plain-consumer", registry(), Map.of());
        plain.awaitReady();
        HttpSocket.once(plain.port(), Form.post(Form.hash("x"))).assertProblem(503, "NO_PROVIDER");
        plain.process().awaitOutput("closed by the peer before its HELLO (does it expect TLS?)", A_WHILE);
        assertThat(lines(plain, "endpoint 127.0.0.1:" + AGENTS.get(0).port())).hasSizeLessThan(5);
        assertCallsGoOn();
    }

    @Test
    @Order(5)
    void anAgentWithTlsHasNoProviderAmongAgentsWithout() throws Exception {
        String service = "io.dubbomesh.acceptance.Plain";
        Agent plain = mesh.providerAgent(
                "plain-provider", DUBBOS.get(0).port(), registry(), Map.of("dubbo.services", service));
        plain.awaitReady();
        Await.untilAsserted(
                A_WHILE,
                () -> HttpSocket.once(consumerAgent.port(), Form.post(Form.call(service, "hash", Form.STRING, "x")))
                        .assertProblem(503, "NO_PROVIDER"));
        consumerAgent.process().awaitOutput("TLS handshake: what the peer sent is not TLS", A_WHILE);
        plain.process().send(Signal.TERM);
        assertThat(plain.process().awaitExit(A_WHILE)).isZero();
    }

    @Test
    @Order(6)
    void anAgentOfAnotherNameHasNoProviderAndLogsTheReason() throws Exception {
        int executed = executed();
        authority.write(files("untrusted"), authority.sign("untrusted.mesh.test"));
        Agent untrusted = mesh.consumerAgent("untrusted", registry(), tls("untrusted", PROVIDER));
        untrusted.awaitReady();
        HttpSocket.once(untrusted.port(), Form.post(Form.hash("x"))).assertProblem(503, "NO_PROVIDER");
        untrusted.process().awaitOutput("Received fatal alert: certificate_unknown", A_WHILE);
        AGENTS.get(0)
                .process()
                .awaitOutput(
                        "TLS handshake: DNS names [untrusted.mesh.test] (expected: one of [" + CONSUMER
                                + "], as mesh.tls.peer-names says)",
                        A_WHILE);
        assertThat(executed()).isEqualTo(executed);
    }

    @Test
    @Order(7)
    void noCallFailsWhenCertificatesOfAnotherAuthorityReplaceTheOldOnesAndProviderAgentsRestart() throws Exception {
        CertificateAuthority next = new CertificateAuthority("next");
        String both = authority.pem() + next.pem();
        try (Load load = Load.startSteady(consumerAgent.port(), CLIENTS)) {
            load.awaitMore(200);
            TlsFiles.write(files("provider"), authority.sign(PROVIDER), both);
            TlsFiles.write(files("consumer"), authority.sign(CONSUMER), both);
            awaitReadAgain(2);
            TlsFiles.write(files("provider"), next.sign(PROVIDER), both);
            TlsFiles.write(files("consumer"), next.sign(CONSUMER), both);
            awaitReadAgain(3);
            load.awaitMore(200);
            // New connections with new certificates.
            for (int i = 0; i < AGENTS.size(); i++) {
                load.awaitMore(200);
                restart(AGENTS.get(i));
                Dubbo provider = DUBBOS.get(i);
                int executed = provider.executed();
                // Otherwise the other one would leave before this one is found again.
                Await.until(A_WHILE, "its provider gets calls again", () -> provider.executed() > executed);
            }
            load.awaitMore(200);
            assertThat(load.stop().failures()).isEmpty();
        }
        authority = next;
    }

    @Test
    @Order(8)
    void filesThatCannotBeUsedStopTheStart() throws Exception {
        Path none = files("nowhere").resolve("tls.key");
        Map<String, String> settings = tls("provider", "");
        settings.put("mesh.tls.key", none.toString());
        assertStartRefused("without-key", settings, "mesh.tls.key: " + none + " (expected: a readable file)");
        settings.put("mesh.tls.key", "");
        assertStartRefused("key-not-set", settings, "mesh.tls.key: not set (expected: a file, since others of");
    }

    private static void assertStartRefused(String name, Map<String, String> settings, String message) throws Exception {
        Agent agent = mesh.providerAgent(name, DUBBOS.get(0).port(), registry(), settings);
        agent.process().expectExitCode(2);
        agent.process().awaitOutput(message, A_WHILE);
        assertThat(agent.process().awaitExit(A_WHILE)).isEqualTo(2);
        assertThat(agent.process().output()).doesNotContain("listening");
    }

    private static void restart(Agent agent) throws Exception {
        agent.process().send(Signal.TERM);
        assertThat(agent.process().awaitExit(A_WHILE)).isZero();
        agent.startAgain();
        agent.awaitReady();
    }

    /** Returns when every agent has logged its certificate so many times. */
    private static void awaitReadAgain(int times) throws Exception {
        for (Agent agent : List.of(AGENTS.get(0), AGENTS.get(1), consumerAgent)) {
            Await.until(
                    A_WHILE,
                    agent.process().log().getFileName() + " has read its files again",
                    () -> lines(agent, "TLS with the certificate of").size() >= times);
        }
    }

    private static List<String> lines(Agent agent, String text) {
        return agent.process()
                .output()
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }

    private static void assertCallsGoOn() throws IOException {
        HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("on"), Form.PATIENT))
                .assertHash("on");
    }

    private static int executed() throws IOException {
        return DUBBOS.get(0).executed() + DUBBOS.get(1).executed();
    }

    private static void assertRefused(String protocol, X509Bundle own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : own.toKeyManagerFactory().getKeyManagers(),
                authority.sign(PROVIDER).toTrustManagerFactory().getTrustManagers(),
                null);
        try (SSLSocket peer = (SSLSocket) context.getSocketFactory().createSocket()) {
            peer.setSoTimeout(30_000);
            peer.setEnabledProtocols(new String[] {protocol});
            peer.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), AGENTS.get(0).port()));
            assertThatThrownBy(() -> {
                        peer.startHandshake();
                        peer.getInputStream().readNBytes(1);
                        throw new AssertionError("an answer, or an end without an alert");
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    /** All that a provider agent answers to these bytes until it closes. */
    private static byte[] answer(byte[] bytes) throws IOException {
        try (Socket peer = connect(bytes)) {
            return peer.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("not closed", e);
        } catch (IOException e) {
            // Reset, since not all was read.
            return new byte[0];
        }
    }

    private static Socket connect(byte[] bytes) throws IOException {
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), AGENTS.get(0).port());
        peer.setSoTimeout(30_000);
        peer.getOutputStream().write(bytes);
        return peer;
    }

    private static void assertEnd(Socket peer) throws IOException {
        try (peer) {
            peer.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("not closed", e);
        } catch (IOException e) {
            // A reset is an end, too.
        }
    }

    private static Path files(String agent) {
        return mesh.directory().resolve(agent + "-tls");
    }

    private static Map<String, String> tls(String agent, String peerNames) {
        return new HashMap<>(TlsFiles.in(files(agent)).linkSettings(peerNames));
    }

    private static String registry() {
        return "file:" + mesh.directory().resolve("registry");
    }
}
