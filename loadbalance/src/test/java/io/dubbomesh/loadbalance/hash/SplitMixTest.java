package io.dubbomesh.loadbalance.hash;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class SplitMixTest {
    @Test
    void theNumbersAreThoseOfSplitMix64() {
        assertThat(SplitMix.number(0, 0)).isEqualTo(0xe220a8397b1dcdafL);
        assertThat(SplitMix.number(0, 1)).isEqualTo(0x6e789e6aa1b965f4L);
        SplittableRandom random = new SplittableRandom(-7);
        for (int place = 0; place < 100; place++) {
            assertThat(SplitMix.number(-7, place)).isEqualTo(random.nextLong());
        }
    }

    @Test
    void fractionsAreFromZeroToBelowOne() {
        assertThat(SplitMix.fraction(0)).isZero();
        assertThat(SplitMix.fraction(Long.MIN_VALUE)).isEqualTo(0.5);
        assertThat(SplitMix.fraction(-1)).isEqualTo(Math.nextDown(1.0));
    }
}
