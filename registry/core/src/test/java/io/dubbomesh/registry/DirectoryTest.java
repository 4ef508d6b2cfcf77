package io.dubbomesh.registry;

import io.dubbomesh.registry.merged.MergedDirectory;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class DirectoryTest {
    @Test
    void anEndpointOfAProtocolThatNoAgentCallsIsForeign() {
        Directory directory = Directory.of(Map.of(
                        "a.First",
                        List.of(provider("192.0.2.1", "tri"), provider("192.0.2.2", "tri"), agent("192.0.2.3")),
                        "a.Second",
                        List.of(provider("192.0.2.2", null))))
                .withUnknown(UnknownExports.NONE, Set.of(provider("192.0.2.4", "tri")));

        assertThat(directory.foreign())
                .containsOnlyKeys("tri://192.0.2.1:20880", "tri://192.0.2.2:20880", "tri://192.0.2.4:20880");
        assertThat(directory.byAddress()).hasSize(5);
        assertThat(directory.services()).containsExactlyInAnyOrder("a.First", "a.Second");
    }

    @Test
    void foreignInstancesOfAllRegistriesAreMerged() {
        Directory first = Directory.of(Map.of())
                .withUnknown(UnknownExports.NONE, Set.of(provider("192.0.2.1", "tri"), provider("192.0.2.2", "tri")));
        Directory second = Directory.of(Map.of("a.Second", List.of(provider("192.0.2.2", null))))
                .withUnknown(UnknownExports.NONE, Set.of(provider("192.0.2.3", "tri")));

        assertThat(new MergedDirectory().of(List.of(first, second)).foreign())
                .containsOnlyKeys("tri://192.0.2.1:20880", "tri://192.0.2.2:20880", "tri://192.0.2.3:20880");
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
