package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogRateTest {
    private final LogRate rate = new LogRate(3, 10);

    @Test
    void soManyLinesAreLoggedInEachInterval() {
        int lines = 0;
        for (long nowNs = 0; nowNs < 1_000; nowNs++) {
            lines += rate.admits(nowNs) ? 1 : 0;
        }
        assertThat(lines).isEqualTo(300);
    }

    @Test
    void whatWasLeftOutIsToldWithTheNextLine() {
        for (int i = 0; i < 3; i++) {
            assertThat(rate.admits(5)).isTrue();
            assertThat(rate.leftOut()).isEmpty();
        }
        assertThat(rate.admits(6)).isFalse();
        assertThat(rate.admits(14)).isFalse();

        assertThat(rate.admits(15)).isTrue();
        assertThat(rate.leftOut()).isEqualTo(" (and 2 more before)");
        assertThat(rate.leftOut()).isEmpty();
    }
}
