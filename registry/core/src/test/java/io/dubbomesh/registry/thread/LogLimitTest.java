package io.dubbomesh.registry.thread;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class LogLimitTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long START_NS = Long.MAX_VALUE - 7;

    private final LogLimit limit = new LogLimit(2);

    @Test
    void soManyLinesAreLoggedInEachMinute() {
        assertThat(limit.tryLog(START_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + 1)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS - 1)).isFalse();

        assertThat(limit.leftOut(START_NS + MINUTE_NS)).isOne();
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isFalse();
    }

    @Test
    void aMinuteBeginsWithItsFirstLine() {
        assertThat(limit.tryLog(START_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS + 1)).isTrue();
        assertThat(limit.tryLog(START_NS + 2 * MINUTE_NS - 1)).isFalse();
    }

    @Test
    void linesAreLoggedInTheNextMinuteEvenIfNobodyAsksWhatWasLeftOut() {
        for (int i = 0; i < 5; i++) {
            limit.tryLog(START_NS);
        }
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isTrue();
        assertThat(limit.tryLog(START_NS + MINUTE_NS)).isFalse();
        assertThat(limit.leftOut(START_NS + MINUTE_NS))
                .as("of the first minute")
                .isEqualTo(3);
        assertThat(limit.leftOut(START_NS + 2 * MINUTE_NS)).isOne();
    }

    @Test
    void theLinesLeftOutAreToldOnceWhenTheMinuteIsOver() {
        for (int i = 0; i < 5; i++) {
            limit.tryLog(START_NS);
        }
        assertThat(limit.leftOut(START_NS + MINUTE_NS - 1)).isZero();
        assertThat(limit.leftOut(START_NS + MINUTE_NS)).isEqualTo(3);
        assertThat(limit.leftOut(START_NS + MINUTE_NS)).isZero();
    }
}
