package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.registry.etcd.client.RangeRequest;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real etcds: one with users, one with TLS that asks for certificates of clients. */
@Timeout(120)
class EtcdAccessTest {
    private static final String GREETER = "com.example.Greeter";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    @Test
    void anAgentWithAUserRegistersAndReadsWhereEtcdAsksForOne() throws Exception {
        Path user = Files.writeString(folder.resolve("user"), "mesh\nsecret-of-mesh\n");
        Path wrong = Files.writeString(folder.resolve("wrong"), "mesh\nn0t-it\n");
        try (EtcdServer etcd = EtcdServer.start(folder)) {
            etcd.requireUsers("mesh", "secret-of-mesh");
            registerAndRead(etcd.uri() + "?username-file=" + user);

            Watcher refused = new Watcher();
            try (Registry registry = RegistryUri.open(etcd.uri() + "?username-file=" + wrong)) {
                registry.watch(refused);
                Await.until(
                        LIMIT,
                        "a line says why",
                        () -> log.warnings().stream()
                                .anyMatch(line -> line.contains("authentication failed, invalid user ID or password")));
            }
            assertThat(refused.all()).isEmpty();
            assertThat(log.lines()).noneMatch(line -> line.contains("n0t-it") || line.contains("secret-of-mesh"));
        }
    }

    private static void registerAndRead(String uri) throws Exception {
        Watcher watcher = new Watcher();
        try (Registry registry = RegistryUri.open(uri)) {
            registry.watch(watcher);
            Registration registration = registry.registration(
                    new RegistrationRequest("192.0.2.7", 30000, 3, 180, Map.of(GREETER, List.of(Variant.NONE))));
            registration.register();
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:30000*3");
            registration.deregister();
            watcher.awaitEndpoints(LIMIT, GREETER);
        }
    }

    @Test
    void anAgentWithACertificateRegistersAndReadsByTls() throws Exception {
        Path certs = folder.resolve("certs");
        CompletedProcess.run("bash", "../../scripts/certificates.sh", certs.toString(), "localhost", "agent.example")
                .requireSuccess();
        String tls = "?ca=" + certs.resolve("ca.crt");
        String agent =
                tls + "&cert=" + certs.resolve("agent.example.crt") + "&key=" + certs.resolve("agent.example.key");
        try (EtcdServer etcd = EtcdServer.startWithTls(folder, certs, "localhost")) {
            String uri = "etcd://127.0.0.1:" + etcd.port();
            registerAndRead(uri + agent);
            awaitRefused(uri);
            awaitRefused(uri + tls);
        }
        // It is not the one that its certificate names.
        try (EtcdServer etcd = EtcdServer.startWithTls(folder.resolve("other"), certs, "agent.example")) {
            awaitRefused("etcd://127.0.0.1:" + etcd.port() + agent);
        }
    }

    @Test
    void aSlowHandshakeIsAwaitedForLongerWithEachAttempt() throws Exception {
        Path certs = folder.resolve("certs");
        CompletedProcess.run("bash", "../../scripts/certificates.sh", certs.toString(), "localhost", "agent.example")
                .requireSuccess();
        EtcdAccess access = EtcdAccess.parse("ca=" + certs.resolve("ca.crt") + "&cert="
                + certs.resolve("agent.example.crt") + "&key=" + certs.resolve("agent.example.key"));
        try (EtcdServer etcd = EtcdServer.startWithTls(folder, certs, "localhost");
                FaultyProxy far = new FaultyProxy(etcd.port())) {
            far.delayAnswers(Duration.ofMillis(700));
            EtcdMembers members = new EtcdMembers(List.of(new HostPort("127.0.0.1", far.port())), access, 500);
            assertThat(attemptsUntilAnswered(members)).isBetween(3, 5);
        }
    }

    private static int attemptsUntilAnswered(EtcdMembers members) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try (EtcdSession session = members.next()) {
                session.await(session.client().range(RangeRequest.of(EtcdSession.bytes("a"), 0)));
                return attempt;
            } catch (EtcdFailure e) {
                assertThat(e).hasMessageStartingWith("no answer within");
            }
        }
    }

    private void awaitRefused(String uri) throws Exception {
        int before = log.warnings().size();
        Watcher watcher = new Watcher();
        try (Registry registry = RegistryUri.open(uri)) {
            registry.watch(watcher);
            Await.until(LIMIT, uri + " is refused", () -> log.warnings().size() > before);
        }
        assertThat(watcher.all()).isEmpty();
    }

    @Test
    void aFileThatCannotBeUsedIsNamedWithItsOption() throws Exception {
        Path one = Files.writeString(folder.resolve("one"), "mesh\n");
        assertThatThrownBy(() -> RegistryUri.open("etcd://a:1?username-file=" + one))
                .hasMessageContaining("etcd: username-file " + one + ": not two lines");
        assertThatThrownBy(() -> RegistryUri.open("etcd+dubbo://a:1/root?username-file=/nowhere"))
                .hasMessageContaining("etcd: username-file /nowhere: cannot be read");
        assertThatThrownBy(() -> RegistryUri.open("etcd://a:1?ca=" + one)).hasMessageContaining("etcd: ca " + one);
        assertThatThrownBy(() -> RegistryUri.open("etcd://a:1,b:2?cert=" + one)).hasMessageContaining("(expected: ");
        assertThatThrownBy(() -> RegistryUri.open("etcd://a:1?password=x"))
                .hasMessageContaining("etcd: option password (expected: username-file=FILE");
    }
}
