package io.dubbomesh.loadbalance;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.dubbomesh.loadbalance.Endpoints.weighing;
import static org.assertj.core.api.Assertions.assertThat;

/** What every strategy, or every strategy that looks at the load, owes. */
class LoadStrategiesTest {
    private static final long MS = 1_000_000;
    private static final long LATENCY_NS = 50 * MS;

    private static Endpoints alike(int size) {
        int[] weights = new int[size];
        Arrays.fill(weights, 100);
        return weighing(weights);
    }

    /** Returns endpoints for calls with keys where the strategy reads them. */
    private static Endpoints alike(Strategy strategy, int size) {
        return strategy.readsKeys() ? alike(size).keyed() : alike(size);
    }

    private static Calls calls(Strategy strategy, Endpoints endpoints) {
        if (strategy.readsKeys()) {
            endpoints.keyed();
        }
        return new Calls(endpoints, strategy.newBalancer(endpoints.size(), 0, 1), LATENCY_NS);
    }

    @ParameterizedTest
    @CsvSource({
        "LEAST_REQUEST, 1, false",
        "LEAST_REQUEST, 2, false",
        "LEAST_REQUEST, 7, false",
        "LEAST_REQUEST, 60, false",
        "PEAK_EWMA, 1, false",
        "PEAK_EWMA, 2, false",
        "PEAK_EWMA, 7, false",
        "PEAK_EWMA, 60, false",
        "PREQUAL, 1, false",
        "PREQUAL, 7, false",
        "PREQUAL, 60, false",
        "PREQUAL, 7, true",
        "PREQUAL, 60, true"
    })
    void anEndpointOfTwiceTheWeightGetsTwiceTheCallsAtTheSameLatency(Strategy strategy, int clients, boolean telling) {
        Calls calls = calls(strategy, weighing(100, 200, 100, 200));
        calls.telling = telling;

        calls.run(20_000, clients);

        int light = calls.sent[0] + calls.sent[2];
        int heavy = calls.sent[1] + calls.sent[3];
        // With one call at a time there is hardly an answer to choose by.
        double atLeast = strategy == Strategy.PREQUAL && clients == 1 ? 1.5 : 1.8;
        assertThat((double) heavy / light)
                .as("%s, %s clients, telling %s", strategy, clients, telling)
                .isBetween(atLeast, 2.2);
    }

    @ParameterizedTest
    @EnumSource
    void manyEndpointsShareByWeight(Strategy strategy) {
        int[] weights = new int[300];
        Arrays.setAll(weights, i -> i % 2 == 0 ? 100 : 200);
        Calls calls = calls(strategy, weighing(weights));

        calls.run(100_000, 600);

        int heavy = 0;
        for (int i = 1; i < weights.length; i += 2) {
            heavy += calls.sent[i];
        }
        assertThat(heavy / (100_000.0 - heavy)).isBetween(1.8, 2.2);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEAST_REQUEST", "PEAK_EWMA", "PREQUAL"})
    void callsBeforeTheFirstAnswerAreShared(Strategy strategy) {
        Endpoints endpoints = alike(10);
        LoadBalancer balancer = strategy.newBalancer(10, 0, 1);

        for (int i = 0; i < 200; i++) {
            endpoints.inFlight[endpoints.pick(balancer)]++;
        }

        assertThat(endpoints.inFlight).containsOnly(20);
    }

    /** Nothing is in flight after a one-way call, and no answer comes. */
    @ParameterizedTest
    @EnumSource(names = {"LEAST_REQUEST", "PEAK_EWMA", "PREQUAL"})
    void oneWayCallsAreSharedByWeight(Strategy strategy) {
        int[] shares = weighing(100, 200, 100).shares(strategy.newBalancer(3, 0, 1), 400);

        assertThat(shares[0]).isBetween(98, 102);
        assertThat(shares[1]).isBetween(198, 202);
    }

    @ParameterizedTest
    @CsvSource({"LEAST_REQUEST, false", "PEAK_EWMA, false", "PREQUAL, false", "PREQUAL, true"})
    void aSlowEndpointGetsFewCalls(Strategy strategy, boolean telling) {
        Calls calls = calls(strategy, alike(10));
        calls.telling = telling;
        calls.run(5_000, 20);
        calls.latencyNs[3] *= 10;
        calls.run(1_000, 20);
        calls.forget();

        calls.run(20_000, 20);

        // Its share would be 2,000.
        assertThat(calls.sent[3]).isLessThan(strategy == Strategy.LEAST_REQUEST ? 500 : 100);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEAST_REQUEST", "PEAK_EWMA", "PREQUAL"})
    void anEndpointThatIsFastAgainGetsItsCallsAgain(Strategy strategy) {
        Calls calls = calls(strategy, alike(5));
        calls.run(2_000, 10);
        calls.latencyNs[3] *= 20;
        calls.run(5_000, 10);
        calls.latencyNs[3] = LATENCY_NS;
        calls.run(10_000, 10);
        calls.forget();

        calls.run(10_000, 10);

        assertThat(calls.sent[3]).isBetween(1_000, 3_000);
    }

    @ParameterizedTest
    @CsvSource({
        "LEAST_REQUEST, 10",
        "PEAK_EWMA, 10",
        "PREQUAL, 10",
        "LEAST_REQUEST, 100",
        "PEAK_EWMA, 100",
        "PREQUAL, 100"
    })
    void anEndpointThatFailsAtOnceDoesNotAttractCalls(Strategy strategy, int size) {
        Calls calls = calls(strategy, alike(size));
        calls.telling = true;
        calls.run(50 * size, 2 * size);
        calls.latencyNs[3] = MS;
        calls.fails[3] = true;
        calls.run(50 * size, 2 * size);
        calls.forget();

        calls.run(2_000 * size, 2 * size);

        // Its share would be 2,000.
        assertThat(calls.sent[3]).as("%s of %s", strategy, size).isLessThan(100);
    }

    @ParameterizedTest
    @CsvSource({
        "LEAST_REQUEST, 10, 1",
        "PEAK_EWMA, 10, 1",
        "PREQUAL, 10, 1",
        "LEAST_REQUEST, 2, 1",
        "PEAK_EWMA, 2, 1",
        "PREQUAL, 2, 1",
        "LEAST_REQUEST, 100, 1",
        "PEAK_EWMA, 100, 1",
        "PREQUAL, 100, 1",
        "LEAST_REQUEST, 10, 2",
        "PEAK_EWMA, 10, 2",
        "PREQUAL, 10, 2"
    })
    void anEndpointThatThrowsAtOnceDoesNotAttractCalls(Strategy strategy, int size, int each) {
        Calls calls = calls(strategy, alike(size));
        calls.telling = true;
        calls.run(50 * size, 2 * size);
        calls.latencyNs[1] = MS;
        calls.throwsEach[1] = each;
        calls.run(50 * size, 2 * size);
        calls.forget();

        calls.run(2_000 * size, 2 * size);

        // Its share is 2,000; it gets no more if half of its calls have results.
        assertThat(calls.sent[1]).as("%s of %s", strategy, size).isLessThan(each == 1 ? 400 : 2_200);
    }

    @ParameterizedTest
    @CsvSource({
        "LEAST_REQUEST, true",
        "PEAK_EWMA, true",
        "PREQUAL, true",
        "LEAST_REQUEST, false",
        "PEAK_EWMA, false",
        "PREQUAL, false"
    })
    void failuresBeforeANewConnectionTellNothing(Strategy strategy, boolean fails) {
        Calls calls = calls(strategy, alike(10));
        calls.run(1_000, 20);
        for (int i = 0; i < 10; i++) {
            if (fails) {
                calls.balancer.failed(3, MS, calls.endpoints.nowNs);
            } else {
                calls.balancer.endedWithoutResult(3, MS, calls.endpoints.nowNs);
            }
        }
        calls.forget();
        calls.balancer.forgetFailures(3);

        calls.run(400, 20);

        assertThat(calls.sent[3]).isBetween(30, 50);
    }

    /** Where most are full, a second one to compare with is not worth a look at each. */
    @ParameterizedTest
    @EnumSource(names = {"LEAST_REQUEST", "PEAK_EWMA"})
    void aSecondChoiceIsGivenUpAfterAFewTries(Strategy strategy) {
        int[] looks = {0};
        Endpoints endpoints = alike(1_000).counting(looks);
        Arrays.fill(endpoints.room, false);
        endpoints.room[0] = true;
        LoadBalancer balancer = strategy.newBalancer(1_000, 0, 1);

        assertThat(endpoints.pick(balancer)).isZero();
        // Two looks at each for the first, and eight tries twice.
        assertThat(looks[0]).isLessThanOrEqualTo(2_016);
    }

    /** The callers are at fault: their arguments are wrong. */
    @ParameterizedTest
    @EnumSource(names = {"LEAST_REQUEST", "PEAK_EWMA", "PREQUAL"})
    void endpointsThatAllThrowShareTheCalls(Strategy strategy) {
        Calls calls = calls(strategy, alike(10));
        calls.telling = true;
        Arrays.fill(calls.throwsEach, 3);

        calls.run(20_000, 20);

        for (int sent : calls.sent) {
            assertThat(sent).isBetween(1_600, 2_400);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSameSeedGivesTheSamePicks(Strategy strategy) {
        for (int size : new int[] {3, 20, 100}) {
            Endpoints endpoints = alike(size);
            String first = endpoints.picks(strategy.newBalancer(size, 0, 7), 300);

            assertThat(endpoints.picks(strategy.newBalancer(size, 0, 7), 300)).isEqualTo(first);
            // With few endpoints the offset alone sets where round robin begins; three have only six orders.
            assertThat(LongStream.range(8, 24)
                            .mapToObj(seed -> endpoints.picks(strategy.newBalancer(endpoints.size(), 1, seed), 300)))
                    .anyMatch(other -> !other.equals(first));
        }
    }

    /** The agents that start together, after a restart of all, do not send their first calls to one endpoint. */
    @ParameterizedTest
    @EnumSource(names = {"LEAST_REQUEST", "PEAK_EWMA", "PREQUAL"})
    void balancersDoNotBeginWithTheSameEndpoint(Strategy strategy) {
        Endpoints endpoints = alike(10);
        int[] first = new int[10];
        for (int agent = 0; agent < 1_000; agent++) {
            first[endpoints.pick(strategy.newBalancer(10, 0, agent))]++;
        }

        // Five standard deviations.
        for (int picked : first) {
            assertThat(picked).isBetween(53, 147);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PEAK_EWMA", "PREQUAL"})
    void whatIsKnownOfAnEndpointOutlivesAChangeOfTheList(Strategy strategy) {
        Calls calls = calls(strategy, alike(4));
        calls.latencyNs[3] *= 20;
        calls.run(1_000, 8);
        Endpoints changed = alike(4);
        changed.nowNs = calls.endpoints.nowNs;

        LoadBalancer balancer = calls.balancer.changed(new int[] {3, -1, 1, 0});

        Calls more = new Calls(changed, balancer, LATENCY_NS);
        more.latencyNs[0] *= 20;
        more.run(500, 4);
        assertThat(more.sent[0]).isLessThan(20);
    }

    @ParameterizedTest
    @EnumSource
    void aListThatGrowsAndShrinksIsServed(Strategy strategy) {
        LoadBalancer balancer = strategy.newBalancer(0, 1, 1);
        assertThat(alike(strategy, 0).pick(balancer)).isEqualTo(LoadBalancer.NONE);
        for (int size : new int[] {3, 200, 1, 64, 65, 0, 2}) {
            int[] previousIndex = new int[size];
            Arrays.setAll(previousIndex, i -> -1);
            balancer = balancer.changed(previousIndex);
            Calls calls = new Calls(alike(strategy, size), balancer, LATENCY_NS);
            if (size > 0) {
                calls.run(50 * size, size);
                assertThat(Arrays.stream(calls.sent).min().orElseThrow())
                        .as("of %s", size)
                        .isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLastOfManyWithRoomIsFound(Strategy strategy) {
        Endpoints endpoints = alike(strategy, 500);
        Arrays.fill(endpoints.room, false);
        LoadBalancer balancer = strategy.newBalancer(500, 0, 1);
        assertThat(endpoints.pick(balancer)).isEqualTo(LoadBalancer.NONE);

        endpoints.room[417] = true;

        assertThat(endpoints.pick(balancer)).isEqualTo(417);
    }

    @ParameterizedTest
    @EnumSource
    void aPickAllocatesNothing(Strategy strategy) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int size : new int[] {3, 20, 1000}) {
            Endpoints endpoints = alike(strategy, size);
            LoadBalancer balancer = strategy.newBalancer(size, 0, 1);
            long thread = Thread.currentThread().getId();
            // Loading classes and the first weights allocate.
            pickAndAnswer(endpoints, balancer, 20_000);

            long before = threads.getThreadAllocatedBytes(thread);
            pickAndAnswer(endpoints, balancer, 20_000);
            long allocated = threads.getThreadAllocatedBytes(thread) - before;

            assertThat(allocated).as("of %s endpoints", size).isLessThan(2_000);
        }
    }

    private static void pickAndAnswer(Endpoints endpoints, LoadBalancer balancer, int picks) {
        for (int i = 0; i < picks; i++) {
            endpoints.nowNs += MS;
            int index = endpoints.pick(balancer);
            if (i % 50 == 0) {
                balancer.failed(index, MS, endpoints.nowNs);
            } else {
                balancer.answered(index, LATENCY_NS + i, endpoints.nowNs);
            }
        }
    }

    @Test
    void prequalPicksTheFastestOfTheColdAndAmongHotOnesTheOneWithTheFewestCalls() {
        Endpoints endpoints = alike(3);
        endpoints.nowNs = 1;
        LoadBalancer balancer = Strategy.PREQUAL.newBalancer(3, 0, 1);
        endpoints.report(0, 3, 50 * MS);
        endpoints.report(1, 3, 20 * MS);
        endpoints.report(2, 3, 60 * MS);
        // The sixteenth pick is by its own calls.
        assertThat(prequalPicks(endpoints, balancer, 8)).containsOnly(1);

        endpoints.report(2, 90, MS);
        assertThat(prequalPicks(endpoints, balancer, 5)).containsOnly(1);

        endpoints.report(0, 60, 50 * MS);
        endpoints.report(1, 70, 20 * MS);
        assertThat(prequalPicks(endpoints, balancer, 2)).containsOnly(0);
    }

    /** Returns picks before each of which all three endpoints have answered. */
    private static int[] prequalPicks(Endpoints endpoints, LoadBalancer balancer, int count) {
        return IntStream.range(0, count)
                .map(pick -> {
                    balancer.answered(2, LATENCY_NS, 1);
                    balancer.answered(0, LATENCY_NS, 1);
                    balancer.answered(1, LATENCY_NS, 1);
                    return endpoints.pick(balancer);
                })
                .toArray();
    }

    @Test
    void prequalForgetsAnswersThatAreOlderThanASecond() {
        Endpoints endpoints = alike(3);
        LoadBalancer balancer = Strategy.PREQUAL.newBalancer(3, 0, 1);
        for (int i = 0; i < 3; i++) {
            endpoints.report(i, 1, (i + 1) * 10 * MS);
            balancer.answered(i, LATENCY_NS, 0);
        }
        endpoints.inFlight[0] = 5;
        endpoints.inFlight[1] = 5;
        endpoints.nowNs = 1_000_000_001;

        assertThat(endpoints.picks(balancer, 1)).isEqualTo("c");
    }

    @Test
    void prequalUsesAnAnswerForOneCallWhereThereAreMoreEndpointsThanPlaces() {
        Endpoints endpoints = alike(17);
        LoadBalancer balancer = knowing(endpoints);
        for (int i = 0; i < 3; i++) {
            endpoints.report(i, 0, i == 0 ? MS : LATENCY_NS);
            balancer.answered(i, LATENCY_NS, endpoints.nowNs);
        }
        assertThat(endpoints.picks(balancer, 1)).isEqualTo("a");

        // The provider has reported nothing since, but many calls were sent to it.
        endpoints.inFlight[0] = 10_000;
        assertThat(endpoints.picks(balancer, 1)).isNotEqualTo("a");
    }

    @Test
    void prequalKeepsTheAnswersOfFewEndpointsWithWhatWasSentSince() {
        Endpoints endpoints = alike(3);
        LoadBalancer balancer = knowing(endpoints);
        for (int i = 0; i < 3; i++) {
            endpoints.report(i, 2, i == 0 ? MS : LATENCY_NS);
            balancer.answered(i, LATENCY_NS, endpoints.nowNs);
        }
        assertThat(endpoints.picks(balancer, 4)).isEqualTo("a a a a");

        endpoints.report(0, 20, MS);
        assertThat(endpoints.picks(balancer, 3)).doesNotContain("a");
    }

    /** Two answers are enough to choose from, but it would never hear of the third again. */
    @Test
    void prequalExploresWithEverySixteenthPick() {
        Calls calls = calls(Strategy.PREQUAL, alike(10));
        calls.telling = true;

        calls.run(16_000, 20);

        assertThat(((Prequal) calls.balancer).explored()).isBetween(1_000L, 1_100L);
    }

    /** The others are ejected, or in another zone. */
    @Test
    void prequalChoosesBetweenTheAnswersOfTheFewEndpointsThatTakeCalls() {
        Endpoints endpoints = alike(20);
        Arrays.fill(endpoints.room, false);
        endpoints.room[7] = true;
        endpoints.room[8] = true;
        LoadBalancer balancer = knowing(endpoints);
        endpoints.report(7, 3, LATENCY_NS);
        endpoints.report(8, 3, 2 * LATENCY_NS);
        balancer.answered(7, LATENCY_NS, endpoints.nowNs);
        balancer.answered(8, LATENCY_NS, endpoints.nowNs);
        endpoints.inFlight[7] = 1_000;

        assertThat(endpoints.picks(balancer, 1)).isEqualTo("h");
    }

    /** The calls of one event loop are fewer than those of all agents. */
    @Test
    void prequalComparesOwnCallsWhereAnEndpointReportsNone() {
        Endpoints endpoints = alike(3);
        endpoints.inFlight[0] = 1;
        endpoints.inFlight[1] = 2;
        endpoints.inFlight[2] = 2;
        endpoints.report(0, 90, 20 * MS);
        LoadBalancer balancer = Strategy.PREQUAL.newBalancer(3, 0, 1);
        for (int i = 0; i < 40; i++) {
            balancer.answered(1, LATENCY_NS, 1);
            balancer.answered(2, LATENCY_NS, 1);
            balancer.answered(0, 20 * MS, 1);

            assertThat(endpoints.picks(balancer, 1)).isEqualTo("a");
        }
    }

    /** Returns prequal that knows what the calls of all endpoints took, though no answer is new enough to choose by. */
    private static LoadBalancer knowing(Endpoints endpoints) {
        LoadBalancer balancer = Strategy.PREQUAL.newBalancer(endpoints.size(), 0, 1);
        for (int i = 0; i < endpoints.size(); i++) {
            balancer.answered(i, i == 0 ? MS : LATENCY_NS, 0);
        }
        endpoints.nowNs = 1_000_000_001;
        return balancer;
    }

    @Test
    void whatAStrategyComparesIsToldAndChangesNothing() {
        for (Strategy strategy : Strategy.values()) {
            Calls calls = calls(strategy, weighing(100, 200, 100));
            Calls asked = calls(strategy, weighing(100, 200, 100));
            calls.telling = true;
            asked.telling = true;
            for (int i = 0; i < 500; i++) {
                calls.run(1, 8);
                asked.run(1, 8);
                asked.balancer.estimate(asked.endpoints, i % 3, asked.endpoints.nowNs);
            }
            assertThat(asked.sent).as("%s", strategy).isEqualTo(calls.sent);
        }
    }

    @Test
    void theEstimateOfAnEndpointHasItsCallsByWeightAndItsLatency() {
        assertThat(estimate(Strategy.WEIGHTED_ROUND_ROBIN)).isEqualTo(EndpointEstimate.NONE);
        assertThat(estimate(Strategy.LEAST_REQUEST))
                .isEqualTo(new EndpointEstimate(3, 0, EndpointEstimate.Heat.UNKNOWN));
        assertThat(estimate(Strategy.PEAK_EWMA))
                .isEqualTo(new EndpointEstimate(3, LATENCY_NS, EndpointEstimate.Heat.UNKNOWN));
        assertThat(estimate(Strategy.PREQUAL))
                .isEqualTo(new EndpointEstimate(15, 70 * MS, EndpointEstimate.Heat.UNKNOWN));
    }

    /** Returns that of an endpoint of twice the mean weight with 6 calls of this owner, which reports 30 of 70 ms. */
    private static EndpointEstimate estimate(Strategy strategy) {
        Endpoints endpoints = weighing(50, 200, 50);
        LoadBalancer balancer = strategy.newBalancer(3, 0, 1);
        balancer.answered(1, LATENCY_NS, 0);
        endpoints.inFlight[1] = 6;
        endpoints.report(1, 30, 70 * MS);
        return balancer.estimate(endpoints, 1, 0);
    }
}
