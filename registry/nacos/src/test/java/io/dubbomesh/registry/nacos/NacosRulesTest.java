package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedWatcher;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class NacosRulesTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String NAME = "providers:com.example.Greeter::";
    private static final String CONDITIONS = "com.example.Greeter::.condition-router";
    private static final String DUBBO = "dubbo";

    private final FakeNaming nacos = new FakeNaming();
    private final NacosRegistry registry = new NacosRegistry(
            NacosUri.parse("nacos://192.0.2.1"),
            nacos::client,
            nacos::configuration,
            MetadataSource.NONE,
            new NacosTimes(50, 300, 20, 50));
    private final RoutedWatcher watcher = new RoutedWatcher();

    @AfterEach
    void close() {
        registry.close();
    }

    private void watchThree() {
        nacos.set(
                NAME,
                FakeNaming.instance("192.0.2.1"),
                FakeNaming.instance("192.0.2.2"),
                FakeNaming.instance("192.0.2.3"));
        registry.watch(watcher);
    }

    @Test
    void rulesAreObeyedAsTheyComeAndChangeAndGo() throws Exception {
        watchThree();
        watcher.await("1*100 2*100 3*100");

        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']");
        watcher.await("2*100 3*100");
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.2']");
        watcher.await("1*100 3*100");
        nacos.configure(CONDITIONS, DUBBO, "conditions: 7");
        watcher.await("1*100 3*100 conditions is no list");
        nacos.configure("greeter.tag-router", DUBBO, "tags: [{name: gray, addresses: ['192.0.2.3:20880']}]");
        watcher.await("1*100 conditions is no list");
        nacos.configure(CONDITIONS, DUBBO, null);
        watcher.await("1*100 2*100");
        nacos.configure("greeter.tag-router", DUBBO, "");
        watcher.await("1*100 2*100 3*100");
    }

    @Test
    void theFirstDirectoryHasTheRulesOfItsServices() throws Exception {
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']");
        nacos.configure("greeter.configurators", DUBBO, "configs: [{side: provider, parameters: {weight: 20}}]");
        nacos.configure(CONDITIONS, "DEFAULT_GROUP", "conditions: ['=> host!=192.0.2.2']");

        watchThree();

        assertThat(watcher.text()).isEqualTo("2*20 3*20");
    }

    @Test
    void aServiceThatIsRegisteredLaterIsListedWithItsRules() throws Exception {
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']");
        registry.watch(watcher);
        assertThat(watcher.directories().take().services()).isEmpty();

        nacos.set(NAME, FakeNaming.instance("192.0.2.1"), FakeNaming.instance("192.0.2.2"));

        assertThat(watcher.text()).isEqualTo("2*100");
    }

    @Test
    void aRuleMayConcernTheConsumer() throws Exception {
        nacos.configure("shop.condition-router", DUBBO, "conditions: ['=> host=192.0.2.3']");
        registry.followRulesOf("shop");
        watchThree();
        watcher.await("3*100");
    }

    @Test
    void keysAreThoseOfDubboWithWhatItReplaces() throws Exception {
        nacos.set(
                "providers:com.example.Outer$Greeter:1.0:a/b",
                FakeNaming.instance("192.0.2.1", "version", "1.0", "group", "a/b", "application", "greeter app"));
        String key = "dubbo@com.example.Outer___Greeter:1.0:a-b";
        registry.watch(watcher);
        watcher.directories().take();
        assertThat(nacos.followed()).containsExactlyInAnyOrder(key + ".condition-router", key + ".configurators");

        nacos.configure(
                "com.example.Outer___Greeter:1.0:a-b.configurators",
                DUBBO,
                "configs: [{side: provider, parameters: {weight: 20}}]");
        Endpoint endpoint = watcher.directories()
                .take()
                .endpoints("com.example.Outer$Greeter")
                .get(0);
        assertThat(endpoint.weight()).isEqualTo(20);
    }

    @Test
    void whatIsNotObeyedOfAnApplicationIsRefusedByName() throws Exception {
        nacos.configure("greeter.script-router", DUBBO, "script: x");
        watchThree();
        watcher.await("1*100 2*100 3*100 scripts are not run");
    }

    @Test
    void rulesStayWhileNacosIsAway() throws Exception {
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']");
        watchThree();
        watcher.await("2*100 3*100");

        nacos.away(true);
        nacos.configure(CONDITIONS, DUBBO, null);
        Await.until("a list that is missing", () -> registry.ageNs() > 200_000_000);
        assertThat(watcher.directories()).isEmpty();

        nacos.away(false);
        watcher.await("1*100 2*100 3*100");
    }

    @Test
    void whatCannotBeReadHidesNothingElseAndIsReadLater() throws Exception {
        nacos.refuse(CONDITIONS, true);
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']");
        nacos.configure("greeter.condition-router", DUBBO, "conditions: ['=> host!=192.0.2.3']");
        watchThree();
        watcher.await("1*100 2*100");

        nacos.refuse(CONDITIONS, false);
        watcher.await("2*100");
    }

    @Test
    void aRuleThatHadNoRoomIsObeyedOnceAnotherIsGone() throws Exception {
        String large = "a: " + "x".repeat(60_000);
        Instance[] others = new Instance[139];
        for (int i = 0; i < others.length; i++) {
            others[i] = FakeNaming.instance("192.0.2." + i, "interface", "a.Other", "application", "app" + i);
            nacos.configure("app" + i + ".tag-router", DUBBO, large);
        }
        nacos.set("providers:a.Other::", others);
        watchThree();
        watcher.await("1*100 2*100 3*100");
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']\n#" + large);
        watcher.await("1*100 2*100 3*100 60039 characters (expected: of all rules at most 8388608)");

        nacos.configure("app0.tag-router", DUBBO, null);
        watcher.await("2*100 3*100");
    }

    /** Followed by the test itself, which passes the time. */
    private final class Followed implements AutoCloseable {
        final NacosConfiguration configuration =
                new NacosConfiguration(NacosUri.parse("nacos://192.0.2.1"), nacos::configuration);
        final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
        final Map<String, String> values = new HashMap<>();
        final NacosRules rules = new NacosRules("nacos", configuration, "shop", answers::add, values::put);
        long nowNs = System.nanoTime();

        /** @param questions that the directory brings up */
        void follow(Map<String, List<Endpoint>> services, int questions) throws InterruptedException {
            rules.follow(Directory.of(services), nowNs);
            for (int i = 0; i < questions; i++) {
                answers.take().run();
            }
        }

        void pass(long minutes) {
            nowNs += TimeUnit.MINUTES.toNanos(minutes);
        }

        @Override
        public void close() {
            rules.close();
            configuration.close();
        }
    }

    private static Endpoint endpoint(String version, String application) {
        DubboExport export = new DubboExport(new Variant(version, ""), application, "", "", "", Map.of());
        return new Endpoint("192.0.2.7", 20880, 100, 0, List.of(), List.of(export));
    }

    @Test
    void keysThatNoServiceHasAnyMoreAreReleasedAfterAWhile() throws Exception {
        nacos.configure(CONDITIONS, DUBBO, "conditions: ['=> host!=192.0.2.1']");
        List<Endpoint> endpoints = List.of(endpoint("", "greeter"));
        try (Followed all = new Followed()) {
            all.follow(Map.of(SERVICE, endpoints), 8);
            assertThat(nacos.followed()).hasSize(8);
            assertThat(all.values).containsOnlyKeys(CONDITIONS);

            all.follow(Map.of(SERVICE, List.of()), 0);
            all.pass(9);
            all.follow(Map.of(SERVICE, List.of()), 0);
            assertThat(all.values.get(CONDITIONS)).isNotNull();
            all.pass(2);
            all.follow(Map.of(SERVICE, List.of()), 0);
            assertThat(all.values).containsEntry(CONDITIONS, null);
            Await.until(
                    "a rule that is not needed is not followed",
                    () -> nacos.followed().equals(Set.of("dubbo@shop.condition-router")));

            all.follow(Map.of(SERVICE, endpoints), 7);
            assertThat(nacos.followed()).hasSize(8);
            assertThat(all.values.get(CONDITIONS)).isNotNull();
        }
    }

    @Test
    void aServiceThatIsBackSoonKeepsItsKeys() throws Exception {
        List<Endpoint> endpoints = List.of(endpoint("", "greeter"));
        try (Followed all = new Followed()) {
            all.follow(Map.of(SERVICE, endpoints), 8);
            all.follow(Map.of(SERVICE, List.of()), 0);
            all.pass(9);
            all.follow(Map.of(SERVICE, endpoints), 0);
            all.pass(9);
            all.follow(Map.of(SERVICE, endpoints), 0);
            assertThat(nacos.followed()).hasSize(8);
        }
    }

    @Test
    void keysOfAnApplicationStayAsLongAsItHasAService() throws Exception {
        Endpoint greeter = endpoint("", "greeter");
        try (Followed all = new Followed()) {
            all.follow(Map.of("a.One", List.of(greeter), "a.Two", List.of(greeter)), 10);
            all.follow(Map.of("a.One", List.of(), "a.Two", List.of(greeter)), 0);
            all.pass(11);
            all.follow(Map.of("a.One", List.of(), "a.Two", List.of(greeter)), 0);
            Await.until(
                    "those of one service are not followed",
                    () -> nacos.followed().size() == 8);
            assertThat(nacos.followed())
                    .contains("dubbo@greeter.tag-router", "dubbo@a.Two::.configurators")
                    .doesNotContain("dubbo@a.One::.configurators");
        }
    }

    @Test
    void aQuestionThatFailedIsNotAskedAgainForAServiceThatIsGone() throws Exception {
        nacos.refuse("a.One::.configurators", true);
        Endpoint one = endpoint("", "");
        try (Followed all = new Followed()) {
            all.follow(Map.of("a.One", List.of(one)), 3);
            all.follow(Map.of("a.One", List.of()), 0);
            all.pass(11);
            all.follow(Map.of("a.One", List.of()), 0);
            nacos.refuse("a.One::.configurators", false);
            all.rules.askAgain();
            all.follow(Map.of("a.One", List.of(), "a.Two", List.of(one)), 2);
            assertThat(nacos.followed())
                    .contains("dubbo@a.Two::.configurators")
                    .doesNotContain("dubbo@a.One::.configurators");
        }
    }

    /** The answer to a second question would follow a key that was released meanwhile. */
    @Test
    void aKeyThatIsBeingAskedForAgainIsNotAskedForTwice() throws Exception {
        List<Endpoint> endpoints = List.of(endpoint("", ""));
        try (Followed all = new Followed()) {
            all.follow(Map.of("a.One", endpoints), 3);
            nacos.refuse("a.One::.configurators", true);
            all.rules.readAgain();
            all.follow(Map.of("a.One", endpoints), 3);

            all.rules.readAgain();
            all.rules.askAgain();
            all.follow(Map.of("a.One", endpoints), 3);
            assertThat(all.answers.poll(200, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    /** Returns as many keys as there may be, with those of an application. */
    private static List<Endpoint> allKeys(String application) {
        List<DubboExport> exports = new ArrayList<>();
        for (int i = 0; i < NacosRules.MAX_KEYS; i++) {
            exports.add(new DubboExport(new Variant("1." + i, ""), application, "", "", "", Map.of()));
        }
        return List.of(new Endpoint("192.0.2.7", 20880, 100, 0, List.of(), exports));
    }

    @Test
    void servicesThatAreGoneMakeRoomForOthersAtOnceWhenAllKeysAreInUse() throws Exception {
        List<Endpoint> large = allKeys("");
        List<Endpoint> late = List.of(endpoint("", ""));
        try (Followed all = new Followed()) {
            all.follow(Map.of(SERVICE, large), NacosRules.MAX_KEYS);
            all.follow(Map.of(SERVICE, large, "a.Late", late), 0);
            all.follow(Map.of(SERVICE, List.of(), "a.Late", late), 2);
            assertThat(nacos.followed()).contains("dubbo@a.Late::.condition-router");
        }
    }

    @Test
    void aRuleStaysInForceWhenAnotherServiceOfItsApplicationComesAsOneGoes() throws Exception {
        nacos.configure("greeter.condition-router", DUBBO, "conditions: ['=> host!=192.0.2.3']");
        List<Endpoint> late = List.of(endpoint("", "greeter"));
        try (Followed all = new Followed()) {
            all.follow(Map.of(SERVICE, allKeys("greeter")), NacosRules.MAX_KEYS);
            assertThat(all.values.get("greeter.condition-router")).isNotNull();
            all.follow(Map.of("a.Late", late), 2);
            assertThat(all.values.get("greeter.condition-router")).isNotNull();
            assertThat(nacos.followed()).contains("dubbo@a.Late::.condition-router");
        }
    }

    @Test
    void noMoreKeysAreAskedForThanAServerMayBear() throws Exception {
        NacosConfiguration configuration =
                new NacosConfiguration(NacosUri.parse("nacos://192.0.2.1"), nacos::configuration);
        BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
        List<DubboExport> exports = new ArrayList<>();
        for (int i = 0; i < NacosRules.MAX_KEYS; i++) {
            exports.add(new DubboExport(new Variant("1." + i, ""), "", "", "", "", Map.of()));
        }
        Endpoint endpoint = new Endpoint("192.0.2.7", 20880, 100, 0, List.of(), exports);
        try (configuration;
                NacosRules rules = new NacosRules("nacos", configuration, "shop", answers::add, (key, text) -> {})) {
            rules.follow(Directory.of(Map.of(SERVICE, List.of(endpoint))), System.nanoTime());
            for (int i = 0; i < NacosRules.MAX_KEYS; i++) {
                answers.take().run();
            }
            assertThat(rules.isAwaited(System.nanoTime())).isFalse();
            assertThat(nacos.followed()).hasSize(NacosRules.MAX_KEYS).contains("dubbo@shop.condition-router");
        }
    }
}
