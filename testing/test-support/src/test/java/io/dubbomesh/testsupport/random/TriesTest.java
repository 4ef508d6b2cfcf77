package io.dubbomesh.testsupport.random;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TriesTest {
    @Test
    void everyTryHasValuesOfItsOwn() {
        List<Long> values = new ArrayList<>();

        Tries.run(1000, 7, random -> values.add(random.random().nextLong()));

        assertThat(values).hasSize(1000);
        assertThat(new HashSet<>(values)).hasSize(1000);
    }

    @Test
    void theSeedOfAFailureRepeatsTheTryThatFailed() {
        List<Long> values = new ArrayList<>();
        assertThatThrownBy(() -> Tries.run(10, 7, random -> {
                    values.add(random.random().nextLong());
                    assertThat(values).hasSizeLessThan(3);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("try 3 of 10, again with -Dtest.seed=4354685564936845361: ")
                .hasCauseInstanceOf(AssertionError.class);

        Tries.run(
                1,
                4354685564936845361L,
                random -> assertThat(random.random().nextLong()).isEqualTo(values.get(2)));
    }
}
