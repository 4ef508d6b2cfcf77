package io.dubbomesh.registry.etcd.layout;

import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.metadata.MetadataSource;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class DubboLayoutTest {
    private static final String A = "/dubbo/a.B/providers/dubbo%3A%2F%2F192.0.2.7%3A20880%2Fa.B";
    private static final String B = "/dubbo/a.B/providers/dubbo%3A%2F%2F192.0.2.8%3A20880%2Fa.B";
    private static final String C = "/dubbo/a.C/providers/dubbo%3A%2F%2F192.0.2.8%3A20880%2Fa.C";
    private static final byte[] LEASE = {};

    private static final String RULE = "/dubbo/config/dubbo/a.B::.condition-router";
    private static final String INSTANCE = "/services/shop/192.0.2.9:20880";
    private static final String METADATA =
            "{\"app\":\"shop\",\"revision\":\"r1\",\"services\":{\"x\":{\"name\":\"a.I\",\"protocol\":\"dubbo\","
                    + "\"path\":\"a.I\",\"params\":{\"weight\":\"200\"}}}}";

    private final List<String> asked = new ArrayList<>();
    private final DubboLayout layout = new DubboLayout(
            "/dubbo/",
            1_000,
            (application, revision, service) -> {
                asked.add(
                        application + '/' + revision + '@' + service.addresses().get(0));
                return CompletableFuture.completedFuture(METADATA);
            },
            "",
            () -> {});

    DubboLayoutTest() {
        layout.put(A, LEASE, 0);
        layout.put(B, LEASE, 0);
        layout.put(C, LEASE, 0);
    }

    @Test
    void keysThatAreNotOfProvidersAreIgnored() {
        for (String key : new String[] {
            "/dubbo/a.D/consumers/consumer%3A%2F%2F192.0.2.7%2Fa.D",
            "/dubbo/a.D/providers",
            "/dubbo/a.D",
            "/dubbo/metadata/a.D/1.0/provider/greeter",
            "/dubbo/%zz/providers/x"
        }) {
            assertThat(layout.put(key, LEASE, 0)).as(key).isFalse();
        }
        assertThat(layout.directory().services()).containsExactlyInAnyOrder("a.B", "a.C");
    }

    @Test
    void longKeysAreNotKept() {
        String longest = "x".repeat(1 << 20);
        for (String key : new String[] {
            "/dubbo/a.B/providers/" + longest,
            "/dubbo/a.B/configurators/" + longest,
            "/dubbo/config/dubbo/" + longest + ".tag-router",
            "/services/shop/" + longest
        }) {
            assertThat(layout.put(key, LEASE, 0)).as(key.substring(0, 30)).isFalse();
        }
        assertThat(layout.directory().ruleReports()).isEmpty();
    }

    @Test
    void overridesOfSoManyCharactersInAllAreKept() {
        String url = "override%3A%2F%2F0.0.0.0%2Fa.B%3Fweight%3D50%26x%3D" + "x".repeat(32_000);
        int most = DubboLayout.MAX_OVERRIDE_CHARACTERS / url.length();
        for (int i = 0; i < most; i++) {
            layout.put(
                    "/dubbo/a.D/configurators/"
                            + (url + i).substring(String.valueOf(i).length()),
                    LEASE,
                    0);
        }
        String half =
                "/dubbo/a.B/configurators/override%3A%2F%2F0.0.0.0%2Fa.B%3Fweight%3D50%26x%3D" + "x".repeat(32_000);
        layout.put(half, LEASE, 0);
        assertThat(Watcher.texts(layout.directory(), "a.B"))
                .containsExactly("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        assertThat(layout.pollRoom()).isFalse();
        layout.delete("/dubbo/a.D/configurators/" + (url + 0).substring(1), 0);
        assertThat(layout.pollRoom()).isTrue();
        layout.put(half, LEASE, 0);
        assertThat(Watcher.texts(layout.directory(), "a.B"))
                .containsExactly("192.0.2.7:20880*50", "192.0.2.8:20880*50");
    }

    @Test
    void overridesAreObeyedAsTheyComeAndGo() {
        String half = "/dubbo/a.B/configurators/override%3A%2F%2F0.0.0.0%2Fa.B%3Fweight%3D50";
        String out = "/dubbo/a.B/configurators/override%3A%2F%2F192.0.2.8%3A20880%2Fa.B%3Fdisabled%3Dtrue";
        assertThat(layout.put(half, LEASE, 0)).isTrue();
        layout.put(out, LEASE, 0);
        assertThat(Watcher.texts(layout.directory(), "a.B")).containsExactly("192.0.2.7:20880*50", "192.0.2.8:20880*0");
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*100");

        layout.delete(out, 0);
        assertThat(Watcher.texts(layout.directory(), "a.B"))
                .containsExactly("192.0.2.7:20880*50", "192.0.2.8:20880*50");

        layout.retain(Set.of(A, B), 0);
        assertThat(Watcher.texts(layout.directory(), "a.B"))
                .containsExactly("192.0.2.7:20880*100", "192.0.2.8:20880*100");
    }

    @Test
    void anOverrideMayBeOlderThanTheFirstProvider() {
        layout.put("/dubbo/a.D/configurators/override%3A%2F%2F0.0.0.0%2Fa.D%3Fweight%3D50", LEASE, 0);
        assertThat(layout.directory().services()).doesNotContain("a.D");

        layout.put("/dubbo/a.D/providers/dubbo%3A%2F%2F192.0.2.7%3A20880%2Fa.D", LEASE, 0);
        assertThat(Watcher.texts(layout.directory(), "a.D")).containsExactly("192.0.2.7:20880*50");
    }

    @Test
    void overridesStayAfterALossForTheTimeOfALease() {
        layout.put("/dubbo/a.C/configurators/override%3A%2F%2F0.0.0.0%2Fa.C%3Fweight%3D50", LEASE, 0);
        layout.markSuspect(Set.of(C), 0);
        layout.expire(999);
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*50");

        layout.expire(1_000);
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*100");
    }

    /** @param more members, each with a comma behind it */
    private static byte[] instance(String more, String host, String revision) {
        return ("{" + more + "\"serviceName\":\"shop\",\"host\":\"" + host
                        + "\",\"port\":20880,\"healthy\":true,\"metadata\":"
                        + "{\"dubbo.endpoints\":\"[{\\\"port\\\":20880,\\\"protocol\\\":\\\"dubbo\\\"}]\","
                        + "\"dubbo.metadata.revision\":\"" + revision
                        + "\",\"dubbo.metadata.storage-type\":\"local\"}}")
                .getBytes(UTF_8);
    }

    private List<String> instances() {
        // Once to ask, once to take the answer.
        layout.ask(System.nanoTime());
        layout.ask(System.nanoTime());
        return Watcher.texts(layout.directory(), "a.I");
    }

    @Test
    void instancesOfApplicationsTellWhatTheyExport() {
        assertThat(layout.put(INSTANCE, instance("\"id\":\"192.0.2.9:20880\",\"enabled\":true,", "192.0.2.9", "r1"), 0))
                .isTrue();
        layout.put("/services/shop/192.0.2.8:20880", instance("\"enabled\":false,", "192.0.2.8", "r1"), 0);
        assertThat(instances()).containsExactly("192.0.2.8:20880*0", "192.0.2.9:20880*200");
        assertThat(asked).hasSize(1).first().asString().startsWith("shop/r1@192.0.2.");

        layout.delete("/services/shop/192.0.2.8:20880", 0);
        assertThat(instances()).containsExactly("192.0.2.9:20880*200");
        assertThat(layout.directory().isDeregistered("a.I", "192.0.2.8:20880")).isTrue();

        layout.retain(Set.of(A, B, C), 0);
        assertThat(instances()).isEmpty();
    }

    @Test
    void whatOthersWriteBesideInstancesIsIgnored() {
        layout.put(INSTANCE, instance("", "192.0.2.9", "r1"), 0);
        for (String value : new String[] {"", "1", "[]", "{}", "{\"metadata\":{}}", "{\"metadata\":7}"}) {
            assertThat(layout.put("/services/other/x", value.getBytes(UTF_8), 0))
                    .as(value)
                    .isFalse();
        }
        assertThat(layout.put("/services/shop", instance("", "192.0.2.9", "r1"), 0))
                .isFalse();
        assertThat(layout.put("/services/shop/a/b", instance("", "192.0.2.9", "r1"), 0))
                .isFalse();
        assertThat(layout.put(INSTANCE, "{".getBytes(UTF_8), 0)).isTrue();
        assertThat(instances()).containsExactly("192.0.2.9:20880*200");

        layout.put(INSTANCE, "{\"metadata\":{}}".getBytes(UTF_8), 0);
        assertThat(instances()).isEmpty();
    }

    @Test
    void aMalformedInstanceHidesNoOther() {
        String deep = "{\"metadata\":" + "[".repeat(20_000);
        for (String value : new String[] {deep, "{\"metadata\":{}} {}", "{\"a\":1e999999999}", "{\"\\uD800\":"}) {
            layout.put("/services/shop/192.0.2.8:20880", value.getBytes(UTF_8), 0);
        }
        layout.put(INSTANCE, instance("", "192.0.2.9", "r1"), 0);
        assertThat(instances()).containsExactly("192.0.2.9:20880*200");
    }

    @Test
    void instancesAndRulesStayAfterALossForTheTimeOfALease() {
        layout.put(INSTANCE, instance("", "192.0.2.9", "r1"), 0);
        layout.put(RULE, "conditions: ['=> host=192.0.2.7']".getBytes(UTF_8), 0);
        layout.markSuspect(Set.of(A, B), 0);
        layout.expire(999);
        assertThat(instances()).containsExactly("192.0.2.9:20880*200");
        assertThat(layout.directory().ruleReports()).hasSize(1);

        layout.expire(1_000);
        assertThat(instances()).isEmpty();
        assertThat(layout.directory().ruleReports()).isEmpty();
    }

    @Test
    void rulesAreThoseOfTheConfigurationCentre() {
        for (String key :
                new String[] {"/dubbo/config/dubbo/greeter.migration", "/dubbo/config/dubbo/a/b.tag-router"}) {
            assertThat(layout.put(key, "tags: []".getBytes(UTF_8), 0)).as(key).isFalse();
        }
        assertThat(layout.put(RULE, "conditions: ['=> host=192.0.2.7']".getBytes(UTF_8), 0))
                .isTrue();
        assertThat(layout.directory().rules("a.B")).isNotNull();
        assertThat(layout.directory().rules("a.C")).isNull();
        assertThat(layout.put(RULE, "conditions: 7".getBytes(UTF_8), 0)).isTrue();
        assertThat(layout.directory().rules("a.B")).isNotNull();
        assertThat(layout.directory().ruleReports().get(0).problem()).isEqualTo("conditions is no list");

        layout.delete(RULE, 0);
        assertThat(layout.directory().rules("a.B")).isNull();
        layout.put(RULE, "conditions: ['=> host=192.0.2.7']".getBytes(UTF_8), 0);
        layout.retain(Set.of(A, B, C), 0);
        assertThat(layout.directory().rules("a.B")).isNull();
    }

    @Test
    void noKeyIsInTwoRanges() {
        List<EtcdRange> ranges = layout.ranges();
        for (String key :
                new String[] {A, RULE, INSTANCE, "/dubbo/config/z", "/dubbo/a.B/configurators/x", "/dubbo/z"}) {
            byte[] bytes = key.getBytes(UTF_8);
            List<EtcdRange> holding = ranges.stream()
                    .filter(range -> Arrays.compareUnsigned(range.from(), bytes) <= 0
                            && Arrays.compareUnsigned(bytes, range.end()) < 0)
                    .toList();
            assertThat(holding).as(key).hasSize(1);
            assertThat(holding.get(0).keysOnly()).as(key).isEqualTo(!key.equals(RULE) && !key.equals(INSTANCE));
        }
    }

    @Test
    void aRootBelowThatOfInstancesHasNone() {
        DubboLayout shop = new DubboLayout("/services/", 1_000, MetadataSource.NONE, "", () -> {});
        assertThat(shop.roots()).containsExactly("/services/");
        assertThat(shop.put(A.replace("/dubbo/", "/services/"), LEASE, 0)).isTrue();
        assertThat(shop.put(INSTANCE, instance("", "192.0.2.9", "r1"), 0)).isFalse();
    }

    @Test
    void whatIsMissingInAListIsRemoved() {
        layout.retain(Set.of(A), 0);

        assertThat(Watcher.texts(layout.directory(), "a.B")).containsExactly("192.0.2.7:20880*100");
        assertThat(Watcher.texts(layout.directory(), "a.C")).isEmpty();
    }

    @Test
    void whatIsMissingAfterALossIsRemovedAfterTheTimeOfALeaseUnlessItIsPutAgain() {
        layout.markSuspect(Set.of(A), 0);
        layout.expire(999);
        assertThat(Watcher.texts(layout.directory(), "a.B"))
                .containsExactly("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        layout.put(C, LEASE, 999);
        layout.expire(1_000);

        assertThat(Watcher.texts(layout.directory(), "a.B")).containsExactly("192.0.2.7:20880*100");
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*100");
    }

    @Test
    void aListThatIsReadWhileALossLastsRemovesNothingBeforeItsTime() {
        layout.markSuspect(Set.of(A), 0);
        layout.retain(Set.of(A), 500);
        layout.expire(999);
        assertThat(Watcher.texts(layout.directory(), "a.B"))
                .containsExactly("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        layout.retain(Set.of(A, C), 999);
        layout.expire(1_000);

        assertThat(Watcher.texts(layout.directory(), "a.B")).containsExactly("192.0.2.7:20880*100");
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*100");
    }

    @Test
    void aDeletionWhileALossLastsMayBeOfAServiceThatWasNotListed() {
        layout.markSuspect(Set.of(A), 0);

        layout.delete(C, 500);

        assertThat(Watcher.texts(layout.directory(), "a.C")).isEmpty();
    }
}
