package io.dubbomesh.benchmark.client;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ScheduleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void callsOfAStepHaveEqualDistancesFromItsBeginningOn() {
        assertThat(ms(Schedule.constant(4, SECOND))).containsExactly(0.0, 250.0, 500.0, 750.0);
    }

    @Test
    void aRateThatDoesNotDivideTheTimeKeepsItsPlaceOverManyCalls() {
        List<Double> ms = ms(Schedule.constant(3, Duration.ofSeconds(1000)));
        assertThat(ms).hasSize(3000);
        assertThat(ms.get(2998)).isEqualTo(999_333.333333);
        assertThat(ms.get(2999)).isEqualTo(999_666.666667);
    }

    @Test
    void aStepBeginsWhenTheOneBeforeEnds() {
        Schedule schedule =
                Schedule.constant(2, SECOND).then(10, Duration.ofMillis(200)).then(1, SECOND);
        assertThat(ms(schedule)).containsExactly(0.0, 500.0, 1000.0, 1100.0, 1200.0);
        assertThat(schedule.duration()).isEqualTo(Duration.ofMillis(2200));
    }

    @Test
    void burstsComeAtTheEndOfEachPeriod() {
        Schedule schedule = Schedule.bursts(2, 20, Duration.ofMillis(100), SECOND, 2);
        assertThat(ms(schedule)).containsExactly(0.0, 500.0, 900.0, 950.0, 1000.0, 1500.0, 1900.0, 1950.0);
    }

    @Test
    void callsAtRandomTimesHaveTheirRateAndComeTogetherNowAndThen() {
        List<Double> ms = ms(Schedule.random(1000, Duration.ofSeconds(20), 1));
        assertThat(ms.size()).isBetween(19_500, 20_500);
        assertThat(ms.get(ms.size() - 1)).isBetween(19_900.0, 20_000.0);
        assertThat(IntStream.range(1, ms.size())
                        .filter(i -> ms.get(i) - ms.get(i - 1) < 0.1)
                        .count())
                .isBetween(1600L, 2200L);
    }

    @Test
    void aStepWithoutRateOrTimeIsRefused() {
        assertThatThrownBy(() -> Schedule.constant(0, SECOND)).hasMessageContaining("expected: both greater than 0");
        assertThatThrownBy(() -> Schedule.constant(Double.NaN, SECOND)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Schedule.constant(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Schedule(List.of())).hasMessageContaining("no steps");
    }

    private static List<Double> ms(Schedule schedule) {
        List<Double> ms = new ArrayList<>();
        Schedule.Cursor cursor = schedule.cursor();
        for (long ns = cursor.nextNs(); ns >= 0; ns = cursor.nextNs()) {
            ms.add(ns / 1e6);
            cursor.advance();
        }
        return ms;
    }
}
