package io.dubbomesh.consumer.health;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class SlowStartTest {
    private static final long START = -123;

    private final SlowStart slowStart = new SlowStart(TimeUnit.SECONDS.toNanos(10));

    @Test
    void theWeightGrowsFromATenthToTheWholeInAStraightLine() {
        assertThat(partAfterMs(0)).isEqualTo(10);
        assertThat(partAfterMs(1000)).isEqualTo(19);
        assertThat(partAfterMs(5000)).isEqualTo(55);
        assertThat(partAfterMs(9999)).isEqualTo(99);
        assertThat(partAfterMs(10_000)).isEqualTo(100);
        assertThat(partAfterMs(1_000_000)).isEqualTo(100);
    }

    @Test
    void aTimeBeforeTheStartHasTheFirstPart() {
        assertThat(partAfterMs(-1)).isEqualTo(10);
    }

    @Test
    void withoutSlowStartTheWeightIsWholeAtOnce() {
        assertThat(new SlowStart(0).part(START, START)).isEqualTo(100);
    }

    private int partAfterMs(long ms) {
        return slowStart.part(START, START + TimeUnit.MILLISECONDS.toNanos(ms));
    }
}
