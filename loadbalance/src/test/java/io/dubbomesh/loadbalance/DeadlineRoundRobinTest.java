package io.dubbomesh.loadbalance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class DeadlineRoundRobinTest {
    private static final long SEED = 7;

    /** The same turns in a list that is sorted for each pick. */
    private static final class Reference {
        final SplittableRandom random;
        final double[] turn;
        final double[] period;
        double now;

        Reference(int size, SplittableRandom random) {
            this.random = random;
            turn = new double[size];
            period = new double[size];
        }

        void reweigh(Endpoints view) {
            for (int i = 0; i < turn.length; i++) {
                if (view.weight(i) == 0) {
                    period[i] = 0;
                    continue;
                }
                double changed = 1.0 / view.weight(i);
                double parts = period[i] == 0 ? random.nextDouble() : Math.max(0, turn[i] - now) / period[i];
                turn[i] = now + parts * changed;
                period[i] = changed;
            }
        }

        int pick(Endpoints view) {
            List<Integer> missed = new ArrayList<>();
            for (int next : IntStream.range(0, turn.length)
                    .filter(i -> period[i] > 0)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> turn[i]))
                    .toList()) {
                if (view.room[next]) {
                    now = Math.max(now, turn[next]);
                    turn[next] = now + period[next];
                    missed.forEach(i -> turn[i] += period[i]);
                    return next;
                }
                if (missed.size() < 8) {
                    missed.add(next);
                }
            }
            return LoadBalancer.NONE;
        }

        boolean isAnyLate() {
            return IntStream.range(0, turn.length).anyMatch(i -> period[i] > 0 && turn[i] < now);
        }

        Reference changed(int[] previousIndex) {
            Reference changed = new Reference(previousIndex.length, random);
            changed.now = now;
            for (int i = 0; i < previousIndex.length; i++) {
                if (previousIndex[i] >= 0) {
                    changed.turn[i] = turn[previousIndex[i]];
                    changed.period[i] = period[previousIndex[i]];
                }
            }
            return changed;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 20, 100})
    void theEarliestTurnOfAnEndpointWithRoomIsNext(int size) {
        SplittableRandom choices = new SplittableRandom(size);
        // Either of two with the same turn may be next: no two have the same weight, and these choices make none.
        Endpoints endpoints = Endpoints.weighing(
                IntStream.range(0, size).map(i -> i % 7 == 6 ? 0 : 11 + i * i).toArray());
        LoadBalancer balancer = new DeadlineRoundRobin(size, 0, new SplittableRandom(SEED));
        Reference reference = new Reference(size, new SplittableRandom(SEED));
        reference.reweigh(endpoints);

        for (int round = 0; round < 400; round++) {
            if (round % 40 == 39) {
                Arrays.fill(endpoints.room, true);
                while (reference.isAnyLate()) {
                    assertThat(endpoints.pick(balancer)).as("round %s", round).isEqualTo(reference.pick(endpoints));
                }
                endpoints.weights[choices.nextInt(size)] = choices.nextInt(20_000, 30_000);
                reference.reweigh(endpoints);
            }
            // From none that is full to nearly all.
            int most = choices.nextInt(10);
            for (int i = 0; i < size; i++) {
                endpoints.room[i] = choices.nextInt(10) >= most;
            }
            for (int i = 0; i < 10; i++) {
                assertThat(endpoints.pick(balancer)).as("round %s", round).isEqualTo(reference.pick(endpoints));
            }
        }
    }

    @Test
    void inAChangedListThoseThatStayKeepTheirTurns() {
        int[] first = IntStream.range(0, 80).map(i -> 1 + 7 * i).toArray();
        Endpoints before = Endpoints.weighing(first);
        LoadBalancer balancer = new DeadlineRoundRobin(80, 0, new SplittableRandom(SEED));
        Reference reference = new Reference(80, new SplittableRandom(SEED));
        reference.reweigh(before);
        for (int i = 0; i < 500; i++) {
            assertThat(before.pick(balancer)).isEqualTo(reference.pick(before));
        }

        // Two new ones in front, and every eleventh is gone.
        int[] previous = IntStream.concat(
                        IntStream.of(-1, -1), IntStream.range(0, 80).filter(i -> i % 11 != 10))
                .toArray();
        Endpoints after = Endpoints.weighing(IntStream.of(previous)
                .map(index -> index < 0 ? 3 : first[index])
                .toArray());
        LoadBalancer changed = balancer.changed(previous);
        Reference expected = reference.changed(previous);
        expected.reweigh(after);
        for (int i = 0; i < 500; i++) {
            assertThat(after.pick(changed)).isEqualTo(expected.pick(after));
        }
    }

    @Test
    void aFewEndpointsAreLookedAtOneByOne() {
        LoadBalancer balancer = new DeadlineRoundRobin(70, 0, new SplittableRandom(SEED));
        assertThat(balancer.changed(new int[64])).isInstanceOf(SmoothWeightedRoundRobin.class);
        assertThat(balancer.changed(new int[65])).isInstanceOf(DeadlineRoundRobin.class);
    }
}
