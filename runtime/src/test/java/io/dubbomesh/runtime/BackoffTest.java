package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTest {
    @Test
    void pausesDoubleUpToTheLongestAndStartOverWhenReset() {
        Backoff backoff = new Backoff(100, 1_000);
        for (int expected : new int[] {100, 200, 400, 800, 1_000, 1_000}) {
            assertThat(backoff.nextMs()).isBetween(expected / 2L, (long) expected);
        }
        backoff.reset();
        assertThat(backoff.nextMs()).isBetween(50L, 100L);
    }
}
