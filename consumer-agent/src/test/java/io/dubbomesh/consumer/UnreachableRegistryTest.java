package io.dubbomesh.consumer;

import ch.qos.logback.classic.Level;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** An agent of whose registries one or all have never answered. Nothing listens at port 1. */
@Timeout(60)
class UnreachableRegistryTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    @RegisterExtension
    final RecordedLog log = new RecordedLog("io.dubbomesh");

    @TempDir
    Path folder;

    private ConsumerAgent agent;

    private void start(String registry) throws Exception {
        agent = new ConsumerAgent(Settings.of(
                ConsumerSettings.REFERENCE,
                Map.of("registry", registry, "server.port", "0", "admin.port", "0", "io.threads", "1"),
                Map.of()));
    }

    @AfterEach
    void stop() throws Exception {
        agent.stop(0);
    }

    private HttpAnswer call() throws IOException {
        return HttpSocket.once(agent.port(), Requests.json("/a.B/m", "[]"));
    }

    private String readyz() throws IOException {
        return HttpSocket.once(agent.adminPort(), HttpSocket.request("GET /readyz", ""))
                .text();
    }

    @Test
    void aCallAndTheProbeNameTheRegistryWithoutItsOptions() throws Exception {
        Path user = Files.writeString(folder.resolve("user"), "mesh\npassword\n");
        start("etcd://127.0.0.1:1?username-file=" + user);

        String registry = "the registry etcd://127.0.0.1:1?username-file=... has not answered since the start";
        HttpAnswer call = call();
        assertThat(call.status()).isEqualTo(503);
        assertThat(call.text()).contains("NO_PROVIDER", registry).doesNotContain(user.toString());
        assertThat(readyz()).contains(registry).doesNotContain(user.toString());
    }

    @Test
    void allRegistriesThatHaveNotAnsweredAreNamed() throws Exception {
        Path user = Files.writeString(folder.resolve("user"), "mesh\npassword\n");
        start("etcd://127.0.0.1:1?username-file=" + user + ",zookeeper://127.0.0.1:1");

        String registries = "the registries etcd://127.0.0.1:1?username-file=... and zookeeper://127.0.0.1:1 have not"
                + " all answered since the start";
        assertThat(call().text()).contains("NO_PROVIDER", registries);
        assertThat(readyz()).contains(registries);
    }

    @Test
    void aServiceThatTheOthersDoNotListMayBeOfTheRegistryThatHasNotAnswered() throws Exception {
        start("file:" + folder + ",zookeeper://127.0.0.1:1");

        // The list of the file registry is there, and waits a moment for the other one.
        assertThat(call().text())
                .contains("the registries file:" + folder + " and zookeeper://127.0.0.1:1 have not all answered");
        Await.until(LIMIT, "the list of the file registry", () -> !call().text().contains("not loaded yet"));
        HttpAnswer call = call();
        assertThat(call.status()).isEqualTo(503);
        assertThat(call.text())
                .contains(
                        "no endpoint of a.B is listed; the registry zookeeper://127.0.0.1:1 has not answered since the"
                                + " start");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://127.0.0.1:1",
                "etcd+dubbo://127.0.0.1:1",
                "zookeeper://127.0.0.1:1",
                "nacos://127.0.0.1:1",
                "dns://provider.test:20880/a.B?server=127.0.0.1:1",
                "dns://provider.test:20880/a.B?server=ns.invalid:53",
            })
    void noReasonIsThatOfAProgram(String registry) throws Exception {
        start(registry);

        Await.until(LIMIT, "it is away", () -> log.warnings().stream().anyMatch(line -> line.contains(" is away: ")));

        assertThat(log.warnings())
                .filteredOn(line -> line.contains(" is away: "))
                .allMatch(line -> line.endsWith("; no endpoints are known yet"));
        assertThat(call().text() + readyz() + log.warnings() + log.lines(Level.INFO))
                .doesNotContain("Exception")
                .doesNotContain("failed with error(");
    }
}
