package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Watcher;
import org.junit.jupiter.api.Test;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class DubboLayoutTest {
    private static final String A = "/dubbo/a.B/providers/dubbo%3A%2F%2F192.0.2.7%3A20880%2Fa.B";
    private static final String B = "/dubbo/a.B/providers/dubbo%3A%2F%2F192.0.2.8%3A20880%2Fa.B";
    private static final String C = "/dubbo/a.C/providers/dubbo%3A%2F%2F192.0.2.8%3A20880%2Fa.C";
    private static final byte[] LEASE = {};

    private final DubboLayout layout = new DubboLayout("/dubbo/", 1_000);

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
        layout.doubt(Set.of(C), 0);
        layout.expire(999);
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*50");

        layout.expire(1_000);
        assertThat(Watcher.texts(layout.directory(), "a.C")).containsExactly("192.0.2.8:20880*100");
    }

    @Test
    void whatIsMissingInAListIsRemoved() {
        layout.retain(Set.of(A), 0);

        assertThat(Watcher.texts(layout.directory(), "a.B")).containsExactly("192.0.2.7:20880*100");
        assertThat(Watcher.texts(layout.directory(), "a.C")).isEmpty();
    }

    @Test
    void whatIsMissingAfterALossIsRemovedAfterTheTimeOfALeaseUnlessItIsPutAgain() {
        layout.doubt(Set.of(A), 0);
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
        layout.doubt(Set.of(A), 0);
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
        layout.doubt(Set.of(A), 0);

        layout.delete(C, 500);

        assertThat(Watcher.texts(layout.directory(), "a.C")).isEmpty();
    }
}
