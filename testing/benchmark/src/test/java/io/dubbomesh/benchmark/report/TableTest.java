package io.dubbomesh.benchmark.report;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TableTest {
    @Test
    void textsStandToTheLeftAndFiguresToTheRight() {
        Table table = new Table("the title", "side | requests/s | errors");
        table.add("mesh", new Spread(9292.4, 8906, 9453), 0L);
        table.add("the other", 12.345, 1234L);
        assertThat(table).hasToString("""
                the title
                side                requests/s  errors
                mesh       9,292 (8,906-9,453)       0
                the other                 12.3   1,234
                """);
        assertThatThrownBy(() -> table.add(1)).hasMessage("1 cells (expected: 3)");
    }

    @Test
    void figuresHaveThreeDigitsAndARangeOnlyIfThereIsOne() {
        assertThat(Table.text(0.1234)).isEqualTo("0.12");
        assertThat(Table.text(99.96)).isEqualTo("100.0");
        assertThat(Table.text(1234.5)).isEqualTo("1,235");
        assertThat(Table.text(new Spread(5, 5, 5))).isEqualTo("5.00");
        assertThat(Table.text(new MedianInterval(1.01349, 0.9, 1.1))).isEqualTo("1.013 (0.900-1.100)");
        assertThat(Table.text(MedianInterval.of(List.of(1.0)))).isEqualTo("1.000 (too few rounds)");
    }

    @Test
    void theMedianIsTheMiddleOfAnOddNumberAndTheMeanOfTheTwoInTheMiddleOfAnEvenOne() {
        assertThat(Spread.of(List.of(9.0, 1.0, 3.0))).isEqualTo(new Spread(3, 1, 9));
        assertThat(Spread.of(List.of(9.0, 1.0, 3.0, 4.0))).isEqualTo(new Spread(3.5, 1, 9));
        assertThatThrownBy(() -> Spread.of(List.of())).hasMessage("no values (expected: at least one)");
    }

    @Test
    void theIntervalOfTenValuesGoesFromTheSecondToTheNinth() {
        assertThat(MedianInterval.of(shuffled(10))).isEqualTo(new MedianInterval(5.5, 2.0, 9.0));
        assertThat(MedianInterval.of(shuffled(6))).isEqualTo(new MedianInterval(3.5, 1.0, 6.0));
        assertThat(MedianInterval.of(shuffled(5)).low()).isNull();
        // 98 is 1.96 times the standard deviation of the number of values below the median.
        assertThat(MedianInterval.of(shuffled(10_001)).low()).isBetween(4901.0, 4904.0);
    }

    private static List<Double> shuffled(int values) {
        List<Double> list = new ArrayList<>(
                IntStream.rangeClosed(1, values).mapToObj(i -> (double) i).toList());
        Collections.shuffle(list);
        return list;
    }
}
