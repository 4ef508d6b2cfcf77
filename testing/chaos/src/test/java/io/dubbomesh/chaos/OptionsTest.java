package io.dubbomesh.chaos;

import io.dubbomesh.chaos.row.Row;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OptionsTest {
    private static final List<Row> CATALOGUE = Catalogue.rows(10);

    @Test
    void namedRowsRunInTheirOrder() {
        assertThat(selected("o2", "F1")).containsExactly("F1", "O2");
    }

    @Test
    void aRowByTripleIsNamedLikeTheOtherOne() {
        assertThat(selected("f1-TRI", "p1-tri")).containsExactly("F1-tri", "P1-tri");
    }

    @Test
    void withoutANameAllRowsRun() {
        assertThat(selected()).hasSize(CATALOGUE.size());
    }

    @Test
    void quickRowsAreBrief() {
        Options options = Options.parse(List.of("--quick"));
        assertThat(options.brief()).isTrue();
        assertThat(options.select(CATALOGUE)).allMatch(Row::quick);
    }

    @Test
    void anUnknownRowIsAnError() {
        assertThatThrownBy(() -> selected("F99"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("F99 (expected: one of H1 H2 H3 ");
    }

    @Test
    void aSoakHasAtLeastTwoMinutes() {
        assertThatThrownBy(() -> Options.parse(List.of("--minutes", "1")))
                .hasMessage("--minutes: 1 (expected: 2-1440)");
    }

    private static List<String> selected(String... arguments) {
        return Options.parse(List.of(arguments)).select(CATALOGUE).stream()
                .map(Row::id)
                .toList();
    }
}
