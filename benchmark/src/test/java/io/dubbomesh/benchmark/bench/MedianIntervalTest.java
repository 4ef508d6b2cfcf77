package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class MedianIntervalTest {
    /** Of 1, 2, 3 ... n: ranks that stand in tables of the sign test. */
    @ParameterizedTest
    @CsvSource({
        "6, 3.5, 1, 6",
        "8, 4.5, 1, 8",
        "9, 5, 2, 8",
        "10, 5.5, 2, 9",
        "12, 6.5, 3, 10",
        "20, 10.5, 6, 15",
        "25, 13, 8, 18",
        "100, 50.5, 40, 61",
    })
    void liesBetweenTheseRanks(int values, double median, double low, double high) {
        assertThat(MedianInterval.of(shuffled(values))).isEqualTo(new MedianInterval(median, low, high));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void isUnknownForTooFewValues(int values) {
        MedianInterval interval = MedianInterval.of(shuffled(values));

        assertThat(interval.median()).isEqualTo((values + 1) / 2.0);
        assertThat(interval.isKnown()).isFalse();
    }

    @Test
    void isFoundForManyValuesToo() {
        MedianInterval interval = MedianInterval.of(shuffled(10_001));

        // 98 is 1.96 times the standard deviation of the number of values below the median.
        assertThat(interval.low()).isBetween(4901.0, 4904.0);
        assertThat(interval.high()).isEqualTo(10_002 - interval.low());
    }

    @Test
    void holdsTheTrueMedianAsOftenAsItSays() {
        Random random = new Random(42);
        int held = 0;
        for (int i = 0; i < 10_000; i++) {
            // Lopsided, with the median ln 2.
            List<Double> values = DoubleStream.generate(() -> -Math.log(1 - random.nextDouble()))
                    .limit(10)
                    .boxed()
                    .toList();
            MedianInterval interval = MedianInterval.of(values);
            held += interval.low() <= Math.log(2) && Math.log(2) <= interval.high() ? 1 : 0;
        }
        assertThat(held / 10_000.0).isBetween(0.974, 0.984);
    }

    @Test
    void isWrittenWithThreeDecimals() {
        assertThat(Table.text(new MedianInterval(1.01349, 0.9, 1.1))).isEqualTo("1.013 (0.900-1.100)");
        assertThat(Table.text(MedianInterval.of(List.of(1.0)))).isEqualTo("1.000 (too few rounds)");
    }

    private static List<Double> shuffled(int values) {
        List<Double> list = new ArrayList<>(
                IntStream.rangeClosed(1, values).mapToObj(i -> (double) i).toList());
        Collections.shuffle(list, new Random(values));
        return list;
    }
}
