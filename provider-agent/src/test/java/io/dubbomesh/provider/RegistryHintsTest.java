package io.dubbomesh.provider;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

class RegistryHintsTest {
    private static final HostPort PROVIDER = new HostPort("127.0.0.1", 20880);
    private static final Variant BLUE = new Variant("1.0", "blue");

    private int watches;

    @Test
    void theServicesAreNamedForWhichTheRegistryListsTheProvider() {
        RegistryHints hints = new RegistryHints(
                "the registry",
                listing(Map.of(
                        "a.Greeter", List.of(provider("192.0.2.7", 20880, BLUE), provider("192.0.2.8", 20880)),
                        "a.Clock", List.of(provider("192.0.2.7", 20881)),
                        "a.Shop", List.of(provider("192.0.2.8", 20880)))),
                PROVIDER,
                "192.0.2.7");
        assertThat(watches).as("before it is asked").isZero();

        assertThat(hints.services()).containsExactly(new ServiceKey("a.Greeter", "1.0", "blue"));
        assertThat(hints.services()).hasSize(1);
        assertThat(watches).isEqualTo(1);
    }

    @Test
    void anAddressOfThisMachineIsThatOfAProviderBesideTheAgent() {
        Map<String, List<Endpoint>> listed = Map.of(
                "a.Greeter", List.of(provider("127.0.0.1", 20880)), "a.Shop", List.of(provider("192.0.2.8", 20880)));

        assertThat(new RegistryHints("the registry", listing(listed), new HostPort("localhost", 20880), null)
                        .services())
                .containsExactly(new ServiceKey("a.Greeter", "", ""));
        assertThat(new RegistryHints("the registry", listing(listed), new HostPort("192.0.2.9", 20880), null)
                        .services())
                .isEmpty();
    }

    @Test
    void aProviderIsKnownByTheAddressesOfItsName() throws Exception {
        // The one name that every machine can look up.
        String here = InetAddress.getLoopbackAddress().getHostAddress();
        Map<String, List<Endpoint>> listed = Map.of("a.Greeter", List.of(provider(here, 20880)));

        assertThat(new RegistryHints("the registry", listing(listed), new HostPort("localhost", 20880), null)
                        .services())
                .hasSize(1);
        assertThat(new RegistryHints("the registry", listing(listed), new HostPort("no such host", 20880), null)
                        .services())
                .isEmpty();
    }

    @Test
    void anAgentThatNamesTheProviderStandsForIt() {
        Endpoint agent =
                new Endpoint("192.0.2.7", 30000, 1, 180, List.of(BLUE), "192.0.2.7:20880", List.of(), Map.of());
        Endpoint other = new Endpoint("192.0.2.7", 30001, 1, 180, List.of(BLUE));

        assertThat(new RegistryHints(
                                "the registry",
                                listing(Map.of("a.Greeter", List.of(agent), "a.Shop", List.of(other))),
                                PROVIDER,
                                "192.0.2.7")
                        .services())
                .containsExactly(new ServiceKey("a.Greeter", "1.0", "blue"));
    }

    private static Endpoint provider(String host, int port, Variant... variants) {
        List<Variant> exported = variants.length == 0 ? List.of(Variant.NONE) : List.of(variants);
        List<DubboExport> exports = exported.stream()
                .map(variant -> new DubboExport(variant, "", "", "", "", Map.of()))
                .toList();
        return new Endpoint(host, port, 100, 180, exported, exports);
    }

    private Registry listing(Map<String, List<Endpoint>> services) {
        return new Registry() {
            @Override
            public void watch(Consumer<Directory> listener) {
                watches++;
                listener.accept(Directory.of(services));
            }

            @Override
            public Registration registration(RegistrationRequest request) {
                throw new UnsupportedOperationException();
            }

            @Override
            public long ageNs() {
                return 0;
            }

            @Override
            public void changeWeight(Collection<String> changed, HostPort endpoint, int weight) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }
}
