package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.loadbalance.Subset;
import io.dubbomesh.registry.Endpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses of a service's endpoints those that an event loop has links to: all of them, or of a large service the
 * {@link Subset}.
 */
public final class ServiceSubset {
    /**
     * The bound of a share: so large that the shares of small weights are exact enough, and so small that sums of them
     * fit an int.
     */
    private static final int MAX_SHARE = 10_000;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final Subset subset;
    private final int size;

    /**
     * The chosen endpoints, in the order of the list.
     *
     * @param weights    as they are listed
     * @param shares     what the calls are spread by
     * @param candidates how many there were to choose from; 0 if all were taken
     */
    public record Choice(List<Endpoint> endpoints, int[] weights, int[] shares, int candidates) {
        public static final Choice NONE = new Choice(List.of(), new int[0], new int[0], 0);
    }

    /** @param size 0 for all endpoints */
    public ServiceSubset(Subset subset, int size) {
        this.subset = subset;
        this.size = size;
    }

    public SubsetSize newSize() {
        return new SubsetSize(size);
    }

    /**
     * Chooses so many. Endpoints without a weight are not in a subset.
     *
     * @param weights of the endpoints
     */
    public Choice choose(List<Endpoint> endpoints, int[] weights, int wanted) {
        int candidates =
                (int) Arrays.stream(weights).filter(weight -> weight > 0).count();
        if (size == 0 || candidates <= size) {
            return new Choice(endpoints, weights, weights, 0);
        }
        double[] places = new double[endpoints.size()];
        int[] candidateWeights = new int[candidates];
        int candidate = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = weights[i] == 0 ? Double.POSITIVE_INFINITY : subset.place(number(endpoints.get(i)), weights[i]);
            if (weights[i] > 0) {
                candidateWeights[candidate++] = weights[i];
            }
        }
        double[] inOrder = places.clone();
        Arrays.sort(inOrder);
        double last = inOrder[Math.min(wanted, candidates) - 1];
        int[] shares = Subset.shares(candidateWeights, size, MAX_SHARE);
        List<Endpoint> chosen = new ArrayList<>();
        int[] chosenWeights = new int[candidates];
        int[] chosenShares = new int[candidates];
        candidate = 0;
        for (int i = 0; i < places.length; i++) {
            if (places[i] <= last) {
                chosenWeights[chosen.size()] = weights[i];
                chosenShares[chosen.size()] = shares[candidate];
                chosen.add(endpoints.get(i));
            }
            candidate += weights[i] > 0 ? 1 : 0;
        }
        return new Choice(chosen, chosenWeights, chosenShares, candidates);
    }

    /** Returns the FNV-1a of its address. */
    private static long number(Endpoint endpoint) {
        String host = endpoint.host();
        long number = FNV_OFFSET;
        for (int i = 0; i < host.length(); i++) {
            number = (number ^ host.charAt(i)) * FNV_PRIME;
        }
        return (number ^ endpoint.port()) * FNV_PRIME;
    }
}
