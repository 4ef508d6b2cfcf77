package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** An agent that registers in a ZooKeeper of the test, and what others see of it. */
@Timeout(60)
abstract class RegistrationFixture {
    static final String GREETER = "com.example.Greeter";
    static final String CLOCK = "com.example.Clock";
    static final String NODE = "/dubbomesh/com.example.Greeter/192.0.2.7:30000";
    static final String OTHER_NODE = "/dubbomesh/com.example.Clock/192.0.2.7:30000";
    static final String ADDRESS = "192.0.2.7:30000";
    static final List<Variant> ONE = List.of(new Variant("1.0", "a"));
    static final Duration LIMIT = Duration.ofSeconds(10);
    static final RegistrationTimes TIMES = new RegistrationTimes(2_000, 200, 3_000, 500, 150, 20, 100, 2_000);

    @TempDir
    private Path folder;

    TestZooKeeper zooKeeper;
    ZooKeeperOperator operator;
    ZooKeeperRegistry registry;
    private DirectoryFollower watch;
    final Watcher watcher = new Watcher();

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper(folder);
        operator = zooKeeper.connect();
        registry = open(zooKeeper.address());
    }

    @AfterEach
    void stop() throws Exception {
        if (watch != null) {
            watch.close();
        }
        registry.close();
        operator.close();
        zooKeeper.close();
    }

    static ZooKeeperRegistry open(HostPort address) {
        return new ZooKeeperRegistry(
                TestZooKeeper.ensemble(address), "/dubbo", watchTimes(), TIMES, MetadataSource.NONE);
    }

    static ZooKeeperTimes watchTimes() {
        return new ZooKeeperTimes(2_000, 200, 1_000, 20, 20, 100);
    }

    static RegistrationRequest request(String host, String... services) {
        Map<String, List<Variant>> offered = new HashMap<>();
        for (String service : services) {
            offered.put(service, ONE);
        }
        return new RegistrationRequest(host, 30000, 3, 180, offered);
    }

    static String value(int weight) {
        return "{\"weight\":" + weight + ",\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}";
    }

    Registration registered(String... services) throws Exception {
        return registeredAt(registry, services);
    }

    static Registration registeredAt(Registry at, String... services) throws Exception {
        Registration registration = at.registration(request("192.0.2.7", services));
        registration.register();
        Await.until(LIMIT, "registered", registration::registered);
        return registration;
    }

    /** Null if there is no such node. */
    String text(String path) throws Exception {
        try {
            return new String(operator.raw().getData(path, false, null), UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    Stat stat(String path) throws Exception {
        return operator.raw().exists(path, false);
    }

    void awaitText(String path, String expected) throws Exception {
        Await.untilAsserted(LIMIT, () -> assertThat(text(path)).isEqualTo(expected));
    }

    void watch(boolean reportsAll) {
        watch = new ZooKeeperWatch(
                        zooKeeper.ensemble(), "/dubbo", watchTimes(), MetadataSource.NONE, "", reportsAll, watcher)
                .start();
    }

    void awaitEndpoints(String... expected) throws InterruptedException {
        watcher.awaitEndpoints(LIMIT, GREETER, expected);
    }
}
