package io.dubbomesh.loadbalance;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class BalancerPropertiesTest {
    @Provide
    Arbitrary<int[]> weights() {
        return Arbitraries.integers()
                .between(0, 30)
                .array(int[].class)
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Property
    void everyWindowOfARoundsLengthShouldGiveEachEndpointExactlyItsWeight(
            @ForAll("weights") int[] weights, @ForAll @IntRange(max = 1_000) int offset) {
        int sum = Arrays.stream(weights).sum();
        Assume.that(sum > 0);
        LoadBalancer balancer = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, offset);

        assertThat(Endpoints.weighing(weights).shares(balancer, sum)).containsExactly(weights);
    }

    @Property
    void anOffsetShouldOnlyShiftTheSequence(@ForAll("weights") int[] weights, @ForAll @IntRange(max = 300) int offset) {
        Endpoints endpoints = Endpoints.weighing(weights);
        LoadBalancer first = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, 0);
        LoadBalancer shifted = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, offset);
        endpoints.picks(first, offset);

        assertThat(endpoints.picks(shifted, 50)).isEqualTo(endpoints.picks(first, 50));
    }

    @Property
    void shouldPickOnlyOneThatHasRoomAndWeightAndNoneOnlyIfThereIsNone(
            @ForAll Strategy strategy,
            @ForAll("weights") int[] weights,
            @ForAll @IntRange(max = 16) int offset,
            @ForAll Random random) {
        Endpoints endpoints = Endpoints.weighing(weights);
        LoadBalancer balancer = strategy.newBalancer(weights.length, offset);
        for (int i = 0; i < 200; i++) {
            int changed = random.nextInt(weights.length);
            endpoints.room[changed] = random.nextBoolean();
            endpoints.weights[changed] = random.nextInt(31);

            int picked = balancer.pick(endpoints);

            if (picked == LoadBalancer.NONE) {
                for (int e = 0; e < weights.length; e++) {
                    assertThat(endpoints.room[e] && endpoints.weights[e] > 0).isFalse();
                }
            } else {
                assertThat(endpoints.room[picked]).isTrue();
                assertThat(endpoints.weights[picked]).isPositive();
            }
        }
    }

    /** Whatever came before: a balancer that forgot nothing could owe one endpoint many rounds. */
    @Property
    void sharesShouldBeOffByAFewCallsOnlyAfterAnyHistoryOfWeightsRoomsAndLists(
            @ForAll("weights") int[] weights, @ForAll Random random) {
        LoadBalancer balancer = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(weights.length, 0);
        Endpoints endpoints = Endpoints.weighing(weights);
        for (int i = 0; i < 200; i++) {
            int changed = random.nextInt(weights.length);
            endpoints.room[changed] = random.nextBoolean();
            endpoints.weights[changed] = random.nextInt(1_001);
            balancer.pick(endpoints);
            if (i % 20 == 19) {
                int[] previousIndex = new int[weights.length];
                Arrays.setAll(previousIndex, e -> random.nextInt(4) == 0 ? -1 : e);
                balancer = balancer.changed(previousIndex);
            }
        }
        Endpoints settled = Endpoints.weighing(weights);
        int sum = Arrays.stream(weights).sum();
        Assume.that(sum > 0);

        int[] shares = settled.shares(balancer, sum);

        for (int e = 0; e < weights.length; e++) {
            assertThat(Math.abs(shares[e] - weights[e])).isLessThanOrEqualTo(2 * weights.length);
        }
    }
}
