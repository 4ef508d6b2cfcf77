package io.dubbomesh.benchmark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IntegerPropertyTest {
    private static final IntegerProperty LOOPS = new IntegerProperty("loops", 1, 8);

    @Test
    void takesTheDefaultWhenNothingIsGiven() {
        assertThat(LOOPS.in(Map.<String, String>of()::get, 2)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "8"})
    void takesWhatIsInRange(String value) {
        assertThat(LOOPS.in(Map.of("loops", value)::get, 2)).isEqualTo(Integer.parseInt(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "9", "-1", "1.5", "x", "", "99999999999"})
    void refusesAnythingElseAndSaysWhatItWants(String value) {
        assertThatThrownBy(() -> LOOPS.in(Map.of("loops", value)::get, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("loops: " + value + " (expected: 1-8)");
    }
}
