package io.dubbomesh.loadbalance.subset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class FleetSharesTest {
    private static final int ANSWERS = 5_000;
    private static final long CALL_NS = 100_000_000;
    private static final IntToDoubleFunction NO_CALLS = index -> 0;

    @Test
    void anEndpointWithMoreCallsThanTheOthersGetsASmallerShare() {
        FleetShares shares = new FleetShares(3);
        for (int i = 0; i < 10; i++) {
            shares.answered(0, 2, 0, CALL_NS);
            shares.answered(1, 2, 0, CALL_NS);
            shares.answered(2, 8, 0, CALL_NS);
            shares.settle(NO_CALLS);
        }

        assertThat(shares.factor(0)).isEqualTo(shares.factor(1), within(0.1)).isGreaterThan(1);
        assertThat(shares.factor(2)).isLessThan(0.8);
    }

    @Test
    void aFactorIsBounded() {
        FleetShares shares = new FleetShares(2);
        for (int i = 0; i < ANSWERS; i++) {
            shares.answered(0, 0, 0, CALL_NS);
            shares.answered(1, 100, 0, CALL_NS);
            shares.settle(NO_CALLS);
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
                shares.answered(index, 4, 0, CALL_NS);
            }
            if (i % 2 == 0) {
                shares.answered(3, 2, 0, CALL_NS);
            } else {
                shares.endedWithoutResult(3);
            }
            shares.settle(NO_CALLS);
        }

        assertThat(shares.factor(3)).isLessThan(1);
    }

    @Test
    void callsThatAllEndWithoutAResultChangeNothing() {
        FleetShares shares = new FleetShares(3);
        for (int i = 0; i < ANSWERS; i++) {
            shares.endedWithoutResult(i % 3);
            shares.settle(NO_CALLS);
        }

        assertThat(IntStream.range(0, 3).mapToDouble(shares::factor))
                .allSatisfy(factor -> assertThat(factor).isEqualTo(1, within(0.2)));
    }

    @Test
    void anEndpointThatReportsNothingKeepsItsShare() {
        FleetShares shares = new FleetShares(3);
        for (int i = 0; i < ANSWERS; i++) {
            shares.answered(0, 2, 0, CALL_NS);
            shares.answered(1, 3, 0, CALL_NS);
            shares.endedWithoutResult(2);
            shares.settle(NO_CALLS);
            assertThat(shares.factor(2)).isEqualTo(1);
        }
    }

    @Test
    void settlesOnlyAfterAChange() {
        FleetShares shares = new FleetShares(2);
        assertThat(shares.settle(NO_CALLS)).isFalse();
        shares.answered(0, 1, 0, CALL_NS);
        assertThat(shares.settle(NO_CALLS)).isTrue();
        assertThat(shares.settle(NO_CALLS)).isFalse();
    }

    @Test
    void theEndpointsThatStayKeepTheirFactorsAndOthersStartWithLess() {
        FleetShares shares = new FleetShares(2);
        shares.answered(0, 1, 0, CALL_NS);
        shares.answered(1, 3, 0, CALL_NS);
        shares.settle(NO_CALLS);

        FleetShares changed = shares.changed(new int[] {1, -1, 0});

        assertThat(changed.factor(0)).isEqualTo(shares.factor(1));
        assertThat(changed.factor(1)).as("nothing was reported").isEqualTo(1);
        assertThat(changed.factor(2)).isEqualTo(shares.factor(0));
        changed.answered(1, 2, 0, CALL_NS);
        assertThat(changed.factor(1)).isCloseTo(0.5, within(1e-9));
    }

    /** The calls of this loop come in bursts, now to one endpoint and now to the other; there are no other calls. */
    @Test
    void theChanceInTheCallsOfThisLoopMovesNoFactor() {
        FleetShares shares = new FleetShares(2);
        double[] own = {2, 2};
        for (int tick = 0; tick < 100; tick++) {
            shares.settle(i -> own[i]);
        }
        for (int tick = 0; tick < ANSWERS; tick++) {
            int busy = tick / 4 % 2;
            own[busy] = 4;
            own[1 - busy] = 0;
            shares.answered(busy, 4, own[busy], CALL_NS);
            shares.settle(i -> own[i]);
            assertThat(shares.factor(0)).isBetween(0.9, 1.1);
        }
    }

    /** A call lasts for longer than shares are set: what is sent now is reported later. */
    @Test
    void manyAnswersMoveFactorsNoFasterThanCallsEnd() {
        FleetShares shares = new FleetShares(2);
        for (int i = 0; i < ANSWERS; i++) {
            shares.answered(i % 2, i % 2 == 0 ? 1 : 3, 0, CALL_NS);
        }
        shares.settle(NO_CALLS);

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
                    shares[agent].answered(i, loads[subsets[agent][i]], 0, CALL_NS);
                }
                shares[agent].settle(NO_CALLS);
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
        ArrayDeque<double[][]> sent = new ArrayDeque<>();
        double[][] own = new double[subsets.length][size];
        double[] inService = new double[endpoints];
        for (int tick = 0; tick < 300 + 80 * callTicks; tick++) {
            sent.add(Arrays.stream(shares).map(of -> calls(of, size)).toArray(double[][]::new));
            double[][] ended = sent.size() > callTicks ? sent.remove() : new double[subsets.length][size];
            for (int agent = 0; agent < subsets.length; agent++) {
                for (int i = 0; i < size; i++) {
                    double more = sent.getLast()[agent][i] - ended[agent][i];
                    own[agent][i] += more;
                    inService[subsets[agent][i]] += more;
                }
            }
            for (int agent = 0; agent < subsets.length; agent++) {
                double[] ofAgent = own[agent];
                for (int i = 0; i < size; i++) {
                    shares[agent].answered(i, inService[subsets[agent][i]], ofAgent[i], (long) (callSeconds * 1e9));
                }
                shares[agent].settle(i -> ofAgent[i]);
            }
        }

        assertThat(busiestOverMean(inService)).isLessThan(1.1);
        assertThat(busiestOverMean(loads(subsets, shares, endpoints))).isLessThan(1.1);
    }

    /** Returns the calls of all agents at each endpoint; an agent has one call in all. */
    private static double[] loads(int[][] subsets, FleetShares[] shares, int endpoints) {
        double[] loads = new double[endpoints];
        for (int agent = 0; agent < subsets.length; agent++) {
            double[] calls = calls(shares[agent], subsets[agent].length);
            for (int i = 0; i < calls.length; i++) {
                loads[subsets[agent][i]] += calls[i];
            }
        }
        return loads;
    }

    /** Returns the calls of an agent at each endpoint of its subset, one in all. */
    private static double[] calls(FleetShares shares, int size) {
        double sum = IntStream.range(0, size).mapToDouble(shares::factor).sum();
        return IntStream.range(0, size).mapToDouble(i -> shares.factor(i) / sum).toArray();
    }

    private static double busiestOverMean(double[] loads) {
        return Arrays.stream(loads).max().orElseThrow()
                / Arrays.stream(loads).average().orElseThrow();
    }
}
