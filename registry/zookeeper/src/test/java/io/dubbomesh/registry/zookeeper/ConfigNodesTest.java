package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.RoutedWatcher;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URLEncoder;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;

/** In both ways to watch: of ZooKeeper 3.6 and newer, and of older ones. */
class ConfigNodesTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String CONFIG = "/dubbo/config/dubbo/";
    private static final String TAG_RULE = CONFIG + "greeter.tag-router";
    private static final String CONDITION_RULE = CONFIG + "com.example.Greeter::.condition-router";
    private static final String OVERRIDES = CONFIG + "com.example.Greeter::.configurators";

    @TempDir
    private Path folder;

    private TestZooKeeper zooKeeper;
    private ZooKeeperOperator client;
    private DirectoryFollower watch;
    private final RoutedWatcher watcher = new RoutedWatcher();

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper(folder);
        client = zooKeeper.connect();
        for (int i = 1; i <= 3; i++) {
            client.register(SERVICE, "dubbo://192.0.2." + i + ":20880/com.example.Greeter?application=greeter");
        }
    }

    @AfterEach
    void stop() throws Exception {
        watch.close();
        zooKeeper.close();
        client.close();
    }

    private void watch(boolean reportsAll) {
        watch = new ZooKeeperWatch(
                        zooKeeper.ensemble(),
                        "/dubbo",
                        new ZooKeeperTimes(4_000, 200, 1_000, 20, 20, 100),
                        MetadataSource.NONE,
                        "",
                        reportsAll,
                        watcher)
                .start();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rulesAreObeyedAsTheyComeAndChangeAndGo(boolean reportsAll) throws Exception {
        client.create(CONDITION_RULE, "conditions: ['=> host!=192.0.2.1']", CreateMode.PERSISTENT);
        client.create(CONFIG + "greeter.migration", "step: x", CreateMode.PERSISTENT);
        watch(reportsAll);
        watcher.await("2*100 3*100");

        client.set(CONDITION_RULE, "conditions: ['=> host!=192.0.2.2']");
        watcher.await("1*100 3*100");

        client.set(CONDITION_RULE, "conditions: 7");
        watcher.await("1*100 3*100 conditions is no list");

        client.create(TAG_RULE, "tags: [{name: gray, addresses: ['192.0.2.3:20880']}]", CreateMode.PERSISTENT);
        watcher.await("1*100 conditions is no list");

        client.delete(CONDITION_RULE);
        watcher.await("1*100 2*100");
        client.delete(TAG_RULE);
        watcher.await("1*100 2*100 3*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void overridesAreObeyedThatAppearLater(boolean reportsAll) throws Exception {
        watch(reportsAll);
        watcher.await("1*100 2*100 3*100");
        client.create(
                OVERRIDES,
                "configs: [{side: provider, addresses: ['192.0.2.2:20880'], parameters: {weight: 20}}]",
                CreateMode.PERSISTENT);
        watcher.await("1*100 2*20 3*100");
        client.set(OVERRIDES, "configs: [{side: provider, parameters: {disabled: true}}]");
        watcher.await("1*0 2*0 3*0");
        client.delete(OVERRIDES);
        watcher.await("1*100 2*100 3*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRuleThatHadNoRoomIsObeyedOnceAnotherIsGone(boolean reportsAll) throws Exception {
        String large = "a: " + "x".repeat(60_000);
        for (int i = 0; i < 139; i++) {
            client.create(CONFIG + "app" + i + ".tag-router", large, CreateMode.PERSISTENT);
        }
        watch(reportsAll);
        watcher.await("1*100 2*100 3*100");
        client.create(CONDITION_RULE, "conditions: ['=> host!=192.0.2.1']\n#" + large, CreateMode.PERSISTENT);
        watcher.await("1*100 2*100 3*100 60039 characters (expected: of all rules at most 8388608)");

        client.delete(CONFIG + "app0.tag-router");
        watcher.await("2*100 3*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void conditionsOfDubbo26AreObeyed(boolean reportsAll) throws Exception {
        watch(reportsAll);
        watcher.await("1*100 2*100 3*100");
        String router = "/dubbo/com.example.Greeter/routers/"
                + URLEncoder.encode(
                        "condition://0.0.0.0/com.example.Greeter?category=routers&rule="
                                + URLEncoder.encode("=> host = 192.0.2.2", UTF_8),
                        UTF_8);
        client.create(router, "", CreateMode.PERSISTENT);
        watcher.await("2*100");
        client.delete(router);
        watcher.await("1*100 2*100 3*100");
    }
}
