package io.dubbomesh.loadbalance;

import org.junit.jupiter.api.Test;

import static io.dubbomesh.loadbalance.Endpoints.weighing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SmoothWeightedRoundRobinTest {
    @Test
    void thePicksOfAHeavyEndpointAreSpreadBetweenThoseOfLightOnes() {
        assertThat(weighing(5, 1, 1).picks(balancer(3), 14)).isEqualTo("a a b a c a a a a b a c a a");
    }

    @Test
    void equalWeightsTakeTurns() {
        assertThat(weighing(7, 7, 7).picks(balancer(3), 7)).isEqualTo("a b c a b c a");
    }

    @Test
    void eachEndpointGetsExactlyItsWeightInEveryRound() {
        Endpoints endpoints = weighing(1, 2, 3);
        LoadBalancer balancer = balancer(3);

        for (int round = 0; round < 100; round++) {
            assertThat(endpoints.shares(balancer, 6)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void theOnlyEndpointIsPickedEveryTime() {
        assertThat(weighing(3).picks(balancer(1), 4)).isEqualTo("a a a a");
    }

    @Test
    void noneIsPickedFromAnEmptyList() {
        assertThat(weighing().picks(balancer(0), 1)).isEqualTo("-");
    }

    @Test
    void noneIsPickedWhenAllAreFull() {
        Endpoints endpoints = weighing(1, 2).full(0, 1);

        assertThat(endpoints.picks(balancer(2), 2)).isEqualTo("- -");
    }

    @Test
    void noneIsPickedWhenAllWeightsAreZero() {
        assertThat(weighing(0, 0).picks(balancer(2), 2)).isEqualTo("- -");
    }

    @Test
    void anEndpointOfWeightZeroIsPassedOver() {
        assertThat(weighing(1, 0, 2).picks(balancer(3), 6)).isEqualTo("c a c c a c");
    }

    @Test
    void theCallsOfAFullEndpointAreSharedByTheWeightsOfTheOthers() {
        Endpoints endpoints = weighing(1, 2, 3).full(2);

        assertThat(endpoints.shares(balancer(3), 300)).containsExactly(100, 200, 0);
    }

    @Test
    void anEndpointIsNotGivenTheCallsItMissedWhileFull() {
        Endpoints endpoints = weighing(1, 1).full(1);
        LoadBalancer balancer = balancer(2);
        endpoints.picks(balancer, 100);

        endpoints.room[1] = true;

        assertThat(endpoints.picks(balancer, 4)).isEqualTo("a b a b");
    }

    @Test
    void changedWeightsApplyToTheNextPick() {
        Endpoints endpoints = weighing(1, 1);
        LoadBalancer balancer = balancer(2);
        assertThat(endpoints.shares(balancer, 10)).containsExactly(5, 5);

        endpoints.weights[1] = 4;

        assertThat(endpoints.shares(balancer, 10)).containsExactly(2, 8);
    }

    @Test
    void scoresOfHeavyWeightsDoNotOutliveThem() {
        Endpoints endpoints = weighing(1000, 1);
        LoadBalancer balancer = balancer(2);
        endpoints.picks(balancer, 500);

        endpoints.weights[0] = 1;

        assertThat(endpoints.shares(balancer, 10)[1]).isBetween(3, 7);
    }

    @Test
    void anOffsetStartsAfterSoManyPicks() {
        Endpoints endpoints = weighing(5, 1, 1);

        assertThat(endpoints.picks(balancer(3, 1), 7)).isEqualTo("a b a c a a a");
        assertThat(endpoints.picks(balancer(3, 2), 7)).isEqualTo("b a c a a a a");
        assertThat(endpoints.picks(balancer(3, 4), 7)).isEqualTo("c a a a a b a");
        assertThat(endpoints.picks(balancer(3, 7), 7)).isEqualTo("a a b a c a a");
    }

    @Test
    void loopsStartOnDifferentEndpointsOfEqualWeight() {
        Endpoints endpoints = weighing(1, 1, 1);

        assertThat(endpoints.picks(balancer(3, 0), 1)).isEqualTo("a");
        assertThat(endpoints.picks(balancer(3, 1), 1)).isEqualTo("b");
        assertThat(endpoints.picks(balancer(3, 2), 1)).isEqualTo("c");
        assertThat(endpoints.picks(balancer(3, Integer.MAX_VALUE), 1)).isEqualTo("b");
    }

    @Test
    void theOffsetIsKeptUntilThereIsAWeight() {
        Endpoints endpoints = weighing(0, 0);
        LoadBalancer balancer = balancer(2, 1);
        endpoints.picks(balancer, 3);

        endpoints.weights[0] = 1;
        endpoints.weights[1] = 1;

        assertThat(endpoints.picks(balancer, 2)).isEqualTo("b a");
    }

    @Test
    void theOffsetAppliesToTheFirstListThatArrives() {
        LoadBalancer loaded = balancer(0, 2).changed(new int[] {-1, -1, -1});

        assertThat(weighing(1, 1, 1).picks(loaded, 3)).isEqualTo("c a b");
    }

    @Test
    void aNegativeOffsetIsRefused() {
        assertThatThrownBy(() -> balancer(1, -1)).hasMessage("offset: -1 (expected: >= 0)");
    }

    @Test
    void theSequenceContinuesWhenOnlyTheOrderChanges() {
        Endpoints before = weighing(5, 1, 1);
        LoadBalancer balancer = balancer(3);
        assertThat(before.picks(balancer, 2)).isEqualTo("a a");

        LoadBalancer turned = balancer.changed(new int[] {2, 1, 0});

        // What would have been b a c a a, with a and c in each other's place; of equal scores the first in the list
        // wins.
        assertThat(weighing(1, 1, 5).picks(turned, 5)).isEqualTo("a c b c c");
    }

    @Test
    void aNewEndpointGetsNoBurst() {
        Endpoints before = weighing(1, 1);
        LoadBalancer balancer = balancer(2);
        before.picks(balancer, 1001);

        LoadBalancer grown = balancer.changed(new int[] {0, 1, -1});

        assertThat(weighing(1, 1, 1).shares(grown, 3)).containsExactly(1, 1, 1);
    }

    @Test
    void aNewEndpointDoesNotInheritTheScoreOfOneThatLeft() {
        Endpoints before = weighing(1, 1, 100);
        LoadBalancer balancer = balancer(3);
        before.picks(balancer, 50);

        LoadBalancer replaced = balancer.changed(new int[] {-1, 2});

        assertThat(weighing(1, 100).shares(replaced, 101)).containsExactly(1, 100);
    }

    @Test
    void theRemainingEndpointsShareByTheirWeights() {
        Endpoints before = weighing(3, 2, 1);
        LoadBalancer balancer = balancer(3);
        before.picks(balancer, 4);

        LoadBalancer shrunk = balancer.changed(new int[] {0, 2});

        assertThat(weighing(3, 1).shares(shrunk, 400)).satisfies(shares -> {
            assertThat(shares[0]).isBetween(299, 301);
            assertThat(shares[1]).isBetween(99, 101);
        });
    }

    private static LoadBalancer balancer(int size) {
        return balancer(size, 0);
    }

    private static LoadBalancer balancer(int size, int offset) {
        return Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(size, offset, 0);
    }
}
