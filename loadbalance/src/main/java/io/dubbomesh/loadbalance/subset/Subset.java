package io.dubbomesh.loadbalance.subset;

import java.util.Arrays;

/**
 * Chooses the endpoints of a large service that one event loop of an agent uses, so that not every loop of every agent
 * has a link to every endpoint: the first ones in an order of its own, or of an agent in a zone the first ones there
 * and the first ones elsewhere. This is rendezvous hashing with weights: the place of an endpoint is drawn from a hash
 * of the agent and the endpoint, so that
 * <ul>
 *   <li>every loop draws for itself, and needs to know nothing of other agents,
 *   <li>an endpoint that comes, goes, or changes its weight moves no other one,
 *   <li>an endpoint of twice the weight is drawn by about twice as many loops,
 *   <li>the loops of one agent draw different endpoints as far as there are enough: each loop turns the agent's hash by
 *       its part of the circle.
 * </ul>
 * Immutable.
 */
public final class Subset {
    private final long agent;
    private final double turn;

    /**
     * @param agent a number that no other agent has
     * @param loop  the index of the event loop
     * @param loops of the agent
     */
    public Subset(long agent, int loop, int loops) {
        this.agent = mix(agent);
        turn = (double) loop / loops;
    }

    /**
     * Returns the place of an endpoint in this loop's order: lower ones come first.
     *
     * @param endpoint a number of the endpoint, the same in all agents
     * @param weight   at least 1
     */
    public double place(long endpoint, int weight) {
        double drawn = (mix(agent ^ mix(endpoint)) >>> 11) * 0x1.0p-53 + turn;
        // Exponentially distributed: the minimum of several such numbers belongs to each with the probability of its
        // weight.
        return -Math.log1p(-(drawn < 1 ? drawn : drawn - 1)) / weight;
    }

    /** Mixes the bits of a number (Stafford's Mix13, as in SplittableRandom). */
    private static long mix(long number) {
        long mixed = (number + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        mixed = (mixed ^ mixed >>> 31) * 0xbf58476d1ce4e5b9L;
        return mixed ^ mixed >>> 32;
    }

    /**
     * Returns the weights of a subset's endpoints, so that all loops together call each endpoint by its weight: the
     * weight over the part of the loops that draw it. Where all weights are equal, so are these; an endpoint so heavy
     * that every loop draws it keeps the whole of its weight.
     *
     * @param weights of all endpoints, each at least 1
     * @param size    of the subset; if all endpoints are in it, each keeps its weight
     * @return for each endpoint a number from 1 to {@code max}
     */
    public static int[] shares(int[] weights, int size, int max) {
        double threshold = size < weights.length ? threshold(weights, size) : Double.POSITIVE_INFINITY;
        double largest = 0;
        for (int weight : weights) {
            largest = Math.max(largest, share(weight, threshold));
        }
        int[] shares = new int[weights.length];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = (int) Math.max(1, Math.round(max * share(weights[i], threshold) / largest));
        }
        return shares;
    }

    private static double share(int weight, double threshold) {
        return weight / -Math.expm1(-threshold * weight);
    }

    /** Returns the place below which {@code size} endpoints are expected. */
    private static double threshold(int[] weights, int size) {
        int[] sorted = weights.clone();
        Arrays.sort(sorted);
        double low = 0;
        double high = 1;
        while (expected(sorted, high) < size) {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            if (expected(sorted, middle) < size) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Returns the number of places that are expected below {@code threshold}. */
    private static double expected(int[] sorted, double threshold) {
        double expected = 0;
        for (int from = 0, to; from < sorted.length; from = to) {
            to = from + 1;
            while (to < sorted.length && sorted[to] == sorted[from]) {
                to++;
            }
            expected -= (to - from) * Math.expm1(-threshold * sorted[from]);
        }
        return expected;
    }
}
