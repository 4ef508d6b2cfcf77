package io.dubbomesh.loadbalance.hash;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The seeds are fixed: what holds here holds each time. */
class SlotTableTest {
    private static final int SLOTS = HashParameters.DEFAULT.slots();
    private static final int KEYS = 100_000;

    private static long[] identities(int size) {
        return new SplittableRandom(3).longs(size).toArray();
    }

    private static int[] alike(int size) {
        int[] weights = new int[size];
        Arrays.fill(weights, 1);
        return weights;
    }

    /** Returns the identity of the endpoint that each of many keys belongs to. */
    private static long[] owners(long[] identities, int[] weights, int slots) {
        SlotTable table = SlotTable.of(identities, weights, slots);
        SplittableRandom keys = new SplittableRandom(5);
        long[] owners = new long[KEYS];
        Arrays.setAll(owners, key -> identities[table.owner(keys.nextLong(), 0)]);
        return owners;
    }

    private static double part(long[] owners, long identity) {
        return Arrays.stream(owners).filter(owner -> owner == identity).count() / (double) KEYS;
    }

    @ParameterizedTest
    @CsvSource({"1, 0.0", "3, 0.06", "20, 0.18", "100, 0.45"})
    void anEndpointOfTwiceTheWeightOwnsTwiceTheKeys(int size, double within) {
        long[] identities = identities(size);
        int[] weights = new int[size];
        Arrays.setAll(weights, i -> i % 2 == 0 ? 100 : 200);
        double sum = Arrays.stream(weights).sum();

        long[] owners = owners(identities, weights, SLOTS);

        for (int i = 0; i < size; i++) {
            // Five standard deviations of the slots and of the keys.
            assertThat(part(owners, identities[i]) * sum / weights[i])
                    .as("endpoint %s of %s", i, size)
                    .isCloseTo(1, within(within));
        }
    }

    /** The bound of what moves: the keys of the endpoint, and no other one. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3", "20", "300"})
    void anEndpointThatJoinsTakesItsPartOfTheKeysAndNoOtherKeyMoves(int before) {
        long[] identities = identities(before + 1);
        long joined = identities[before];
        long[] owners = owners(Arrays.copyOf(identities, before), alike(before), SLOTS);

        long[] changed = owners(identities, alike(before + 1), SLOTS);

        int moved = 0;
        for (int key = 0; key < KEYS; key++) {
            if (changed[key] != owners[key]) {
                assertThat(changed[key]).isEqualTo(joined);
                moved++;
            }
        }
        double part = 1.0 / (before + 1);
        assertThat(moved / (double) KEYS).isCloseTo(part, within(5 * Math.sqrt(part / SLOTS + part / KEYS)));
    }

    @Test
    void theKeysOfAnEndpointThatLeavesGoToAllOthersByTheirWeights() {
        long[] identities = identities(4);
        long[] owners = owners(identities, new int[] {2, 1, 1, 2}, SLOTS);

        long[] changed = owners(Arrays.copyOf(identities, 3), new int[] {2, 1, 1}, SLOTS);

        int[] heirs = new int[3];
        for (int key = 0; key < KEYS; key++) {
            if (owners[key] != identities[3]) {
                assertThat(changed[key]).isEqualTo(owners[key]);
            } else {
                for (int i = 0; i < heirs.length; i++) {
                    heirs[i] += changed[key] == identities[i] ? 1 : 0;
                }
            }
        }
        double sum = Arrays.stream(heirs).sum();
        assertThat(heirs[0] / sum).isCloseTo(0.5, within(0.04));
        assertThat(heirs[1] / sum).isCloseTo(0.25, within(0.035));
    }

    /** An endpoint that starts slowly gains weight step by step. */
    @Test
    void anEndpointThatGainsWeightTakesKeysAndGivesNone() {
        long[] identities = identities(5);
        long[] owners = owners(identities, new int[] {100, 100, 100, 100, 10}, SLOTS);
        for (int weight = 20; weight <= 100; weight += 10) {
            long[] changed = owners(identities, new int[] {100, 100, 100, 100, weight}, SLOTS);
            for (int key = 0; key < KEYS; key++) {
                if (changed[key] != owners[key]) {
                    assertThat(changed[key]).isEqualTo(identities[4]);
                }
            }
            owners = changed;
        }
        assertThat(part(owners, identities[4])).isCloseTo(0.2, within(0.016));
    }

    @Test
    void onlyTheRatiosOfWeightsCountAndNotTheOrderOfTheList() {
        long[] identities = identities(3);
        long[] owners = owners(identities, new int[] {1, 2, 3}, SLOTS);

        assertThat(owners(identities, new int[] {700, 1400, 2100}, SLOTS)).isEqualTo(owners);
        assertThat(owners(new long[] {identities[2], identities[0], identities[1]}, new int[] {300, 100, 200}, SLOTS))
                .isEqualTo(owners);
    }

    @Test
    void anEndpointOfWeightZeroOwnsNothing() {
        long[] identities = identities(3);
        long[] owners = owners(identities, new int[] {1, 0, 1}, SLOTS);

        assertThat(part(owners, identities[1])).isZero();
        assertThat(owners).isEqualTo(owners(new long[] {identities[0], identities[2]}, new int[] {1, 1}, SLOTS));
    }

    @Test
    void tenThousandEndpointsOwnKeysByWeightWithSlotsEnough() {
        int size = 10_000;
        long[] identities = identities(size);
        int[] weights = new int[size];
        Arrays.setAll(weights, i -> 100 * (1 + i % 3));

        SlotTable table = SlotTable.of(identities, weights, 1 << 18);

        double[] keys = new double[3];
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < KEYS; i++) {
            keys[table.owner(random.nextLong(), 0) % 3]++;
        }
        assertThat(keys[1] / keys[0]).isCloseTo(2, within(0.1));
        assertThat(keys[2] / keys[0]).isCloseTo(3, within(0.15));
    }

    /** What one cannot take is spread, not put on one neighbour. */
    @Test
    void furtherAttemptsOfTheKeysOfOneEndpointComeToAllOthers() {
        long[] identities = identities(11);
        SlotTable table = SlotTable.of(identities, alike(11), SLOTS);
        SplittableRandom keys = new SplittableRandom(5);
        int[] next = new int[11];
        for (int i = 0; i < KEYS; i++) {
            long key = keys.nextLong();
            if (table.owner(key, 0) == 4) {
                int attempt = 1;
                while (table.owner(key, attempt) == 4) {
                    attempt++;
                }
                next[table.owner(key, attempt)]++;
            }
        }
        next[4] = next[5];
        assertThat(Arrays.stream(next).max().orElseThrow()
                        / (double) Arrays.stream(next).min().orElseThrow())
                .isLessThan(1.3);
    }

    @Test
    void theNearestEndpointIsDrawnByWeight() {
        SplittableRandom keys = new SplittableRandom(5);
        int heavier = 0;
        for (int i = 0; i < KEYS; i++) {
            long key = keys.nextLong();
            heavier += SlotTable.distance(key, 1, 300) < SlotTable.distance(key, 2, 100) ? 1 : 0;
        }
        assertThat(heavier / (double) KEYS).isCloseTo(0.75, within(0.01));
    }

    /** If this fails, a new version sends keys elsewhere than the old one beside it: a change that breaks users. */
    @Test
    void knownKeysBelongToTheEndpointsThatTheyHaveAlwaysBelongedTo() {
        SlotTable table = SlotTable.of(new long[] {11, 22, 33, 44}, new int[] {1, 1, 2, 4}, SLOTS);
        StringBuilder owners = new StringBuilder();
        for (long key = 1; key <= 40; key++) {
            owners.append(table.owner(key, 0));
        }
        assertThat(owners).hasToString("3333123302333100023103310331233032133133");
        StringBuilder attempts = new StringBuilder();
        for (int attempt = 0; attempt < 20; attempt++) {
            attempts.append(table.owner(1, attempt));
        }
        assertThat(attempts).hasToString("32330333033333223332");
    }
}
