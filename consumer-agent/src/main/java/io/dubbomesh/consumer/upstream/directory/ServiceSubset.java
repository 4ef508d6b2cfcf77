package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.loadbalance.subset.Subset;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.HostPort;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses of a service's endpoints those that an event loop has links to: all of them, or of a large service the
 * {@link Subset}. An agent that has a zone takes three quarters of its subset from there, as far as there are so many;
 * the others are for calls that the zone has no room for.
 */
public final class ServiceSubset {
    /**
     * The bound of a share: so large that the shares of small weights are exact enough, and so small that sums of them
     * fit an int.
     */
    private static final int MAX_SHARE = 10_000;

    private final Subset subset;
    private final int size;
    private final String zone;

    /**
     * The chosen endpoints, in the order of the list.
     *
     * @param weights    as they are listed; 0 for one that gets no calls
     * @param parts      the weights that make their parts of the calls of all agents
     * @param shares     what the calls are spread by
     * @param candidates how many there were to choose from; 0 if all were taken
     */
    public record Choice(List<Endpoint> endpoints, int[] weights, int[] parts, int[] shares, int candidates) {
        public static final Choice NONE = new Choice(List.of(), new int[0], new int[0], 0);

        /** Makes a choice of all endpoints: the calls are spread by their parts. */
        public Choice(List<Endpoint> endpoints, int[] weights, int[] shares, int candidates) {
            this(endpoints, weights, shares, shares, candidates);
        }
    }

    /**
     * @param size 0 for all endpoints
     * @param zone of this agent; empty for none
     */
    public ServiceSubset(Subset subset, int size, String zone) {
        this.subset = subset;
        this.size = size;
        this.zone = zone;
    }

    public SubsetSize newSize() {
        return new SubsetSize(size);
    }

    /**
     * Chooses as many as wanted. Endpoints without a weight are not in a subset.
     *
     * @param weights of the endpoints
     */
    public Choice choose(List<Endpoint> endpoints, int[] weights, SubsetSize wanted) {
        int candidates =
                (int) Arrays.stream(weights).filter(weight -> weight > 0).count();
        if (size == 0 || candidates <= size) {
            return new Choice(endpoints, listed(endpoints, weights), weights, 0);
        }
        boolean[] near = new boolean[weights.length];
        int nearCandidates = 0;
        for (int i = 0; i < near.length; i++) {
            near[i] = !zone.isEmpty() && endpoints.get(i).zone().equals(zone);
            nearCandidates += near[i] && weights[i] > 0 ? 1 : 0;
        }
        int taken = Math.min(wanted.wanted(), candidates);
        int nearSize = ofZone(size, nearCandidates, candidates);
        int others = candidates - nearCandidates;
        int nearTaken = Math.min(nearCandidates, Math.max(taken - others, nearSize + wanted.replacementsInZone()));
        int[] shares = new int[weights.length];
        draw(endpoints, weights, near, true, nearTaken, nearSize, shares);
        draw(endpoints, weights, near, false, taken - nearTaken, size - nearSize, shares);
        return choice(endpoints, weights, shares, candidates);
    }

    /** Returns the weights that the registry has of those that get calls. */
    private static int[] listed(List<Endpoint> endpoints, int[] weights) {
        return IntStream.range(0, weights.length)
                .map(i -> weights[i] == 0 ? 0 : endpoints.get(i).weight())
                .toArray();
    }

    /** Returns how many of a subset are in the zone if all of them take calls. */
    private static int ofZone(int size, int nearCandidates, int candidates) {
        int othersAtLeast = size == 1 ? 0 : Math.min(candidates - nearCandidates, Math.max(1, size / 4));
        return Math.min(nearCandidates, size - othersAtLeast);
    }

    /**
     * Draws so many of those that are in the zone, or of the others.
     *
     * @param wanted how many; 0 for none
     * @param size   how many are usual
     * @param shares gets those of the drawn ones; 0 stands for one that is not drawn
     */
    private void draw(
            List<Endpoint> endpoints,
            int[] weights,
            boolean[] near,
            boolean isNear,
            int wanted,
            int size,
            int[] shares) {
        int[] candidates = IntStream.range(0, weights.length)
                .filter(i -> weights[i] > 0 && near[i] == isNear)
                .toArray();
        if (wanted == 0 || candidates.length == 0) {
            return;
        }
        double[] places = new double[candidates.length];
        int[] candidateWeights = new int[candidates.length];
        for (int i = 0; i < candidates.length; i++) {
            candidateWeights[i] = weights[candidates[i]];
            places[i] = subset.place(identity(endpoints.get(candidates[i])), candidateWeights[i]);
        }
        double[] inOrder = places.clone();
        Arrays.sort(inOrder);
        double last = inOrder[wanted - 1];
        int[] candidateShares = Subset.shares(candidateWeights, size, MAX_SHARE);
        for (int i = 0; i < candidates.length; i++) {
            shares[candidates[i]] = places[i] <= last ? candidateShares[i] : 0;
        }
    }

    private static Choice choice(List<Endpoint> endpoints, int[] weights, int[] shares, int candidates) {
        int[] chosen =
                IntStream.range(0, shares.length).filter(i -> shares[i] > 0).toArray();
        int[] listed = listed(endpoints, weights);
        return new Choice(
                Arrays.stream(chosen).mapToObj(endpoints::get).toList(),
                Arrays.stream(chosen).map(i -> listed[i]).toArray(),
                Arrays.stream(chosen).map(i -> weights[i]).toArray(),
                Arrays.stream(chosen).map(i -> shares[i]).toArray(),
                candidates);
    }

    private static long identity(Endpoint endpoint) {
        return new HostPort(endpoint.host(), endpoint.port()).identity();
    }
}
