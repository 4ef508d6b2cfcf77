package io.dubbomesh.loadbalance;

import org.junit.jupiter.api.Test;

import static io.dubbomesh.loadbalance.Endpoints.weighing;
import static org.assertj.core.api.Assertions.assertThat;

class WeightedRandomTest {
    private final LoadBalancer balancer = Strategy.WEIGHTED_RANDOM.newBalancer(3, 0, 1);

    @Test
    void callsAreSharedByWeight() {
        int[] shares = weighing(1, 2, 3).shares(balancer, 60_000);

        // Five standard deviations; the seed is fixed anyway.
        assertThat(shares[0]).isBetween(9_544, 10_456);
        assertThat(shares[1]).isBetween(19_423, 20_577);
        assertThat(shares[2]).isBetween(29_388, 30_612);
    }

    @Test
    void theCallsOfAFullEndpointAreSharedByTheWeightsOfTheOthers() {
        int[] shares = weighing(1, 2, 3).full(2).shares(balancer, 30_000);

        assertThat(shares[0]).isBetween(9_592, 10_408);
        assertThat(shares[2]).isZero();
    }

    @Test
    void changedWeightsApplyToTheNextPick() {
        Endpoints endpoints = weighing(1, 1, 1);
        endpoints.picks(balancer, 10);

        endpoints.weights[0] = 0;
        endpoints.weights[1] = 0;

        assertThat(endpoints.picks(balancer, 5)).isEqualTo("c c c c c");
    }

    @Test
    void noneIsPickedWhenAllAreFullOrOfWeightZero() {
        assertThat(weighing(1, 0, 1).full(0, 2).picks(balancer, 2)).isEqualTo("- -");
        assertThat(weighing().picks(balancer.changed(new int[0]), 1)).isEqualTo("-");
    }

    @Test
    void anotherSeedGivesAnotherSequence() {
        Endpoints endpoints = weighing(1, 1, 1);
        LoadBalancer other = Strategy.WEIGHTED_RANDOM.newBalancer(3, 0, 2);

        assertThat(endpoints.picks(balancer, 40)).isNotEqualTo(endpoints.picks(other, 40));
    }

    @Test
    void aChangedListIsServed() {
        LoadBalancer changed = balancer.changed(new int[] {-1});

        assertThat(weighing(1).picks(changed, 3)).isEqualTo("a a a");
    }
}
