package io.dubbomesh.loadbalance;

import java.util.SplittableRandom;

/**
 * Picks each endpoint with a probability of its weight over the sum of the weights, counting only those that have room.
 * It keeps no memory of earlier picks, so independent balancers never pick in step.
 */
final class WeightedRandom implements LoadBalancer {
    private final SplittableRandom random;

    WeightedRandom(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int pick(LoadView view) {
        int size = view.size();
        long sum = 0;
        for (int i = 0; i < size; i++) {
            if (view.hasRoom(i)) {
                sum += view.weight(i);
            }
        }
        if (sum == 0) {
            return NONE;
        }
        long ticket = random.nextLong(sum);
        for (int i = 0; i < size; i++) {
            if (view.hasRoom(i)) {
                ticket -= view.weight(i);
                if (ticket < 0) {
                    return i;
                }
            }
        }
        throw new AssertionError("the view changed during a pick");
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        return this;
    }
}
