package io.dubbomesh.loadbalance.subset;

import io.dubbomesh.loadbalance.subset.SubsetComparison.Rendezvous;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the subsets of many agents. The seeds are fixed: what holds here holds each time. */
class SubsetTest {
    private static final Rendezvous SUBSET = new Rendezvous(true, true);
    private static final int SIZE = 20;

    private final long[] agents = SubsetComparison.numbers(300, 1);
    private final long[] endpoints = SubsetComparison.numbers(100, 2);
    private final int[] alike = filled(endpoints.length, 1);

    private static int[] filled(int length, int weight) {
        int[] weights = new int[length];
        Arrays.fill(weights, weight);
        return weights;
    }

    @Test
    void theSameLoopDrawsTheSameEndpointsEachTime() {
        assertThat(SUBSET.draw(agents, 4, endpoints, alike, SIZE))
                .isEqualTo(SUBSET.draw(agents, 4, endpoints, alike, SIZE));
    }

    @Test
    void theLoopsOfAnAgentDrawDifferentEndpointsAsFarAsThereAreEnough() {
        List<List<Integer>> drawn = SUBSET.draw(new long[] {7}, 4, endpoints, alike, SIZE);
        Set<Integer> different = new HashSet<>();
        drawn.forEach(different::addAll);
        assertThat(different).hasSizeGreaterThan(70);
    }

    @Test
    void threeHundredAgentsCallAHundredEndpointsAlmostEvenly() {
        double[] loads = SubsetComparison.loads(SUBSET, SUBSET.draw(agents, 4, endpoints, alike, SIZE), alike, SIZE);
        assertThat(Arrays.stream(loads).max().orElseThrow()).isLessThan(1.12);
        assertThat(Arrays.stream(loads).min().orElseThrow()).isGreaterThan(0.88);
        assertThat(SubsetComparison.deviation(loads)).isLessThan(0.05);
    }

    @Test
    void anEndpointThatComesOrGoesMovesOnlyItsOwnLinks() {
        long[] fewer = Arrays.copyOfRange(endpoints, 1, endpoints.length);
        List<List<Integer>> with = SUBSET.draw(agents, 4, endpoints, alike, SIZE);
        List<List<Integer>> without = SUBSET.draw(agents, 4, fewer, filled(99, 1), SIZE);
        assertThat(SubsetComparison.churn(with, endpoints, without, fewer)).isLessThan(0.0125);
        assertThat(SubsetComparison.churn(without, fewer, with, endpoints)).isLessThan(0.0125);
    }

    @Test
    void aChangedWeightMovesOnlyTheLinksOfItsEndpoint() {
        int[] changed = alike.clone();
        changed[5] = 3;
        assertThat(SubsetComparison.churn(
                        SUBSET.draw(agents, 4, endpoints, alike, SIZE),
                        endpoints,
                        SUBSET.draw(agents, 4, endpoints, changed, SIZE),
                        endpoints))
                .isLessThan(0.02);
    }

    @Test
    void weightsAreHonouredOverAllAgents() {
        long[] many = SubsetComparison.numbers(3000, 3);
        int[][] mixes = {{1, 2, 3}, {1, 10}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 100}};
        for (int[] mix : mixes) {
            int[] weights = new int[endpoints.length];
            Arrays.setAll(weights, i -> mix[i % mix.length]);
            double[] loads =
                    SubsetComparison.loads(SUBSET, SUBSET.draw(many, 4, endpoints, weights, SIZE), weights, SIZE);
            for (int weight : mix) {
                double mean = 0;
                int count = 0;
                for (int i = 0; i < loads.length; i++) {
                    mean += weights[i] == weight ? loads[i] : 0;
                    count += weights[i] == weight ? 1 : 0;
                }
                assertThat(mean / count)
                        .as("of %s, weight %d", Arrays.toString(mix), weight)
                        .isBetween(0.95, 1.05);
            }
        }
    }

    @Test
    void equalWeightsHaveEqualShares() {
        assertThat(Subset.shares(filled(100, 100), SIZE, 10_000)).containsOnly(10_000);
        assertThat(Subset.shares(new int[] {1000, 1, 1, 1, 1}, 2, 10_000)[0]).isEqualTo(10_000);
    }
}
