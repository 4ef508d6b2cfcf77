package io.dubbomesh.registry;

import io.dubbomesh.registry.merged.MergedDirectory;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class DirectoryTest {
    @Test
    void foreignInstancesAreThoseOfAllRegistriesByAddress() {
        Directory first = Directory.of(Map.of("a.First", List.of(provider("192.0.2.1", "tri"), agent("192.0.2.3"))))
                .withUnknown(UnknownExports.NONE, Set.of(provider("192.0.2.1", "rest")));
        Directory second = Directory.of(Map.of("a.Second", List.of(provider("192.0.2.1", null))))
                .withUnknown(UnknownExports.NONE, Set.of(provider("192.0.2.4", "rest")));
        Directory both = new MergedDirectory().of(List.of(first, second));

        assertThat(both.foreign()).containsOnlyKeys("192.0.2.1:20880", "192.0.2.4:20880");
        assertThat(both.byAddress())
                .containsOnlyKeys("192.0.2.1:20880", "tri://192.0.2.1:20880", "192.0.2.3:30000", "192.0.2.4:20880");
    }

    private static Endpoint agent(String host) {
        return new Endpoint(host, 30000, 1, 180, List.of());
    }

    private static Endpoint provider(String host, String protocol) {
        Map<String, String> parameters = protocol == null ? Map.of() : Map.of(DubboExport.PROTOCOL, protocol);
        return new Endpoint(
                host,
                20880,
                100,
                180,
                List.of(Variant.NONE),
                List.of(new DubboExport(Variant.NONE, "greeter", "", "", "", parameters)));
    }
}
