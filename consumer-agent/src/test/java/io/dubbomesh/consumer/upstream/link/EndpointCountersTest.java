package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class EndpointCountersTest {
    private static final String ONE = "192.0.2.1:20880";
    private static final String TWO = "192.0.2.2:20880";

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final EndpointCounters counters = new EndpointCounters(tasks::add);

    @Test
    void whatWasCountedIsThereAgainWhenTheEndpointIs() throws Exception {
        counters.update(directory("192.0.2.1"));
        called(ONE, 3);
        forget();
        assertThat(series(EndpointMetrics.REQUESTS)).containsEntry(ONE + " mesh", 3.0);

        called(ONE, 2);
        forget();
        assertThat(series(EndpointMetrics.REQUESTS)).containsEntry(ONE + " mesh", 5.0);
        assertThat(series(EndpointMetrics.EJECTIONS)).containsEntry("a.B " + ONE, 2.0);
    }

    @Test
    void whatIsNotListedAnyMoreIsForgottenUnlessItIsUsed() throws Exception {
        counters.update(directory("192.0.2.1", "192.0.2.2"));
        called(ONE, 1);
        EndpointCounts used = counters.open(TWO, EndpointProtocol.MESH);
        used.needed = true;
        counters.update(directory());
        forget();
        assertThat(series(EndpointMetrics.REQUESTS)).containsOnlyKeys(TWO + " mesh");

        counters.close(TWO, used);
        forget();
        assertThat(series(EndpointMetrics.REQUESTS)).isEmpty();
    }

    @Test
    void anEndpointThatNoPoolNeededLeavesNothing() {
        counters.update(directory("192.0.2.1"));
        counters.close(ONE, counters.open(ONE, EndpointProtocol.MESH));
        assertThat(series(EndpointMetrics.REQUESTS)).isEmpty();
    }

    @Test
    void theEjectionsFromAServiceWithoutPoolsAreForgotten() {
        called(ONE, 1);
        counters.removeService("a.B");
        assertThat(series(EndpointMetrics.EJECTIONS)).isEmpty();
        assertThat(series(EndpointMetrics.REQUESTS)).containsOnlyKeys(ONE + " mesh");
    }

    @Test
    void durationsOfSoManyEndpointsAreKeptAndAPlaceIsFreedWithItsEndpoint() throws Exception {
        counters.update(directory());
        List<EndpointCounts> needed = new ArrayList<>();
        for (int i = 0; i <= EndpointCounters.MAX_MEASURED; i++) {
            needed.add(counters.open("192.0.2.1:" + (20000 + i), EndpointProtocol.MESH));
            counters.need(needed.get(i));
            needed.get(i).recordDuration(1_000_000);
        }
        assertThat(series(EndpointMetrics.DURATION)).hasSize(EndpointCounters.MAX_MEASURED);
        assertThat(series(EndpointMetrics.REQUESTS)).hasSize(EndpointCounters.MAX_MEASURED + 1);

        counters.close("192.0.2.1:20000", needed.get(0));
        forget();
        counters.need(counters.open(TWO, EndpointProtocol.MESH));
        assertThat(series(EndpointMetrics.DURATION))
                .hasSize(EndpointCounters.MAX_MEASURED)
                .containsKey(TWO);
    }

    /** An endpoint that gets calls, is ejected, and is dropped. */
    private void called(String address, int calls) {
        EndpointCounts counts = counters.open(address, EndpointProtocol.MESH);
        counts.needed = true;
        counts.sent += calls;
        counts.ejected("a.B");
        counters.close(address, counts);
    }

    private void forget() throws InterruptedException {
        counters.removeUnlisted();
        tasks.take().run();
    }

    private Map<String, Double> series(Metric metric) {
        MetricSamples samples = new MetricSamples();
        counters.addTo(samples);
        counters.addDurationsTo(samples);
        Map<String, Double> values = new TreeMap<>();
        samples.forEach((each, byLabels) -> {
            if (each == metric) {
                byLabels.forEach((labels, sample) -> values.put(String.join(" ", labels), sample.value()));
            }
        });
        return values;
    }

    private static Directory directory(String... hosts) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts) {
            endpoints.add(new Endpoint(host, 20880, 1, 180, List.of()));
        }
        return Directory.of(Map.of("a.B", endpoints));
    }
}
