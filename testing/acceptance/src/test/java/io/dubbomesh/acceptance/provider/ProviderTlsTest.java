package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Program;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Unmodified providers with TLS, as Dubbo has it, and agents that call them with {@code dubbo.tls}. */
@Timeout(180)
class ProviderTlsTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String PROVIDER = "provider.test";

    private static CertificateAuthority authority;

    private Mesh mesh;

    @BeforeAll
    static void sign() throws Exception {
        authority = new CertificateAuthority("ca");
    }

    @BeforeEach
    void start(TestInfo test) throws Exception {
        mesh = Mesh.named(
                "ProviderTlsTest-" + test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void end() throws Exception {
        mesh.end();
    }

    static Stream<Arguments> versionsAndProtocols() {
        return Jvm.selected(Jvm.DUBBO_30, Jvm.DUBBO_31, Jvm.DUBBO_32, Jvm.DUBBO).stream()
                .flatMap(version -> Stream.of("dubbo", "tri").map(protocol -> Arguments.of(version, protocol)));
    }

    private TlsFiles files(String name, X509Bundle own) throws IOException {
        return authority.write(mesh.directory().resolve(name), own);
    }

    /** Returns the settings of a provider with this certificate, which needs none of its callers. */
    private static Map<String, String> secured(TlsFiles files, String protocol) {
        return new HashMap<>(Map.of(
                "delay.ms",
                "0",
                "dubbo.protocol.name",
                protocol,
                "dubbo.protocol.ssl-enabled",
                "true",
                "dubbo.ssl.server-key-cert-chain-path",
                files.certificate().toString(),
                "dubbo.ssl.server-private-key-path",
                files.key().toString()));
    }

    private Dubbo provider(Program version, String name, Map<String, String> settings) throws Exception {
        Dubbo provider = mesh.provider(version, name, settings);
        provider.awaitListening();
        return provider;
    }

    private Dubbo provider(Program version, String protocol) throws Exception {
        return provider(version, "provider", secured(files("provider", authority.sign(PROVIDER)), protocol));
    }

    private static Map<String, String> trusting(TlsFiles files, String names) {
        return new HashMap<>(Map.of(
                "dubbo.tls.mode", "on", "dubbo.tls.ca", files.authorities().toString(), "dubbo.tls.peer-names", names));
    }

    private Map<String, String> trusting(String names) {
        return trusting(TlsFiles.in(mesh.directory().resolve("provider")), names);
    }

    private Agent gateway(String name, String protocol, Dubbo provider, Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("type", "gateway"));
        all.putAll(settings);
        Agent gateway = mesh.consumerAgent(name, "static:" + protocol + "://127.0.0.1:" + provider.port(), all);
        gateway.awaitReady();
        return gateway;
    }

    private static void assertCalled(Agent agent, String argument) throws Exception {
        Await.untilAsserted(
                LIMIT,
                () -> HttpSocket.once(agent.port(), Form.post(Form.hash(argument), Form.PATIENT))
                        .assertHash(argument));
    }

    private static void assertNotCalled(Agent agent, Dubbo provider, String reason) throws Exception {
        int executed = provider.executed();
        HttpSocket.once(agent.port(), Form.post(Form.hash("x"))).assertProblem(503, "NO_PROVIDER");
        agent.process().awaitOutput(reason, LIMIT);
        assertThat(provider.executed()).isEqualTo(executed);
    }

    @ParameterizedTest
    @MethodSource("versionsAndProtocols")
    void aGatewayCallsEveryVersionByBothProtocols(Jvm version, String protocol) throws Exception {
        Dubbo provider = provider(version, protocol);
        Agent gateway = gateway("gateway", protocol, provider, trusting(PROVIDER));

        assertCalled(gateway, "ann");
        try (HttpSocket client = new HttpSocket(gateway.port())) {
            String large = "x".repeat(300_000);
            client.call(Form.post(Form.hash(large), Form.PATIENT)).assertHash(large);
        }
        try (Load load = Load.start(gateway.port(), 8, 50).join()) {
            assertThat(load.failures()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void aProviderWithAnotherCertificateGetsNoCall(String protocol) throws Exception {
        Dubbo provider = provider(Jvm.DUBBO, protocol);

        Agent otherName = gateway("other-name", protocol, provider, trusting("other.test"));
        assertNotCalled(
                otherName,
                provider,
                "TLS handshake: DNS names [provider.test] (expected: one of [other.test], as dubbo.tls.peer-names says)");

        CertificateAuthority other = new CertificateAuthority("other");
        TlsFiles others = other.write(mesh.directory().resolve("other"), other.root());
        Agent otherAuthority = gateway("other-authority", protocol, provider, trusting(others, PROVIDER));
        assertNotCalled(otherAuthority, provider, "unable to find valid certification path to requested target");
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        TlsFiles files = files("provider", authority.signExpired(PROVIDER));
        Dubbo provider = provider(Jvm.DUBBO, "provider", secured(files, "tri"));

        assertNotCalled(gateway("gateway", "tri", provider, trusting(PROVIDER)), provider, "validity check failed");
    }

    @Test
    void aProviderWithoutTlsGetsNothingInPlainText() throws Exception {
        Dubbo provider = provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0"));
        TlsFiles files = files("provider", authority.root());

        Map<String, String> impatient = trusting(files, PROVIDER);
        impatient.put("dubbo.tls.handshake-timeout", "1 s");
        Agent gateway = gateway("gateway", "dubbo", provider, impatient);
        assertNotCalled(gateway, provider, "not connected: TLS handshake: ");
    }

    @Test
    void aProviderThatNeedsACertificateGetsIt() throws Exception {
        TlsFiles files = files("provider", authority.sign(PROVIDER));
        Map<String, String> demanding = secured(files, "tri");
        demanding.put(
                "dubbo.ssl.server-trust-cert-collection-path",
                files.authorities().toString());
        Dubbo provider = provider(Jvm.DUBBO, "provider", demanding);
        assertNotCalled(
                gateway("without", "tri", provider, trusting(PROVIDER)),
                provider,
                "Received fatal alert: bad_certificate");

        TlsFiles own = files("gateway", authority.sign("gateway.test"));
        Map<String, String> settings = trusting(PROVIDER);
        settings.put("dubbo.tls.cert", own.certificate().toString());
        settings.put("dubbo.tls.key", own.key().toString());
        assertCalled(gateway("with", "tri", provider, settings), "ann");
    }

    @ParameterizedTest
    @CsvSource({"dubbo, dubbo", "tri, tri", "tri, auto"})
    void aPairCallsAProviderWithTls(String protocol, String named) throws Exception {
        Dubbo provider = provider(Jvm.DUBBO, protocol);
        String registry = "file:" + mesh.directory().resolve("registry");
        Map<String, String> settings = trusting(PROVIDER);
        settings.put("dubbo.protocol.name", named);
        Agent providerAgent = mesh.providerAgent("provider-agent", provider.port(), registry, settings);
        providerAgent.awaitReady();
        Agent consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();

        assertCalled(consumerAgent, "ann");
    }

    @Test
    void aProviderAgentWithoutTlsNamesTheSettingForIt() throws Exception {
        Dubbo provider = provider(Jvm.DUBBO, "dubbo");
        String registry = "file:" + mesh.directory().resolve("registry");
        Agent agent = mesh.providerAgent("provider-agent", provider.port(), registry, Map.of());

        agent.process().awaitOutput("it speaks TLS: set dubbo.tls.mode=on", LIMIT);
    }

    /** What it exports stands in the metadata that it tells itself. */
    @ParameterizedTest
    @CsvSource({"dubbo, on", "tri, on", "tri, auto"})
    void anInstanceTellsWhatItExportsWithTls(String protocol, String mode) throws Exception {
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Map<String, String> secured = secured(files("provider", authority.sign(PROVIDER)), protocol);
            secured.putAll(Registration.INSTANCE.settings(zooKeeper));
            Dubbo provider = provider(Registration.withClient(Jvm.DUBBO), "provider", secured);
            Map<String, String> settings = trusting(PROVIDER);
            settings.put("dubbo.tls.mode", mode);
            settings.put("type", "gateway");
            Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), settings);
            gateway.awaitReady();

            assertCalled(gateway, "ann");
            assertThat(provider.executed()).isPositive();
        }
    }

    /** One provider registers TLS and the other does not; the first one's certificates are replaced under load. */
    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void byDefaultWhatProvidersRegisterDecides(String protocol) throws Exception {
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Program version = Registration.withClient(Jvm.DUBBO);
            Map<String, String> registered = Registration.ALL.settings(zooKeeper);
            TlsFiles files = files("provider", authority.sign(PROVIDER));
            Map<String, String> secured = secured(files, protocol);
            secured.putAll(registered);
            Map<String, String> plain = new HashMap<>(Map.of("delay.ms", "0", "dubbo.protocol.name", protocol));
            plain.putAll(registered);
            Dubbo first = provider(version, "secured", secured);
            Dubbo second = provider(version, "plain", plain);
            Map<String, String> settings = trusting(PROVIDER);
            settings.put("dubbo.tls.mode", "auto");
            settings.put("type", "gateway");
            Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), settings);
            gateway.awaitReady();

            try (Load load = Load.startSteady(gateway.port(), 8)) {
                Await.until(LIMIT, "both are called", () -> first.executed() > 50 && second.executed() > 50);
                CertificateAuthority next = new CertificateAuthority("next");
                String both = authority.pem() + next.pem();
                Path directory = mesh.directory().resolve("provider");
                TlsFiles.write(directory, authority.sign(PROVIDER), both);
                gateway.process().awaitOutput("TLS with the authorities", LIMIT);
                Await.until(
                        LIMIT,
                        "the authorities are read again",
                        () -> gateway.process().output().split("TLS with the authorities", -1).length > 2);
                TlsFiles.write(directory, next.sign(PROVIDER), both);
                first.process().send(Signal.TERM);
                first.process().awaitExit(LIMIT);
                int before = first.executed();
                first.startAgain();
                Await.until(LIMIT, "the first one is called again", () -> first.executed() > before + 50);
                assertThat(load.stop().failures()).isEmpty();
            }
            List<String> lines = gateway.process().output().lines().toList();
            assertThat(lines).noneMatch(line -> line.contains("not connected: TLS handshake"));
        }
    }
}
