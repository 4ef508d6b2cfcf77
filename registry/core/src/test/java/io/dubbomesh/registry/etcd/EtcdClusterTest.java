package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.etcd.EtcdCluster;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Three nodes of etcd, of which some or all go away. */
@Timeout(120)
class EtcdClusterTest {
    private static final String GREETER = "com.example.Greeter";
    private static final String ROOT = "/dubbomesh/com.example.Greeter/";
    private static final Duration START = Duration.ofSeconds(15);
    private static final Duration HEALED = Duration.ofSeconds(3);
    /** Shorter than what the outages of these tests last. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    @TempDir
    Path folder;

    @RegisterExtension
    final RecordedLog log = new RecordedLog(Registry.class);

    private final Watcher watcher = new Watcher();
    private EtcdCluster etcd;
    private Registry consumers;
    private Registry providers;
    private Registration registration;

    @BeforeEach
    void start() throws Exception {
        etcd = EtcdCluster.start(folder, 3);
        consumers = RegistryUri.open(etcd.uri(), LEASE);
        providers = RegistryUri.open(etcd.uri(), LEASE);
        consumers.watch(watcher);
        registration = register("192.0.2.7");
        watcher.awaitEndpoints(START, GREETER, "192.0.2.7:30000*1");
    }

    @AfterEach
    void close() {
        providers.close();
        consumers.close();
        etcd.close();
    }

    private Registration register(String host) {
        Registration opened =
                providers.registration(new RegistrationRequest(host, 30000, 1, 180, Map.of(GREETER, List.of())));
        opened.register();
        return opened;
    }

    private boolean isAwaySaidTwice() {
        return log.warnings().stream()
                        .filter(line -> line.contains(" is away: "))
                        .count()
                >= 2;
    }

    private void assertThatNoEndpointWasLost() {
        assertThat(watcher.all().stream().skip(1))
                .map(directory -> Watcher.texts(directory, GREETER))
                .allMatch(endpoints -> endpoints.contains("192.0.2.7:30000*1"));
    }

    @Test
    void noEndpointIsLostWhenOneLeaderAfterTheOtherIsKilled() throws Exception {
        for (int round = 1; round <= 3; round++) {
            EtcdServer leader = etcd.leader();
            leader.kill();
            etcd.leader();
            etcd.awaitHealthy();
            etcd.put(ROOT + "192.0.2.8:" + round, "");
            int port = round;
            watcher.await(HEALED, directory -> Watcher.texts(directory, GREETER).contains("192.0.2.8:" + port + "*1"));
            leader.launch();
            leader.awaitHealthy();
        }

        assertThatNoEndpointWasLost();
        assertThat(registration.registered()).isTrue();
        assertThat(etcd.entries(ROOT + "192.0.2.7")).hasSize(1);
    }

    @Test
    void aProviderThatRegistersWhileTheQuorumIsLostAppearsSoonAfterItIsBack() throws Exception {
        EtcdServer one = etcd.leader();
        one.kill();
        EtcdServer two = etcd.leader();
        two.kill();
        Await.until(START, "both agents have said that etcd is away", this::isAwaySaidTwice);
        register("192.0.2.8");

        one.launch();
        two.launch();
        etcd.awaitHealthy();

        watcher.awaitEndpoints(HEALED, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1");
        assertThatNoEndpointWasLost();
        Await.untilAsserted(HEALED, () -> assertThat(etcd.entries(ROOT)).hasSize(2));
        assertThat(log.warnings().stream().filter(line -> line.contains(" away")))
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void everyNodeRestartedAtOnceInterruptsNothing() throws Exception {
        for (EtcdServer node : etcd.nodes()) {
            node.stop();
        }
        for (EtcdServer node : etcd.nodes()) {
            node.launch();
        }
        etcd.awaitHealthy();
        etcd.put(ROOT + "192.0.2.8:30000", "");

        watcher.awaitEndpoints(HEALED, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1");
        assertThatNoEndpointWasLost();
        assertThat(etcd.entries(ROOT)).hasSize(2);
    }

    @Test
    void aLeaderThatFreezesIsReplaced() throws Exception {
        EtcdServer frozen = etcd.leader();
        frozen.freeze();
        for (EtcdServer node : etcd.nodes()) {
            if (node != frozen) {
                node.awaitHealthy();
            }
        }
        frozen.thaw();
        frozen.awaitHealthy();
        etcd.put(ROOT + "192.0.2.8:30000", "");

        watcher.awaitEndpoints(HEALED, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1");
        assertThatNoEndpointWasLost();
    }
}
