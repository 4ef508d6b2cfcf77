package io.dubbomesh.loadbalance.estimate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class RecentQuantileTest {
    private static final int NUMBERS = 128;

    @Test
    void isEmptyUntilANumberIsAdded() {
        RecentQuantile quantile = new RecentQuantile(0.75);
        assertThat(quantile.isEmpty()).isTrue();

        quantile.add(3);

        assertThat(quantile.isEmpty()).isFalse();
    }

    @Test
    void wholeNumbersUpTo31AreExact() {
        for (int number = 0; number < 32; number++) {
            RecentQuantile quantile = new RecentQuantile(0.75);
            quantile.add(number);

            assertThat(quantile.isBelow(number + 0.49)).isFalse();
            assertThat(quantile.isBelow(number + 0.5)).isTrue();
        }
    }

    @Test
    void largerNumbersAreExactToAQuarter() {
        for (double number = 32; number < 1e8; number *= 1.03) {
            RecentQuantile quantile = new RecentQuantile(0.75);
            quantile.add(number);

            assertThat(quantile.isBelow(number)).isFalse();
            assertThat(quantile.isBelow(number * 1.25)).isTrue();
        }
    }

    @Test
    void numbersBeyondAllClassesAreInTheLast() {
        RecentQuantile quantile = new RecentQuantile(0.75);
        quantile.add(Double.MAX_VALUE);

        assertThat(quantile.isBelow(Double.MAX_VALUE)).isFalse();
    }

    /** The class that follows each number is the one that counting all of the last numbers would find. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 0.75, 1})
    void followsTheQuantileOfTheLastNumbers(double part) {
        SplittableRandom random = new SplittableRandom(1);
        RecentQuantile quantile = new RecentQuantile(part);
        ArrayDeque<Integer> last = new ArrayDeque<>();
        for (int i = 0; i < 5_000; i++) {
            int number = random.nextInt(i % 1_000 < 300 ? 3 : 31);
            quantile.add(number);
            last.add(number);
            if (last.size() > NUMBERS) {
                last.remove();
            }

            double wanted = last.size() * part;
            int expected = 0;
            while (atMost(last, expected) < wanted) {
                expected++;
            }
            assertThat(quantile.isBelow(expected)).as("after %s", i).isFalse();
            assertThat(quantile.isBelow(expected + 1)).as("after %s", i).isTrue();
        }
    }

    private static long atMost(ArrayDeque<Integer> numbers, int most) {
        return numbers.stream().filter(number -> number <= most).count();
    }
}
