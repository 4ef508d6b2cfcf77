package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.loadbalance.Subset;
import io.dubbomesh.registry.Endpoint;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceSubsetTest {
    private static final int SIZE = 20;

    @Test
    void aSubsetHasThreeQuartersOfItsEndpointsInTheZone() {
        assertThat(inZone(choose(100, 100))).isEqualTo(15);
    }

    /** All 15 in the zone are down: as many as are wanted take calls again at once, and 15 links are in vain, not 60. */
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
        int[] shares = choose(3, 100).shares();
        assertThat(IntStream.of(shares).limit(SIZE)).allMatch(share -> share == 10_000);
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
            listed.add(new Endpoint("192.0.2.1", 1000 + i, 1, 180, List.of()).withZone(i < near ? "north" : "south"));
        }
        return listed;
    }

    private static long inZone(ServiceSubset.Choice chosen) {
        return chosen.endpoints().stream()
                .filter(endpoint -> endpoint.zone().equals("north"))
                .count();
    }
}
