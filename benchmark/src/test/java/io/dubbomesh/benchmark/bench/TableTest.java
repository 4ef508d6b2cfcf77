package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TableTest {
    @Test
    void setsTextsToTheLeftAndFiguresToTheRight() {
        Table table = new Table("the title", "side", "requests/s", "errors");
        table.add("mesh", new Spread(9292.4, 8906, 9453), 0L);
        table.add("the floor", 12.345, 1234L);

        assertThat(table).hasToString("""
                the title
                side                requests/s  errors
                mesh       9,292 (8,906-9,453)       0
                the floor                 12.3   1,234
                """);
    }

    @Test
    void givesThreeDigitsAndNoRangeWhereThereIsNone() {
        assertThat(Table.text(0.1234)).isEqualTo("0.12");
        assertThat(Table.text(99.96)).isEqualTo("100.0");
        assertThat(Table.text(1234.5)).isEqualTo("1,235");
        assertThat(Table.text(new Spread(5, 5, 5))).isEqualTo("5.00");
    }

    @Test
    void wantsACellForEachColumn() {
        assertThatThrownBy(() -> new Table("t", "a", "b").add(1)).hasMessage("1 cells (expected: 2)");
    }
}
