package io.dubbomesh.chaos.row;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FiguresTest {
    private final Figures figures = new Figures();

    @Test
    void figuresAsWantedPass() {
        figures.atMost("s until told", 2.345, 3)
                .atLeast("good", 7, 7)
                .none("lost", 0)
                .note("200: 7");
        assertThat(figures.passed()).isTrue();
        assertThat(figures).hasToString("s until told 2.35; good 7; lost 0; 200: 7");
    }

    @Test
    void oneOtherFigureFailsTheRowAndIsMarked() {
        figures.none("lost", 1).atMost("failed", 0, 10);
        assertThat(figures.passed()).isFalse();
        assertThat(figures).hasToString("**lost 1** (wanted: 0); failed 0");
    }

    @Test
    void aRowThatMeasuredNothingHasFailed() {
        assertThat(figures.passed()).isFalse();
    }

    @Test
    void whatIsNoNumberIsNotAsWanted() {
        figures.atMost("p99 ms", Double.NaN, 10);
        assertThat(figures.passed()).isFalse();
    }
}
