package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointWeightsTest {
    @Test
    void weightsAreThoseOfTheRegistry() {
        assertThat(weights(agent(1, 0), agent(0, 0), agent(3, 0))).containsExactly(1, 0, 3);
        assertThat(weights(provider(100), provider(50))).containsExactly(100, 50);
    }

    @Test
    void theWeightOneOfAnAgentIsTheWeightHundredOfAProvider() {
        assertThat(weights(agent(1, 0), provider(50))).containsExactly(100, 50);
    }

    /** The contest's providers: 112, 200 and 200 calls of 50 ms at once. */
    @Test
    void automaticWeightsAreInRelationToTheMedianCapacity() {
        assertThat(weights(agent(1, 2240), agent(1, 4000), agent(1, 4000))).containsExactly(56, 100, 100);
        assertThat(weights(agent(2, 1000), agent(1, 1000)))
                .as("weights stay weights")
                .containsExactly(200, 100);
        assertThat(weights(agent(1, 1000), agent(1, 3000), agent(1, 0)))
                .as("one of which nothing is known is taken for a median one")
                .containsExactly(50, 150, 100);
        assertThat(weights(agent(0, 1000), agent(1, 3000))).containsExactly(0, 100);
    }

    @Test
    void automaticWeightsHaveBounds() {
        assertThat(weights(agent(1, 1), agent(1, 1000), agent(1, 1000), agent(1, 100_000_000)))
                .containsExactly(25, 100, 100, 400);
    }

    /** With the mean, one far too high estimate would bring all others to their lower bound. */
    @Test
    void oneWrongCapacityChangesNoOtherWeight() {
        assertThat(weights(agent(1, 800), agent(1, 1000), agent(1, 1200), agent(1, 1000), agent(1, 1_000_000_000)))
                .containsExactly(80, 100, 120, 100, 400);
        assertThat(weights(agent(1, 800), agent(1, 1000), agent(1, 1200), agent(1, 1000), agent(1, 1)))
                .containsExactly(80, 100, 120, 100, 25);
    }

    private static int[] weights(Endpoint... endpoints) {
        return new EndpointWeights(25, 400).of(List.of(endpoints), List.of(endpoints));
    }

    private static Endpoint agent(int weight, int capacity) {
        return new Endpoint("192.0.2.7", 30000, weight, 180, List.of(), "", List.of(), Map.of(), "", capacity);
    }

    private static Endpoint provider(int weight) {
        DubboExport export = new DubboExport(Variant.NONE, "", "", "", "", Map.of());
        return new Endpoint("192.0.2.7", 20880, weight, 180, List.of(), List.of(export));
    }
}
