package io.dubbomesh.benchmark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NumberPropertyTest {
    private static final NumberProperty LOOPS = new NumberProperty("loops", 1, 8);

    @Test
    void aNumberInTheRangeOrTheDefaultIsTaken() {
        assertThat(LOOPS.whole(Map.of("loops", "8")::get, 2)).isEqualTo(8);
        assertThat(LOOPS.decimal(Map.of("loops", "1.5")::get, 2)).isEqualTo(1.5);
        assertThat(LOOPS.whole(Map.<String, String>of()::get, 2)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "9", "-1", "1.5", "x", "", "99999999999"})
    void anythingElseIsRefused(String value) {
        assertThatThrownBy(() -> LOOPS.whole(Map.of("loops", value)::get, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("loops: " + value + " (expected: 1-8)");
    }
}
