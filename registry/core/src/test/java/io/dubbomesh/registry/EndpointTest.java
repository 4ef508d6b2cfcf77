package io.dubbomesh.registry;

import io.dubbomesh.testsupport.equality.RecordEquality;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointTest {
    @Test
    void anEndpointServesTheVariantsItNames() {
        Endpoint endpoint =
                new Endpoint("192.0.2.7", 1, 1, 1, List.of(new Variant("1.0", "a"), new Variant("0.0.0", "")));

        assertThat(endpoint.serves("1.0", "a")).isTrue();
        assertThat(endpoint.serves("", "")).isTrue();
        assertThat(endpoint.serves("0.0.0", "")).isTrue();
        assertThat(endpoint.serves("1.0", "")).isFalse();
        assertThat(endpoint.serves("", "a")).isFalse();
        assertThat(endpoint.serves("*", "a,b")).isTrue();
        assertThat(endpoint.serves("2.0", "*")).isFalse();
    }

    @Test
    void aDubboProviderIsInTheZoneThatItsParametersName() {
        assertThat(zone(Map.of("zone", "north", "region", "eu"))).isEqualTo("north");
        assertThat(zone(Map.of("region", "eu"))).isEqualTo("eu");
        assertThat(zone(Map.of("zone", "", "region", "eu"))).isEqualTo("eu");
        assertThat(zone(Map.of("zone", "no name", "region", "eu"))).isEmpty();
        assertThat(zone(Map.of())).isEmpty();
    }

    @Test
    void anEndpointWithAnotherWeightIsInTheSameZone() {
        Endpoint endpoint = new Endpoint("192.0.2.7", 1, 1, 1, List.of()).withZone("north");

        assertThat(endpoint.withWeight(2).zone()).isEqualTo("north");
    }

    private static String zone(Map<String, String> parameters) {
        DubboExport export = new DubboExport(Variant.NONE, "", "", "", "", parameters);
        return new Endpoint("192.0.2.7", 1, 1, 1, List.of(), List.of(export)).zone();
    }

    @Test
    void everyComponentCountsInAComparison() throws Exception {
        Variant variant = new Variant("1.0", "red");
        Map<Variant, Map<String, String>> timeouts = Map.of(variant, Map.of("timeout", "3000"));
        DubboExport export = new DubboExport(variant, "", "", "", "", Map.of());
        RecordEquality.check(new Endpoint(
                "192.0.2.7", 1, 2, 3, List.of(variant), "192.0.2.7:4", List.of(export), timeouts, "north", 5));
    }
}
