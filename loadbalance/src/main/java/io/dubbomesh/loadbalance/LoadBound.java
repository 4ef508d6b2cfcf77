package io.dubbomesh.loadbalance;

/**
 * The bound of an endpoint's calls in flight where keys decide, so that neither a key that comes often nor an uneven
 * hash overloads one: with a percentage <i>c</i>, the next call may go there if the endpoint has fewer than <i>c</i>
 * times its part by weight of all calls, this one included (V. Mirrokni, M. Thorup and M. Zadimoghaddam, "Consistent
 * hashing with bounded loads", 2016). Only endpoints that have room count, so one of them always is below the bound.
 *
 * <p>Fewer than {@link #FEW} calls are no load: there the bound would move keys by chance.
 *
 * <p>The calls are counted for each pick that needs them; of more than {@link #COUNTED} endpoints for one pick of so
 * many that each pays for {@link #COUNTED}, and when no endpoint that was tried is below the bound.
 */
final class LoadBound {
    static final int FEW = 8;
    private static final int COUNTED = 64;

    private final int percent;
    private int picksLeft;
    private long calls;
    private long weightSum;

    /** @param percent 0 for no bound */
    LoadBound(int percent) {
        this.percent = percent;
    }

    /** Notes that a pick begins. */
    void beginPick() {
        picksLeft--;
    }

    /** Returns whether an endpoint with room may have another call. */
    boolean admits(LoadView view, int index) {
        int inFlight = view.inFlight(index);
        if (inFlight < FEW || percent == 0) {
            return true;
        }
        if (picksLeft <= 0) {
            count(view);
        }
        return inFlight * 100.0 * weightSum < percent * (calls + 1.0) * view.weight(index);
    }

    /** Counts the calls of the endpoints with room. */
    void count(LoadView view) {
        picksLeft = Math.max(1, view.size() / COUNTED);
        calls = 0;
        weightSum = 0;
        for (int i = 0; i < view.size(); i++) {
            int weight = view.weight(i);
            if (weight > 0 && view.hasRoom(i)) {
                calls += view.inFlight(i);
                weightSum += weight;
            }
        }
    }
}
