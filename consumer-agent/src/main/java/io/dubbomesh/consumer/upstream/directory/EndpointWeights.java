package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.settings.Settings;

import java.util.List;

/**
 * Makes the weights of a service's endpoints comparable. A provider agent's weight of 1 corresponds to
 * {@value Endpoint#DIRECT_WEIGHT} of a Dubbo provider. An endpoint with {@code lb.weight=auto} has its weight times its
 * capacity over the median capacity of such endpoints, within bounds: a wrong estimate must neither starve nor flood
 * it, and does not move the median, as it would move the mean, by which the others are measured.
 *
 * @param leastPercent of its weight that an endpoint has at least by its capacity
 * @param mostPercent  at most
 */
public record EndpointWeights(int leastPercent, int mostPercent) {
    private static final int PERCENT = 100;
    private static final int MAX_PERCENT = 1000;

    public static EndpointWeights from(Settings settings) {
        return new EndpointWeights(
                settings.integer("lb.weight.least", 1, PERCENT),
                settings.integer("lb.weight.most", PERCENT, MAX_PERCENT));
    }

    /**
     * Returns the weights.
     *
     * @param usable  the endpoints of the service
     * @param serving those of them whose weights are wanted
     */
    public int[] of(List<Endpoint> usable, List<Endpoint> serving) {
        double median = medianCapacity(usable);
        // With automatic ones, parts of weights count.
        int scale = isMixed(usable) || median > 0 ? Endpoint.DIRECT_WEIGHT : 1;
        int[] weights = new int[serving.size()];
        for (int i = 0; i < weights.length; i++) {
            Endpoint listed = serving.get(i);
            int weight = listed.isDirect() ? listed.weight() : listed.weight() * scale;
            weights[i] = listed.capacity() > 0 && weight > 0 ? automatic(weight, listed.capacity() / median) : weight;
        }
        return weights;
    }

    private int automatic(int weight, double ofMedian) {
        double percent = Math.max(leastPercent, Math.min(mostPercent, PERCENT * ofMedian));
        return (int) Math.max(1, Math.round(weight * percent / PERCENT));
    }

    /** Returns 0 if no endpoint has a capacity. */
    private static double medianCapacity(List<Endpoint> usable) {
        int[] sorted = usable.stream()
                .filter(endpoint -> endpoint.capacity() > 0 && endpoint.weight() > 0)
                .mapToInt(Endpoint::capacity)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        if (sorted.length % 2 == 1) {
            return sorted[middle];
        }
        return sorted.length == 0 ? 0 : ((double) sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Returns whether both provider agents and Dubbo providers are among these, whose weights differ in what is usual.
     */
    private static boolean isMixed(List<Endpoint> usable) {
        boolean direct = usable.stream().anyMatch(Endpoint::isDirect);
        return direct && !usable.stream().allMatch(Endpoint::isDirect);
    }
}
