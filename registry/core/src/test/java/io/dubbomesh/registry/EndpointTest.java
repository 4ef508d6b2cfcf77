package io.dubbomesh.registry;

import org.junit.jupiter.api.Test;

import java.util.List;

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
}
