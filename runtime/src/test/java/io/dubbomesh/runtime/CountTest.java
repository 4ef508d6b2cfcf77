package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CountTest {
    @Test
    void onlyOneIsNotPlural() {
        assertThat(Count.of(0, "link")).isEqualTo("0 links");
        assertThat(Count.of(1, "link")).isEqualTo("1 link");
        assertThat(Count.of(2, "link")).isEqualTo("2 links");
    }
}
