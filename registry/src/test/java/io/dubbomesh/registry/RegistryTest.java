package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RegistryTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://127.0.0.1:2379",
                "etcd://127.0.0.1",
                "etcd://a:1,b:2,[::1]:3",
                "http://127.0.0.1:2379",
                "http://a:2379/",
                "http://a:2379,http://b:2379",
                "http://a:2379/,http://b:2379/",
                "file:/nowhere/at/all",
                "file:///nowhere/at/all",
                "static:192.0.2.7:1",
                "static:192.0.2.7:1*0,a:1*1000,[::1]:30000*2"
            })
    void aGoodUriIsOpenedWithoutAsking(String uri) {
        assertThatCode(() -> Registry.open(uri).close()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "etcd",
                "etcd:",
                "etcd://",
                "etcd:///",
                "etcd://a:0",
                "etcd://a:1,",
                "etcd://a:1,,b:1",
                "etcd://a:1/path",
                "etcd://a:1?x=y",
                "etcd://user@a:1",
                "https://a:2379",
                "ETCD://a:1",
                "zookeeper://a:2181",
                "file:",
                "file:relative",
                "file://host/dir",
                "static:",
                "static:a",
                "static:a:1*",
                "static:a:1*1001",
                "static:a:1*-1",
                "static:a:1*99999",
                "static:a:1,",
                "static:0.0.0.0:1"
            })
    void aBadUriIsRefusedWithWhatWasExpected(String uri) {
        assertThatThrownBy(() -> Registry.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("registry: " + uri
                        + " (expected: etcd://host:2379[,host:2379], file:/dir or static:host:port*weight,...)");
    }

    @Test
    void theMembersOfEtcdAreTriedInTurn() throws Exception {
        EtcdMembers members = new EtcdMembers(List.of(new HostPort("127.0.0.1", 1), new HostPort("::1", 2)), 2_000);
        Set<String> tried = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            try (EtcdSession session = members.next()) {
                tried.add(session.member().toString());
            }
        }
        assertThat(tried).containsExactlyInAnyOrder("127.0.0.1:1", "[::1]:2");
    }

    @Test
    void aMemberWithoutAddressIsAnExpectedFailure() {
        EtcdMembers members = new EtcdMembers(List.of(new HostPort("etcd.invalid", 2379)), 2_000);

        assertThatThrownBy(members::next).isInstanceOf(EtcdFailure.class).hasMessage("unknown host etcd.invalid");
    }

    @Test
    void aLeaseOutOfRangeIsRefused() {
        assertThatThrownBy(() -> Registry.open("etcd://a:1", Duration.ofMillis(1_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("etcd lease: 1 s (expected: 2-3600)");
    }

    @Test
    void theStaticRegistryServesEveryServiceInEveryVariantFromItsList() {
        Watcher watcher = new Watcher();
        try (Registry registry = Registry.open("static:192.0.2.7:30000*3,192.0.2.8:30000")) {
            registry.watch(watcher);

            Directory directory = watcher.all().get(0);
            assertThat(Watcher.texts(directory, "any.Service"))
                    .containsExactly("192.0.2.7:30000*3", "192.0.2.8:30000*1");
            assertThat(directory.services()).isEmpty();
            assertThat(directory.endpoints("any.Service").get(0).serves("1.0", "a"))
                    .isTrue();
        }
    }

    @Test
    void aRegistrationInTheStaticRegistryIsContentWithItself() {
        try (Registry registry = Registry.open("static:192.0.2.7:30000")) {
            Registration registration = registry.registration(new Advertisement(null, 1, 7, 1, Map.of()));
            registration.announce();
            assertThat(registration.announced()).isTrue();
            assertThat(registration.weight()).isEqualTo(7);
            assertThat(registration.withdraw()).isCompleted();
            assertThat(registration.announced()).isFalse();
        }
    }

    @Test
    void anEndpointServesTheVariantsItNames() {
        Endpoint endpoint =
                new Endpoint("192.0.2.7", 1, 1, 1, List.of(new Variant("1.0", "a"), new Variant("0.0.0", "")));

        assertThat(endpoint.serves("1.0", "a")).isTrue();
        assertThat(endpoint.serves("", "")).isTrue();
        assertThat(endpoint.serves("0.0.0", "")).isTrue();
        assertThat(endpoint.serves("1.0", "")).isFalse();
        assertThat(endpoint.serves("", "a")).isFalse();
    }

    @Test
    void anAdvertisementThatNobodyCouldUseIsRefused() {
        Map<String, List<Variant>> services = Map.of("com.example.Greeter", List.of());
        assertThatThrownBy(() -> new Advertisement("0.0.0.0", 1, 1, 1, services))
                .hasMessageContaining("neither wildcard");
        assertThatThrownBy(() -> new Advertisement(null, 0, 1, 1, services))
                .hasMessage("advertise.port: 0 (expected: 1-65535)");
        assertThatThrownBy(() -> new Advertisement(null, 1, 1001, 1, services))
                .hasMessage("lb.weight: 1001 (expected: 0-1000)");
        assertThatThrownBy(() -> new Advertisement(null, 1, 1, 0, services))
                .hasMessage("lb.limit: 0 (expected: 1-1000000)");
        assertThatThrownBy(() -> new Advertisement(null, 1, 1, 1, Map.of("a/b", List.of())))
                .hasMessage("service a/b (expected: the name of a Java interface)");
    }
}
