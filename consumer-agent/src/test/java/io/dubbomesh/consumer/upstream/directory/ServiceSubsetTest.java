package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.loadbalance.subset.Subset;
import io.dubbomesh.registry.Endpoint;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceSubsetTest {
    private static final int SIZE = 20;
    private static final int FIRST_PORT = 1000;

    @Test
    void aSubsetHasThreeQuartersOfItsEndpointsInTheZone() {
        assertThat(inZone(choose(100, 100))).isEqualTo(15);
    }

    /** All 15 in the zone are down: as many as are wanted take calls at once, and 15 links are in vain. */
    @Test
    void aSubsetOfAZoneThatIsDownGrowsElsewhere() {
        SubsetSize wanted = new SubsetSize(SIZE);
        wanted.adjust(new SubsetSize.Members(SIZE, 5, 0), 200, 0);
        ServiceSubset.Choice chosen = choose(100, 100, wanted);
        assertThat(chosen.endpoints()).hasSize(35);
        assertThat(inZone(chosen)).isEqualTo(15);
    }

    @Test
    void aSubsetGrowsInTheZoneWhereTheOthersAreDown() {
        SubsetSize wanted = new SubsetSize(SIZE);
        wanted.adjust(new SubsetSize.Members(SIZE, 15, 15), 200, 0);
        ServiceSubset.Choice chosen = choose(100, 100, wanted);
        assertThat(chosen.endpoints()).hasSize(25);
        assertThat(inZone(chosen)).isEqualTo(20);
    }

    @Test
    void aSubsetGrowsInTheZoneWhereThereAreNoMoreOthers() {
        SubsetSize wanted = new SubsetSize(SIZE);
        wanted.adjust(new SubsetSize.Members(SIZE, 8, 0), 110, 0);
        ServiceSubset.Choice chosen = choose(100, 10, wanted);
        assertThat(chosen.endpoints()).hasSize(32);
        assertThat(inZone(chosen)).isEqualTo(22);
    }

    @Test
    void aSubsetHasAllOfTheZoneWhereThatHasFew() {
        ServiceSubset.Choice chosen = choose(3, 100);
        assertThat(inZone(chosen)).isEqualTo(3);
        assertThat(chosen.endpoints()).hasSize(SIZE);
    }

    @Test
    void aSubsetIsFilledUpFromTheZoneWhereThereAreFewOthers() {
        ServiceSubset.Choice chosen = choose(100, 2);
        assertThat(inZone(chosen)).isEqualTo(18);
        assertThat(chosen.endpoints()).hasSize(SIZE);
        assertThat(chosen.candidates()).isEqualTo(102);
    }

    @Test
    void theEndpointsKeepTheirOrder() {
        List<Integer> ports =
                choose(30, 30).endpoints().stream().map(Endpoint::port).toList();
        assertThat(ports).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void sharesAreThoseOfTheZoneAndOfTheOthers() {
        int[] weights = weights(103);
        weights[1] = 2;
        weights[2] = 4;
        for (int i = 3; i < weights.length; i += 2) {
            weights[i] = 3;
        }
        ServiceSubset.Choice chosen = new ServiceSubset(new Subset(7, 0, 1), SIZE, "north")
                .choose(listed(3, 100), weights, new SubsetSize(SIZE));

        assertThat(Arrays.copyOf(chosen.shares(), 3))
                .as("all of the zone are drawn: their weights")
                .containsExactly(2_500, 5_000, 10_000);
        int[] shares = Subset.shares(Arrays.copyOfRange(weights, 3, weights.length), SIZE - 3, 10_000);
        for (int i = 3; i < SIZE; i++) {
            int listedAt = chosen.endpoints().get(i).port() - FIRST_PORT;
            assertThat(chosen.shares()[i]).isEqualTo(shares[listedAt - 3]);
            assertThat(chosen.parts()[i]).isEqualTo(weights[listedAt]);
        }
        assertThat(Arrays.copyOfRange(chosen.shares(), 3, SIZE))
                .as("heavy ones are drawn more often")
                .doesNotContain(0)
                .contains(10_000);
    }

    /** Loops draw an endpoint of three times the capacity more often, and all of them together call it so much more. */
    @Test
    void automaticWeightsCountInASubset() {
        List<Endpoint> listed = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int capacity = i % 2 == 0 ? 1000 : 3000;
            listed.add(new Endpoint(
                    "192.0.2.1", FIRST_PORT + i, 1, 180, List.of(), "", List.of(), Map.of(), "", capacity));
        }
        int[] weights = new EndpointWeights(25, 400).of(listed, listed);
        double[] calls = new double[2];
        for (int agent = 0; agent < 400; agent++) {
            ServiceSubset.Choice chosen =
                    new ServiceSubset(new Subset(agent, 0, 1), SIZE, "").choose(listed, weights, new SubsetSize(SIZE));
            double sum = IntStream.of(chosen.shares()).sum();
            for (int i = 0; i < SIZE; i++) {
                calls[chosen.endpoints().get(i).port() % 2] += chosen.shares()[i] / sum;
            }
        }
        assertThat(calls[1] / calls[0]).isBetween(2.7, 3.3);
    }

    /** An automatic weight, or one beside those of Dubbo providers, is another number than the registry has. */
    @Test
    void theWeightsAreThoseOfTheRegistryWhereverCallsGo() {
        List<Endpoint> listed = List.of(
                new Endpoint("192.0.2.1", 1, 3, 180, List.of()),
                new Endpoint("192.0.2.1", 2, 2, 180, List.of()),
                new Endpoint("192.0.2.1", 3, 1, 180, List.of()));
        int[] weights = {120, 0, 85};

        ServiceSubset.Choice all =
                new ServiceSubset(new Subset(7, 0, 1), 2, "").choose(listed, weights, new SubsetSize(2));
        assertThat(all.weights()).containsExactly(3, 0, 1);
        assertThat(all.shares()).containsExactly(120, 0, 85);

        ServiceSubset.Choice one =
                new ServiceSubset(new Subset(7, 0, 1), 1, "").choose(listed, weights, new SubsetSize(1));
        assertThat(one.weights()[0]).isEqualTo(one.endpoints().get(0).weight());
    }

    @Test
    void aSubsetOfOneIsInTheZone() {
        assertThat(inZone(new ServiceSubset(new Subset(7, 0, 1), 1, "north")
                        .choose(listed(5, 5), weights(10), new SubsetSize(1))))
                .isOne();
    }

    @Test
    void zonesDoNotMatterToAnAgentThatHasNone() {
        List<Endpoint> listed = listed(40, 40);
        List<Endpoint> unzoned =
                listed.stream().map(endpoint -> endpoint.withZone("")).toList();
        assertThat(new ServiceSubset(new Subset(7, 0, 1), SIZE, "")
                        .choose(listed, weights(80), new SubsetSize(SIZE)).endpoints().stream()
                                .map(Endpoint::port))
                .isEqualTo(new ServiceSubset(new Subset(7, 0, 1), SIZE, "north")
                        .choose(unzoned, weights(80), new SubsetSize(SIZE)).endpoints().stream()
                                .map(Endpoint::port)
                                .toList());
    }

    private static ServiceSubset.Choice choose(int near, int others) {
        return choose(near, others, new SubsetSize(SIZE));
    }

    private static ServiceSubset.Choice choose(int near, int others, SubsetSize wanted) {
        return new ServiceSubset(new Subset(7, 0, 1), SIZE, "north")
                .choose(listed(near, others), weights(near + others), wanted);
    }

    private static int[] weights(int count) {
        return IntStream.range(0, count).map(i -> 1).toArray();
    }

    private static List<Endpoint> listed(int near, int others) {
        List<Endpoint> listed = new ArrayList<>();
        for (int i = 0; i < near + others; i++) {
            listed.add(new Endpoint("192.0.2.1", FIRST_PORT + i, 1, 180, List.of())
                    .withZone(i < near ? "north" : "south"));
        }
        return listed;
    }

    private static long inZone(ServiceSubset.Choice chosen) {
        return chosen.endpoints().stream()
                .filter(endpoint -> endpoint.zone().equals("north"))
                .count();
    }
}
