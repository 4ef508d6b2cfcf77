package io.dubbomesh.consumer.upstream.directory;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubsetSizeTest {
    private static final long SECOND = 1_000_000_000;

    private final SubsetSize size = new SubsetSize(20);

    @Test
    void anotherEndpointComesForEachThatTakesNoCalls() {
        assertThat(size.adjust(20, 20, 100, 0)).isFalse();
        assertThat(size.adjust(20, 18, 100, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(22);
        assertThat(size.adjust(22, 20, 100, 0)).isFalse();
        assertThat(size.adjust(22, 19, 100, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(23);
    }

    @Test
    void whenTheyTakeCallsAgainTheOthersGoAfterAWhile() {
        size.adjust(20, 15, 100, 0);
        assertThat(size.adjust(25, 23, 100, SECOND)).isFalse();
        assertThat(size.adjust(25, 25, 100, 10 * SECOND)).isFalse();
        assertThat(size.adjust(25, 25, 100, 11 * SECOND)).isTrue();
        assertThat(size.wanted()).isEqualTo(20);
    }

    @Test
    void oneThatComesAndGoesChangesNothing() {
        size.adjust(20, 19, 100, 0);
        for (int i = 1; i < 20; i++) {
            assertThat(size.adjust(21, 20 + i % 2, 100, 8 * i * SECOND)).isFalse();
        }
        assertThat(size.wanted()).isEqualTo(21);
    }

    @Test
    void whereNoneTakesCallsOnlyAsManyAgainAreTried() {
        assertThat(size.adjust(20, 0, 1000, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(40);
        assertThat(size.adjust(40, 0, 1000, 0)).isFalse();
        assertThat(size.adjust(40, 1, 1000, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(59);
    }

    @Test
    void thereAreNotMoreThanThereAre() {
        assertThat(size.adjust(20, 10, 25, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(25);
        assertThat(size.adjust(25, 10, 25, 0)).isFalse();
    }
}
