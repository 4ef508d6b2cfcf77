package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class ProviderTimeoutsTest {
    private static final Variant BLUE = new Variant("2.0.0", "blue");

    private static DubboExport export(Variant variant, Map<String, String> parameters) {
        return new DubboExport(variant, "greeter", "", "", "", parameters);
    }

    private static Endpoint endpoint(String host, DubboExport... exports) {
        List<Variant> variants =
                Arrays.stream(exports).map(DubboExport::variant).toList();
        return new Endpoint(host, 20880, 100, 180, variants, List.of(exports));
    }

    private static ProviderTimeouts of(Map<String, String> parameters) {
        return ProviderTimeouts.of(List.of(endpoint("192.0.2.7", export(Variant.NONE, parameters))), "", "");
    }

    @Test
    void providersWithoutOneHaveNone() {
        assertThat(of(Map.of("weight", "200")).timeoutMs("greet")).isZero();
        assertThat(ProviderTimeouts.of(List.of(endpoint("192.0.2.7")), "", "")).isSameAs(ProviderTimeouts.NONE);
    }

    @Test
    void thatOfTheMethodComesBeforeThatOfTheServiceAndThatBeforeThatOfTheProvider() {
        Map<String, String> all = Map.of("slow.timeout", "20000", "timeout", "15000", "default.timeout", "3000");
        assertThat(of(all).timeoutMs("slow")).isEqualTo(20_000);
        assertThat(of(all).timeoutMs("greet")).isEqualTo(15_000);
        assertThat(of(Map.of("default.timeout", "3000")).timeoutMs("greet")).isEqualTo(3000);
        assertThat(of(Map.of("default.timeout", "3000")).timeoutMs("default")).isEqualTo(3000);
    }

    @Test
    void whatIsNoTimeIsNone() {
        for (String text : List.of("0", "-1", "soon", "", "99999999999")) {
            assertThat(of(Map.of("timeout", text, "slow.timeout", text)).timeoutMs("slow"))
                    .as(text)
                    .isZero();
        }
    }

    @Test
    void ofSeveralProvidersTheLongestCounts() {
        ProviderTimeouts timeouts = ProviderTimeouts.of(
                List.of(
                        endpoint("192.0.2.7", export(Variant.NONE, Map.of("timeout", "2000", "slow.timeout", "9000"))),
                        endpoint("192.0.2.8", export(Variant.NONE, Map.of("timeout", "12000"))),
                        endpoint("192.0.2.9", export(Variant.NONE, Map.of()))),
                "",
                "");
        assertThat(timeouts.timeoutMs("greet")).isEqualTo(12_000);
        assertThat(timeouts.timeoutMs("slow")).isEqualTo(12_000);
    }

    @Test
    void eachVariantHasItsOwn() {
        List<Endpoint> endpoints = List.of(endpoint(
                "192.0.2.7", export(Variant.NONE, Map.of("timeout", "2000")), export(BLUE, Map.of("timeout", "8000"))));
        assertThat(ProviderTimeouts.of(endpoints, "", "").timeoutMs("greet")).isEqualTo(2000);
        assertThat(ProviderTimeouts.of(endpoints, "2.0.0", "blue").timeoutMs("greet"))
                .isEqualTo(8000);
    }

    @Test
    void aProviderAgentTellsThoseOfItsProvider() {
        Endpoint agent = new Endpoint(
                "192.0.2.7",
                30000,
                1,
                180,
                List.of(Variant.NONE, BLUE),
                "",
                List.of(),
                Map.of(BLUE, Map.of("timeout", "15000", "slow.timeout", "20000")));
        assertThat(ProviderTimeouts.of(List.of(agent), "2.0.0", "blue").timeoutMs("slow"))
                .isEqualTo(20_000);
        assertThat(ProviderTimeouts.of(List.of(agent), "2.0.0", "blue").timeoutMs("greet"))
                .isEqualTo(15_000);
        assertThat(ProviderTimeouts.of(List.of(agent), "", "")).isSameAs(ProviderTimeouts.NONE);
    }
}
