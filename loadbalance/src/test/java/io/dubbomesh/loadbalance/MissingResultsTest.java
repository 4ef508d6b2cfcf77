package io.dubbomesh.loadbalance;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MissingResultsTest {
    private static final long SECOND = 1_000_000_000;
    /** So many calls that the rate is one. */
    private static final int MANY = 500;

    /** The rate after eight calls without a result. */
    private static final double OF_EIGHT = 1 - Math.pow(15.0 / 16, 8);

    @Test
    void whereAllHaveAsManyTheyCountNothing() {
        MissingResults missing = new MissingResults(3);
        for (int i = 0; i < 3; i++) {
            without(missing, i, MANY, 0);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(missing.level(i, 0)).isZero();
        }
    }

    @Test
    void anEndpointThatAloneGivesNoResultsHasTheHighestLevel() {
        MissingResults missing = new MissingResults(3);
        without(missing, 0, MANY, 0);
        assertLevel(missing, 0, 0, 3 * 0.9);
        assertThat(missing.level(1, 0)).isZero();
    }

    @Test
    void aFewMayBeChance() {
        MissingResults missing = new MissingResults(2);
        without(missing, 0, 1, 0);
        assertThat(missing.level(0, 0)).isZero();
        without(missing, 0, 1, 0);
        assertThat(missing.level(0, 0)).as("nearly none").isZero();
        without(missing, 0, 1, 0);
        assertLevel(missing, 0, 0, 3 * (1 - Math.pow(15.0 / 16, 3) - 0.1));
    }

    @Test
    void whatOthersHaveCountsTwice() {
        MissingResults missing = new MissingResults(3);
        without(missing, 0, MANY, 0);
        without(missing, 1, 8, 0);
        assertLevel(missing, 0, 0, 3 * (0.9 - 2 * OF_EIGHT / 2));
        assertThat(missing.level(1, 0)).isZero();
    }

    @Test
    void fiveSecondsHalveTheLevelUntilItIsNone() {
        MissingResults missing = new MissingResults(2);
        without(missing, 0, MANY, 7 * SECOND);
        assertLevel(missing, 0, 12 * SECOND, 1.35);
        assertLevel(missing, 0, 17 * SECOND, 0.675);
        assertLevel(missing, 0, 29 * SECOND, 2.7 * Math.pow(2, -4.4));
        assertThat(missing.level(0, 32 * SECOND)).isZero();
    }

    @Test
    void aResultLowersTheRate() {
        MissingResults missing = new MissingResults(2);
        without(missing, 0, MANY, 0);
        missing.withResult(0, 5 * SECOND);
        assertLevel(missing, 0, 5 * SECOND, 3 * (15.0 / 16 - 0.1));
    }

    @Test
    void theOnlyEndpointHasNoOthersToBeComparedWith() {
        MissingResults missing = new MissingResults(1);
        without(missing, 0, MANY, 0);
        assertThat(missing.level(0, 0)).isZero();
    }

    @Test
    void anEndpointThatIsClearedCountsNeitherForItselfNorForOthers() {
        MissingResults missing = new MissingResults(2);
        without(missing, 0, MANY, 0);
        missing.clear(0);
        without(missing, 1, 8, 0);
        assertThat(missing.level(0, 0)).isZero();
        assertLevel(missing, 1, 0, 3 * (OF_EIGHT - 0.1));
    }

    @Test
    void inAChangedListThoseThatStayKeepTheirRatesAndANewOneIsLikeTheOthers() {
        MissingResults missing = new MissingResults(2);
        without(missing, 0, MANY, SECOND);
        MissingResults changed = missing.changed(new int[] {-1, 0, 1});
        assertThat(changed.level(0, SECOND)).isZero();
        assertLevel(changed, 1, SECOND, 3 * (0.9 - 2 * 0.25));
        assertLevel(changed, 1, 6 * SECOND, 3 * (0.9 - 2 * 0.25) / 2);
        assertThat(changed.level(2, SECOND)).isZero();
        without(changed, 2, MANY, SECOND);
        without(changed, 0, MANY, SECOND);
        assertThat(changed.level(1, SECOND)).isZero();
        assertThat(new MissingResults(0).changed(new int[] {-1, -1}).level(0, 0))
                .isZero();
    }

    private static void without(MissingResults missing, int index, int calls, long nowNs) {
        for (int i = 0; i < calls; i++) {
            missing.withoutResult(index, nowNs);
        }
    }

    private static void assertLevel(MissingResults missing, int index, long nowNs, double expected) {
        assertThat(missing.level(index, nowNs)).isCloseTo(expected, within(1e-9));
    }
}
