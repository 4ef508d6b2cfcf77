package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SpreadTest {
    @Test
    void isTheMiddleOfAnOddNumberAndTheMeanOfTheTwoInTheMiddleOfAnEvenOne() {
        assertThat(Spread.of(List.of(9.0, 1.0, 3.0))).isEqualTo(new Spread(3, 1, 9));
        assertThat(Spread.of(List.of(9.0, 1.0, 3.0, 4.0))).isEqualTo(new Spread(3.5, 1, 9));
        assertThat(Spread.of(List.of(2.0))).isEqualTo(new Spread(2, 2, 2));
    }

    @Test
    void wantsAValue() {
        assertThatThrownBy(() -> Spread.of(List.of())).hasMessage("no values (expected: at least one)");
    }

    @Test
    void threeSlicesInARowWithinFivePerCentAreSteady() {
        assertThat(Comparison.isSteady(List.of(10.0, 10.0))).isFalse();
        assertThat(Comparison.isSteady(List.of(10.0, 10.2, 10.5))).isTrue();
        assertThat(Comparison.isSteady(List.of(10.0, 10.2, 10.6))).isFalse();
        assertThat(Comparison.isSteady(List.of(50.0, 20.0, 10.5, 10.0, 10.2))).isTrue();
        assertThat(Comparison.isSteady(List.of(10.0, 10.0, 10.0, 20.0))).isFalse();
    }
}
