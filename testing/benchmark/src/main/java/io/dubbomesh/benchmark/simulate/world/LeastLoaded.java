package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;

import java.util.SplittableRandom;

/** Finagle's least loaded balancer: the fewest calls in flight, of several any one. */
final class LeastLoaded implements LoadBalancer {
    private final SplittableRandom random;

    LeastLoaded(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        int best = NONE;
        int same = 0;
        for (int i = 0; i < view.size(); i++) {
            if (!view.hasRoom(i)) {
                continue;
            }
            if (best == NONE || view.inFlight(i) < view.inFlight(best)) {
                best = i;
                same = 1;
            } else if (view.inFlight(i) == view.inFlight(best) && random.nextInt(++same) == 0) {
                best = i;
            }
        }
        return best;
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        return this;
    }
}
