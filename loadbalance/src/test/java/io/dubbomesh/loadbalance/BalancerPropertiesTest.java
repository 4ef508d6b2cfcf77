package io.dubbomesh.loadbalance;

import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

class BalancerPropertiesTest {
    private static final int TRIES = 1000;

    @Test
    void everyWindowOfARoundsLengthGivesEachEndpointExactlyItsWeight() {
        Tries.run(TRIES, random -> {
            int[] weights = weightsThatAreNotAllZero(random);
            int sum = Arrays.stream(weights).sum();
            LoadBalancer balancer =
                    Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, random.between(0, 1000), 1);

            assertThat(Endpoints.weighing(weights).shares(balancer, sum)).containsExactly(weights);
        });
    }

    @Test
    void anOffsetOnlyShiftsTheSequence() {
        Tries.run(TRIES, random -> {
            // Those of more begin at random.
            int[] weights = weights(random, random.between(1, SmoothWeightedRoundRobin.FEW));
            int offset = random.between(0, 300);
            Endpoints endpoints = Endpoints.weighing(weights);
            LoadBalancer first = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, 0, 1);
            LoadBalancer shifted = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, offset, 1);
            endpoints.picks(first, offset);

            assertThat(endpoints.picks(shifted, 50)).isEqualTo(endpoints.picks(first, 50));
        });
    }

    @Test
    void onlyAnEndpointWithRoomAndWeightIsPickedAndNoneOnlyIfThereIsNone() {
        Tries.run(TRIES, random -> {
            int[] weights = weights(random);
            Endpoints endpoints = Endpoints.weighing(weights);
            if (random.anyBoolean()) {
                endpoints.keyed();
            }
            LoadBalancer balancer =
                    random.pick(Strategy.values()).newBalancer(weights.length, random.between(0, 16), 1);
            for (int i = 0; i < 200; i++) {
                changeOne(endpoints, 30, random);

                int picked = endpoints.pick(balancer);

                if (picked == LoadBalancer.NONE) {
                    for (int e = 0; e < weights.length; e++) {
                        assertThat(endpoints.room[e] && endpoints.weights[e] > 0)
                                .isFalse();
                    }
                } else {
                    assertThat(endpoints.room[picked]).isTrue();
                    assertThat(endpoints.weights[picked]).isPositive();
                }
            }
        });
    }

    /** A balancer that forgot nothing could owe one endpoint many rounds. */
    @Test
    void sharesAreOffByAFewCallsOnlyAfterAnyHistoryOfWeightsRoomsAndLists() {
        Tries.run(TRIES, random -> {
            int[] weights = weightsThatAreNotAllZero(random);
            LoadBalancer balancer = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, 0, 1);
            Endpoints endpoints = Endpoints.weighing(weights);
            for (int i = 0; i < 200; i++) {
                changeOne(endpoints, 1000, random);
                endpoints.pick(balancer);
                if (i % 20 == 19) {
                    int[] previousIndex = new int[weights.length];
                    Arrays.setAll(previousIndex, e -> random.oneIn(4) ? -1 : e);
                    balancer = balancer.changed(previousIndex);
                }
            }

            int[] shares = Endpoints.weighing(weights)
                    .shares(balancer, Arrays.stream(weights).sum());

            for (int e = 0; e < weights.length; e++) {
                assertThat(Math.abs(shares[e] - weights[e])).isLessThanOrEqualTo(2 * weights.length);
            }
        });
    }

    private static void changeOne(Endpoints endpoints, int maxWeight, RandomValues random) {
        int changed = random.random().nextInt(endpoints.size());
        endpoints.room[changed] = random.anyBoolean();
        endpoints.weights[changed] = random.between(0, maxWeight);
        endpoints.inFlight[changed] = random.between(0, 40);
    }

    private static int[] weightsThatAreNotAllZero(RandomValues random) {
        int[] weights = weights(random);
        while (Arrays.stream(weights).sum() == 0) {
            weights = weights(random);
        }
        return weights;
    }

    /** Every other list is one of many endpoints: they are drawn, or stand in a heap, and few are looked at. */
    private static int[] weights(RandomValues random) {
        return weights(random, random.anyBoolean() ? random.between(1, 8) : random.between(1, 100));
    }

    private static int[] weights(RandomValues random, int size) {
        int[] weights = new int[size];
        Arrays.setAll(weights, e -> random.between(0, 30));
        return weights;
    }
}
