package io.dubbomesh.testsupport.random;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class RandomValuesTest {
    private final RandomValues random = new RandomValues(1);

    @Test
    void rangesIncludeBothBoundsAndNothingElse() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(random.between(-2, 3));
            assertThat(random.between(Long.MIN_VALUE + 1, Long.MAX_VALUE)).isNotEqualTo(Long.MIN_VALUE);
        }
        assertThat(seen).containsExactlyInAnyOrder(-2, -1, 0, 1, 2, 3);
    }

    @Test
    void numbersIncludeTheBoundsOfTheirTypes() {
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < 2000; i++) {
            seen.add(random.anyInt());
            seen.add(random.anyLong());
            double value = random.anyDouble();
            assertThat(value).isFinite();
            seen.add(value);
        }
        assertThat(seen)
                .contains(
                        0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, Double.MIN_VALUE);
    }

    @Test
    void textsAreWellFormedOfEveryLengthAndOfAllPlanes() {
        Set<Integer> lengths = new HashSet<>();
        boolean hasPair = false;
        for (int i = 0; i < 2000; i++) {
            String text = random.text(5);
            assertThat(new String(text.getBytes(UTF_8), UTF_8)).isEqualTo(text);
            lengths.add(text.codePointCount(0, text.length()));
            hasPair |= text.codePoints().anyMatch(Character::isSupplementaryCodePoint);
        }
        assertThat(lengths).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        assertThat(hasPair).isTrue();
    }

    @Test
    void charsIncludeSurrogatesWithoutTheirOtherHalf() {
        boolean found = false;
        for (int i = 0; i < 1000; i++) {
            String chars = random.chars(5);
            found |= !new String(chars.getBytes(UTF_8), UTF_8).equals(chars);
        }
        assertThat(found).isTrue();
    }

    @Test
    void cutsAscendWithinTheLength() {
        for (int i = 0; i < 100; i++) {
            int[] cuts = random.cuts(10, 3);
            assertThat(cuts).hasSize(3).isSorted();
            assertThat(Arrays.stream(cuts)).allMatch(cut -> cut >= 0 && cut <= 10);
        }
    }
}
