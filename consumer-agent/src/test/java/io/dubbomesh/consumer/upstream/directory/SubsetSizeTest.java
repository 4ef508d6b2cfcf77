package io.dubbomesh.consumer.upstream.directory;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubsetSizeTest {
    private static final long SECOND = 1_000_000_000;

    private final SubsetSize size = new SubsetSize(20);

    @Test
    void anotherEndpointComesForEachThatTakesNoCalls() {
        assertThat(adjust(20, 20, 100, 0)).isFalse();
        assertThat(adjust(20, 18, 100, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(22);
        assertThat(adjust(22, 20, 100, 0)).isFalse();
        assertThat(adjust(22, 19, 100, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(23);
    }

    @Test
    void whenTheyTakeCallsAgainTheOthersGoAfterAWhile() {
        adjust(20, 15, 100, 0);
        assertThat(adjust(25, 23, 100, SECOND)).isFalse();
        assertThat(adjust(25, 25, 100, 10 * SECOND)).isFalse();
        assertThat(adjust(25, 25, 100, 11 * SECOND)).isTrue();
        assertThat(size.wanted()).isEqualTo(20);
    }

    @Test
    void oneThatComesAndGoesChangesNothing() {
        adjust(20, 19, 100, 0);
        for (int i = 1; i < 20; i++) {
            assertThat(adjust(21, 20 + i % 2, 100, 8 * i * SECOND)).isFalse();
        }
        assertThat(size.wanted()).isEqualTo(21);
    }

    @Test
    void whereNoneTakesCallsOnlyAsManyAgainAreTried() {
        assertThat(adjust(20, 0, 1000, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(40);
        assertThat(adjust(40, 0, 1000, 0)).isFalse();
        assertThat(adjust(40, 1, 1000, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(59);
    }

    @Test
    void thereAreNotMoreThanThereAre() {
        assertThat(adjust(20, 10, 25, 0)).isTrue();
        assertThat(size.wanted()).isEqualTo(25);
        assertThat(adjust(25, 10, 25, 0)).isFalse();
    }

    @Test
    void replacementsComeFromWhereEndpointsTakeCalls() {
        size.adjust(new SubsetSize.Members(20, 16, 12), 100, 0);
        assertThat(size.replacementsInZone())
                .as("three quarters are in the zone")
                .isEqualTo(3);
        size.adjust(new SubsetSize.Members(24, 8, 0), 100, 0);
        assertThat(size.wanted()).isEqualTo(36);
        assertThat(size.replacementsInZone()).as("the zone is down").isEqualTo(3);
        size.adjust(new SubsetSize.Members(36, 18, 18), 100, 0);
        assertThat(size.replacementsInZone()).as("the others are down").isEqualTo(5);

        size.adjust(new SubsetSize.Members(38, 38, 20), 100, SECOND);
        size.adjust(new SubsetSize.Members(38, 38, 20), 100, 12 * SECOND);
        assertThat(size.wanted()).isEqualTo(20);
        assertThat(size.replacementsInZone()).isZero();
    }

    private boolean adjust(int members, int usable, int candidates, long nowNs) {
        return size.adjust(new SubsetSize.Members(members, usable, 0), candidates, nowNs);
    }
}
