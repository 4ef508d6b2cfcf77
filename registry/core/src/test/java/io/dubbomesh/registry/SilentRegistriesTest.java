package io.dubbomesh.registry;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SilentRegistriesTest {
    @Test
    void allAreNamed() {
        assertThat(new SilentRegistries(List.of("a"))).hasToString("the registry a has not answered since the start");
        assertThat(new SilentRegistries(List.of("a", "b", "c")))
                .hasToString("the registries a and b and c have not answered since the start");
    }

    @Test
    void aDirectoryMayWaitForSomeOfTheRegistriesOnly() {
        assertThat(SilentRegistries.waitsFor(List.of("a")))
                .isEqualTo("the registry a has not answered since the start");
        assertThat(SilentRegistries.waitsFor(List.of("a", "b")))
                .isEqualTo("the registries a and b have not all answered since the start");
    }
}
