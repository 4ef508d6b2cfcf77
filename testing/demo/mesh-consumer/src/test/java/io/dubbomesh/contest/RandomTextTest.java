package io.dubbomesh.contest;

import org.junit.jupiter.api.Test;

import java.util.BitSet;

import static org.assertj.core.api.Assertions.assertThat;

class RandomTextTest {
    @Test
    void textsHaveEveryLengthFrom0To1023() {
        RandomText texts = new RandomText();
        BitSet lengths = new BitSet();
        for (int i = 0; i < 20_000; i++) {
            lengths.set(texts.next().length());
        }
        assertThat(lengths.nextClearBit(0)).isEqualTo(1024);
        assertThat(lengths.length()).isEqualTo(1024);
    }

    @Test
    void eachTextDiffers() {
        assertThat(new RandomText().next()).isNotEqualTo(new RandomText().next());
    }
}
