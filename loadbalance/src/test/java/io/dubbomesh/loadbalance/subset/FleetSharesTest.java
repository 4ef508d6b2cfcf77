package io.dubbomesh.loadbalance.subset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class FleetSharesTest {
    private static final int ANSWERS = 5_000;
    private static final long CALL_NS = 100_000_000;

    @Test
    void anEndpointWithMoreCallsThanTheOthersGetsASmallerShare() {
        FleetShares shares = new FleetShares(3);
        for (int i = 0; i < 10; i++) {
            shares.answered(0, 2, CALL_NS);
            shares.answered(1, 2, CALL_NS);
            shares.answered(2, 8, CALL_NS);
            shares.settle();
        }

        assertThat(shares.factor(0)).isEqualTo(shares.factor(1), within(0.1)).isGreaterThan(1);
        assertThat(shares.factor(2)).isLessThan(0.8);
    }

    @Test
    void aFactorIsBounded() {
        FleetShares shares = new FleetShares(2);
        for (int i = 0; i < ANSWERS; i++) {
            shares.answered(0, 0, CALL_NS);
            shares.answered(1, 100, CALL_NS);
            shares.settle();
        }

        assertThat(shares.factor(0)).isBetween(1.0, 4.001);
        assertThat(shares.factor(1)).isBetween(0.249, 1.0);
    }

    /** It is idle, since errors come fast. */
    @Test
    void anEndpointThatFailsEverySecondCallDoesNotGetALargerShare() {
        FleetShares shares = new FleetShares(4);
        for (int i = 0; i < ANSWERS; i++) {
            for (int index = 0; index < 3; index++) {
                shares.answered(index, 4, CALL_NS);
            }
            if (i % 2 == 0) {
                shares.answered(3, 2, CALL_NS);
            } else {
                shares.endedWithoutResult(3);
            }
            shares.settle();
        }

        assertThat(shares.factor(3)).isLessThan(1);
    }

    @Test
    void callsThatAllEndWithoutAResultChangeNothing() {
        FleetShares shares = new FleetShares(3);
        for (int i = 0; i < ANSWERS; i++) {
            shares.endedWithoutResult(i % 3);
            shares.settle();
        }

        assertThat(IntStream.range(0, 3).mapToDouble(shares::factor))
                .allSatisfy(factor -> assertThat(factor).isEqualTo(1, within(0.2)));
    }

    @Test
    void settlesOnlyAfterAChange() {
        FleetShares shares = new FleetShares(2);
        assertThat(shares.settle()).isFalse();
        shares.answered(0, 1, CALL_NS);
        assertThat(shares.settle()).isTrue();
        assertThat(shares.settle()).isFalse();
    }

    @Test
    void theEndpointsThatStayKeepTheirFactors() {
        FleetShares shares = new FleetShares(2);
        shares.answered(0, 1, CALL_NS);
        shares.answered(1, 3, CALL_NS);
        shares.settle();

        FleetShares changed = shares.changed(new int[] {1, -1, 0});

        assertThat(changed.factor(0)).isEqualTo(shares.factor(1));
        assertThat(changed.factor(1)).isEqualTo(1);
        assertThat(changed.factor(2)).isEqualTo(shares.factor(0));
    }

    /** A call lasts for longer than shares are set: what is sent now is reported later. */
    @Test
    void manyAnswersMoveFactorsNoFasterThanCallsEnd() {
        FleetShares shares = new FleetShares(2);
        for (int i = 0; i < ANSWERS; i++) {
            shares.answered(i % 2, i % 2 == 0 ? 1 : 3, CALL_NS);
        }
        shares.settle();

        assertThat(shares.factor(1)).isBetween(0.9, 1.0);
    }

    /** 100 agents with 20 of 1,000 endpoints each, some of which have one link and some six. */
    @Test
    void theLoadsOfALargeServiceApproachEachOther() {
        int size = 20;
        int endpoints = 1_000;
        SplittableRandom random = new SplittableRandom(1);
        int[][] subsets = new int[100][];
        FleetShares[] shares = new FleetShares[subsets.length];
        for (int i = 0; i < subsets.length; i++) {
            subsets[i] = random.ints(0, endpoints).distinct().limit(size).toArray();
            shares[i] = new FleetShares(size);
        }
        double before = busiestOverMean(loads(subsets, shares, endpoints));
        for (int round = 0; round < 1_000; round++) {
            double[] loads = loads(subsets, shares, endpoints);
            for (int agent = 0; agent < subsets.length; agent++) {
                for (int i = 0; i < size; i++) {
                    shares[agent].answered(i, loads[subsets[agent][i]], CALL_NS);
                }
                shares[agent].settle();
            }
        }

        assertThat(before).isGreaterThan(2.5);
        assertThat(busiestOverMean(loads(subsets, shares, endpoints))).isLessThan(1.25);
    }

    /**
     * Nothing is seen of a changed share for as long as calls take: shares that followed faster would swing. A load is
     * what was sent in the time that a call takes.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1.5, 3, 10})
    void sharesDoNotSwingWhereCallsTakeLong(double callSeconds) {
        int size = 20;
        int endpoints = 200;
        SplittableRandom random = new SplittableRandom(1);
        int[][] subsets = new int[50][];
        FleetShares[] shares = new FleetShares[subsets.length];
        for (int i = 0; i < subsets.length; i++) {
            subsets[i] = random.ints(0, endpoints).distinct().limit(size).toArray();
            shares[i] = new FleetShares(size);
        }
        int callTicks = (int) (10 * callSeconds);
        ArrayDeque<double[]> sent = new ArrayDeque<>();
        double[] inService = new double[endpoints];
        for (int tick = 0; tick < 300 + 80 * callTicks; tick++) {
            sent.add(loads(subsets, shares, endpoints));
            double[] ended = sent.size() > callTicks ? sent.remove() : new double[endpoints];
            Arrays.setAll(inService, i -> inService[i] + sent.getLast()[i] - ended[i]);
            for (int agent = 0; agent < subsets.length; agent++) {
                for (int i = 0; i < size; i++) {
                    shares[agent].answered(i, inService[subsets[agent][i]], (long) (callSeconds * 1e9));
                }
                shares[agent].settle();
            }
        }

        assertThat(busiestOverMean(inService)).isLessThan(1.1);
        assertThat(busiestOverMean(loads(subsets, shares, endpoints))).isLessThan(1.1);
    }

    /** Returns the calls of all agents at each endpoint; an agent has one call in all. */
    private static double[] loads(int[][] subsets, FleetShares[] shares, int endpoints) {
        double[] loads = new double[endpoints];
        for (int agent = 0; agent < subsets.length; agent++) {
            double sum = IntStream.range(0, subsets[agent].length)
                    .mapToDouble(shares[agent]::factor)
                    .sum();
            for (int i = 0; i < subsets[agent].length; i++) {
                loads[subsets[agent][i]] += shares[agent].factor(i) / sum;
            }
        }
        return loads;
    }

    private static double busiestOverMean(double[] loads) {
        return Arrays.stream(loads).max().orElseThrow()
                / Arrays.stream(loads).average().orElseThrow();
    }
}
