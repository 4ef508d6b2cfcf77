package io.dubbomesh.loadbalance;

import java.util.SplittableRandom;

/**
 * Picks each endpoint with a probability of its weight over the sum of the weights, counting only those that have room.
 * It keeps no memory of earlier picks, so independent balancers never pick in step.
 */
final class WeightedRandom implements LoadBalancer {
    private final WeightedDraw draw;

    WeightedRandom(int size, long seed) {
        this(new WeightedDraw(size, new SplittableRandom(seed)));
    }

    private WeightedRandom(WeightedDraw draw) {
        this.draw = draw;
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        draw.refresh(view);
        return draw.draw(view);
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        return new WeightedRandom(draw.resized(previousIndex.length));
    }
}
