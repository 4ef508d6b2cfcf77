package io.dubbomesh.loadbalance;

import io.dubbomesh.loadbalance.hash.HashParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import static io.dubbomesh.loadbalance.Endpoints.weighing;
import static org.assertj.core.api.Assertions.assertThat;

class ConsistentHashTest {
    private static final long[] KEYS = LongStream.rangeClosed(1, 1_000).toArray();

    private static Endpoints alike(int size) {
        int[] weights = new int[size];
        Arrays.fill(weights, 100);
        return weighing(weights);
    }

    private static LoadBalancer hash(int size) {
        return Strategy.HASH.newBalancer(size, 0, 1);
    }

    private static LoadBalancer unbounded(int size) {
        return Strategy.HASH.newBalancer(size, 0, 1, new HashParameters(1 << 14, 0));
    }

    private static int pick(LoadBalancer balancer, Endpoints endpoints, long key) {
        endpoints.key = key;
        return endpoints.pick(balancer);
    }

    /** Returns the identity of the endpoint that each key goes to. */
    private static long[] picks(LoadBalancer balancer, Endpoints endpoints) {
        return Arrays.stream(KEYS)
                .map(key -> endpoints.identities[pick(balancer, endpoints, key)])
                .toArray();
    }

    @Test
    void callsOfOneKeyGoToOneEndpointAndKeysAreSpread() {
        Endpoints endpoints = alike(3);
        LoadBalancer balancer = hash(3);
        long[] first = picks(balancer, endpoints);

        assertThat(picks(balancer, endpoints)).isEqualTo(first);
        assertThat(first).contains(1, 2, 3);
    }

    @Test
    void agentsAgreeWhateverTheirSeedsOffsetsAndOrders() {
        Endpoints endpoints = weighing(100, 200, 300);
        Endpoints turned = weighing(6, 2, 4);
        System.arraycopy(new long[] {3, 1, 2}, 0, turned.identities, 0, 3);

        assertThat(picks(Strategy.HASH.newBalancer(3, 5, 99), turned)).isEqualTo(picks(hash(3), endpoints));
    }

    @Test
    void callsWithoutAKeyGoInTurn() {
        assertThat(weighing(5, 1, 1).picks(hash(3), 7)).isEqualTo("a a b a c a a");
    }

    @Test
    void theKeysOfAnEndpointWithoutRoomGoToTheOthersAndReturn() {
        Endpoints endpoints = alike(5);
        LoadBalancer balancer = hash(5);
        long[] before = picks(balancer, endpoints);
        endpoints.room[2] = false;

        long[] meanwhile = picks(balancer, endpoints);

        Set<Long> heirs = new HashSet<>();
        for (int i = 0; i < KEYS.length; i++) {
            if (before[i] == 3) {
                heirs.add(meanwhile[i]);
            } else {
                assertThat(meanwhile[i]).isEqualTo(before[i]);
            }
        }
        assertThat(heirs).containsExactlyInAnyOrder(1L, 2L, 4L, 5L);
        assertThat(picks(balancer, endpoints)).isEqualTo(meanwhile);
        endpoints.room[2] = true;
        assertThat(picks(balancer, endpoints)).isEqualTo(before);
    }

    /** All but one are without room, so that most keys come to the end of their attempts. */
    @Test
    void withFewThatHaveRoomKeysStayWhereTheyAre() {
        Endpoints endpoints = alike(200);
        Arrays.fill(endpoints.room, false);
        endpoints.room[7] = true;
        endpoints.room[150] = true;
        LoadBalancer balancer = hash(200);
        long[] first = picks(balancer, endpoints);

        assertThat(picks(balancer, endpoints)).isEqualTo(first);
        assertThat(Arrays.stream(first).filter(identity -> identity == 8).count())
                .isBetween(400L, 600L);
    }

    @Test
    void whatLeavesOrJoinsMovesOnlyItsOwnKeys() {
        Endpoints three = alike(3);
        LoadBalancer balancer = hash(3);
        long[] before = picks(balancer, three);
        Endpoints two = alike(2);
        two.identities[1] = 3;

        balancer = balancer.changed(new int[] {0, 2});

        long[] without = picks(balancer, two);
        for (int i = 0; i < KEYS.length; i++) {
            assertThat(without[i] == before[i]).isEqualTo(before[i] != 2);
        }
        assertThat(picks(balancer.changed(new int[] {0, -1, 1}), three)).isEqualTo(before);
    }

    @Test
    void anEndpointThatStartsSlowlyGetsItsKeysLittleByLittle() {
        Endpoints endpoints = alike(4);
        LoadBalancer balancer = hash(4);
        long[] whole = picks(balancer, endpoints);
        int kept = 0;
        for (int part : new int[] {10, 40, 70, 100}) {
            endpoints.weights[3] = part;
            endpoints.nowNs += 1_000_000_000;
            long[] now = picks(balancer, endpoints);
            int own = 0;
            for (int i = 0; i < KEYS.length; i++) {
                own += now[i] == 4 ? 1 : 0;
                assertThat(now[i] == 4 || now[i] == whole[i] || whole[i] == 4).isTrue();
            }
            assertThat(own).isGreaterThan(kept);
            kept = own;
        }
        assertThat(picks(balancer, endpoints)).isEqualTo(whole);
    }

    @Test
    void weightsThatChangeAreFollowedOnceASecond() {
        Endpoints endpoints = alike(4);
        LoadBalancer balancer = hash(4);
        long[] whole = picks(balancer, endpoints);
        endpoints.weights[3] = 50;
        endpoints.nowNs += 999_999_999;
        assertThat(picks(balancer, endpoints)).isEqualTo(whole);
        endpoints.nowNs += 1;
        assertThat(picks(balancer, endpoints)).isNotEqualTo(whole);
    }

    @Test
    void anEndpointOfWeightZeroGetsNoKey() {
        Endpoints endpoints = alike(3);
        LoadBalancer balancer = hash(3);
        picks(balancer, endpoints);
        endpoints.weights[0] = 0;

        assertThat(picks(balancer, endpoints)).doesNotContain(1);
        Arrays.fill(endpoints.weights, 0);
        assertThat(pick(balancer, endpoints, 5)).isEqualTo(LoadBalancer.NONE);
        endpoints.weights[1] = 1;
        assertThat(pick(balancer, endpoints, 5)).isEqualTo(1);
    }

    /** 400 calls of one key: each endpoint takes at most 1.25 times its part, rounded up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aKeyThatComesTooOftenIsSharedWithinTheBound(long key) {
        Endpoints endpoints = weighing(100, 200, 100, 100, 100, 200, 100, 100, 100, 100);
        LoadBalancer balancer = hash(10);
        int weights = Arrays.stream(endpoints.weights).sum();
        for (int calls = 0; calls < 400; calls++) {
            int picked = pick(balancer, endpoints, key);
            double bound = Math.ceil(1.25 * (calls + 1) * endpoints.weights[picked] / weights);
            endpoints.inFlight[picked]++;
            assertThat(endpoints.inFlight[picked]).isLessThanOrEqualTo((int) Math.max(LoadBound.FEW, bound));
        }
        assertThat(Arrays.stream(endpoints.inFlight).sum()).isEqualTo(400);
    }

    /** What has no room takes no part in the mean, so the others are bounded by theirs. */
    @Test
    void theBoundHoldsForTheRestWhileSomeHaveNoRoom() {
        Endpoints endpoints = alike(6).full(0, 1, 2);
        endpoints.inFlight[0] = 180;
        LoadBalancer balancer = hash(6);
        for (int calls = 0; calls < 300; calls++) {
            endpoints.inFlight[pick(balancer, endpoints, 77)]++;
        }
        assertThat(Arrays.stream(endpoints.inFlight, 3, 6).max().orElseThrow()).isLessThanOrEqualTo(126);
    }

    @Test
    void keysThatComeEquallyOftenStayThoughChanceMakesLoadsUneven() {
        Endpoints endpoints = alike(3);
        LoadBalancer balancer = hash(3);
        long[] owners = picks(balancer, endpoints);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            for (int e = 0; e < 3; e++) {
                endpoints.inFlight[e] = random.nextInt(LoadBound.FEW);
            }
            int key = random.nextInt(KEYS.length);
            assertThat(endpoints.identities[pick(balancer, endpoints, KEYS[key])])
                    .isEqualTo(owners[key]);
        }
    }

    /** The calls are not counted for each pick. */
    @Test
    void ofManyEndpointsTheBoundLagsByFewCalls() {
        int[] looks = {0};
        Endpoints endpoints = alike(1_000).counting(looks);
        LoadBalancer balancer = hash(1_000);
        Arrays.fill(endpoints.inFlight, 10);
        int picks = 500;
        for (int i = 0; i < picks; i++) {
            endpoints.inFlight[pick(balancer, endpoints, 77)]++;
        }
        assertThat(Arrays.stream(endpoints.inFlight).max().orElseThrow()).isLessThanOrEqualTo(14);
        // Those of attempts, and those of counting, 64 for each pick.
        assertThat(looks[0] / picks).isLessThan(300);
    }

    /** A call may leave its zone, and the calls were counted inside. */
    @Test
    void theBoundHoldsWhereTheCallsWereCountedOfOtherEndpoints() {
        for (long key = 1; key <= 50; key++) {
            Endpoints endpoints = alike(1_000);
            Arrays.fill(endpoints.inFlight, 10);
            LoadBalancer balancer = hash(1_000);
            pick(balancer, endpoints, key);
            Arrays.fill(endpoints.room, false);
            Arrays.fill(endpoints.room, 0, 3, true);
            endpoints.inFlight[0] = 100;
            endpoints.inFlight[1] = 20;
            endpoints.inFlight[2] = 20;

            assertThat(pick(balancer, endpoints, key)).isIn(1, 2);
        }
    }

    @Test
    void withoutABoundAKeyKeepsItsEndpoint() {
        Endpoints endpoints = alike(3);
        LoadBalancer balancer = unbounded(3);
        int owner = pick(balancer, endpoints, 5);
        endpoints.inFlight[owner] = 10_000;

        assertThat(pick(balancer, endpoints, 5)).isEqualTo(owner);
    }

    /** If this fails, a new version sends keys elsewhere than the old one beside it. */
    @Test
    void knownKeysGoToTheEndpointsThatTheyHaveAlwaysGoneTo() {
        StringBuilder letters = new StringBuilder();
        Endpoints endpoints = weighing(100, 100, 200);
        LoadBalancer balancer = hash(3);
        for (long key = 1; key <= 30; key++) {
            letters.append((char) ('a' + pick(balancer, endpoints, key)));
        }
        assertThat(letters).hasToString("ccaabccbcacbabbbbbbcbcbcbaacbb");
    }
}
