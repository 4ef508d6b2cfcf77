package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.RoutingRules;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
    private final BlockingQueue<Directory> directories = new LinkedBlockingQueue<>();
    private String last = "";

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
                        directories::add)
                .start();
    }

    /** @param expected hosts and weights of an untagged call, and what is wrong with rules */
    private void await(String expected) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!last.equals(expected)) {
            Directory next = directories.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(next).as("expected " + expected + ", only " + last).isNotNull();
            last = text(next);
        }
    }

    private static String text(Directory directory) {
        List<Endpoint> endpoints = directory.endpoints(SERVICE);
        RoutingRules rules = directory.rules(SERVICE);
        if (endpoints != null && rules != null) {
            RoutedCall call = new RoutedCall(
                    SERVICE, "", "", "greet", Map.of(), new RoutedConsumer("shop", "192.0.2.100", "", false));
            endpoints = rules.route(endpoints, call).endpoints();
        }
        StringBuilder text = new StringBuilder();
        if (endpoints != null) {
            endpoints.forEach(each -> text.append(each.host().substring(8))
                    .append('*')
                    .append(each.weight())
                    .append(' '));
        }
        directory.ruleReports().forEach(report -> text.append(report.problem() == null ? "" : report.problem()));
        return text.toString().strip();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rulesAreObeyedAsTheyComeAndChangeAndGo(boolean reportsAll) throws Exception {
        client.create(CONDITION_RULE, "conditions: ['=> host!=192.0.2.1']", CreateMode.PERSISTENT);
        client.create(CONFIG + "greeter.migration", "step: x", CreateMode.PERSISTENT);
        watch(reportsAll);
        await("2*100 3*100");

        client.set(CONDITION_RULE, "conditions: ['=> host!=192.0.2.2']");
        await("1*100 3*100");

        client.set(CONDITION_RULE, "conditions: 7");
        await("1*100 3*100 conditions is no list");

        client.create(TAG_RULE, "tags: [{name: gray, addresses: ['192.0.2.3:20880']}]", CreateMode.PERSISTENT);
        await("1*100 conditions is no list");

        client.delete(CONDITION_RULE);
        await("1*100 2*100");
        client.delete(TAG_RULE);
        await("1*100 2*100 3*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void overridesAreObeyedThatAppearLater(boolean reportsAll) throws Exception {
        watch(reportsAll);
        await("1*100 2*100 3*100");
        client.create(
                OVERRIDES,
                "configs: [{side: provider, addresses: ['192.0.2.2:20880'], parameters: {weight: 20}}]",
                CreateMode.PERSISTENT);
        await("1*100 2*20 3*100");
        client.set(OVERRIDES, "configs: [{side: provider, parameters: {disabled: true}}]");
        await("1*0 2*0 3*0");
        client.delete(OVERRIDES);
        await("1*100 2*100 3*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRuleThatHadNoRoomIsObeyedOnceAnotherIsGone(boolean reportsAll) throws Exception {
        String large = "a: " + "x".repeat(60_000);
        for (int i = 0; i < 139; i++) {
            client.create(CONFIG + "app" + i + ".tag-router", large, CreateMode.PERSISTENT);
        }
        watch(reportsAll);
        await("1*100 2*100 3*100");
        client.create(CONDITION_RULE, "conditions: ['=> host!=192.0.2.1']\n#" + large, CreateMode.PERSISTENT);
        await("1*100 2*100 3*100 60039 characters (expected: of all rules at most 8388608)");

        client.delete(CONFIG + "app0.tag-router");
        await("2*100 3*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void conditionsOfDubbo26AreObeyed(boolean reportsAll) throws Exception {
        watch(reportsAll);
        await("1*100 2*100 3*100");
        String router = "/dubbo/com.example.Greeter/routers/"
                + URLEncoder.encode(
                        "condition://0.0.0.0/com.example.Greeter?category=routers&rule="
                                + URLEncoder.encode("=> host = 192.0.2.2", UTF_8),
                        UTF_8);
        client.create(router, "", CreateMode.PERSISTENT);
        await("2*100");
        client.delete(router);
        await("1*100 2*100 3*100");
    }
}
