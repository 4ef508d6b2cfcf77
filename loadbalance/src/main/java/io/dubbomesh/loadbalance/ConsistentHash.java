package io.dubbomesh.loadbalance;

import io.dubbomesh.loadbalance.hash.HashParameters;
import io.dubbomesh.loadbalance.hash.SlotTable;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Picks the endpoint that the key of the call belongs to, by a {@link SlotTable}. Each key has an order of all
 * endpoints: if the first has no room (it is ejected, full, or has just given this call back) or has more calls than
 * the {@link LoadBound}, the next one stands in for it as long as that lasts. While an endpoint starts slowly, its
 * weight is less, and it gets its keys little by little.
 *
 * <p>Agents agree as far as they know the same endpoints with the same weights: those with other subsets, in other
 * zones, or that have ejected another one do not. Calls without a key are picked by another balancer.
 *
 * <p>The hash has no secret, which all agents would have to share. A client that chooses keys can so aim at one
 * endpoint, as it could by sending one key again and again; the bound limits what that does.
 *
 * <p>A pick takes constant time; where most endpoints have no room, each is looked at. The table is made by the first
 * call with a key after the endpoints have changed, and at most once a second where only their weights do: those of
 * endpoints that start slowly change ten times a second.
 */
final class ConsistentHash implements LoadBalancer {
    /**
     * The most attempts until all endpoints are looked at: so many endpoints take the calls of a key that comes too
     * often before a pick takes as long as there are endpoints.
     */
    private static final int MOST_ATTEMPTS = 256;

    private static final long REWEIGH_NS = TimeUnit.SECONDS.toNanos(1);

    private final LoadBalancer keyless;
    private final HashParameters parameters;
    private final LoadBound bound;
    /** The weights that the table was made of; null before. */
    private int[] weights;

    private int version;
    /** Whether the weights may have changed since. */
    private boolean isStale;

    private long madeNs;
    /** Null where no endpoint has a weight. */
    private SlotTable table;

    /** @param keyless picks for calls without a key */
    ConsistentHash(LoadBalancer keyless, HashParameters parameters) {
        this.keyless = keyless;
        this.parameters = parameters;
        bound = new LoadBound(parameters.loadPercent());
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        long key = view.key();
        if (key == LoadView.NO_KEY) {
            return keyless.pick(view, nowNs);
        }
        if (weights == null) {
            version = view.weightsVersion();
            reweigh(view, nowNs);
        } else {
            followWeights(view, nowNs);
        }
        if (table == null) {
            return NONE;
        }
        bound.beginPick();
        int attempts = Math.min(2 * weights.length, MOST_ATTEMPTS);
        for (int attempt = 0; attempt < attempts; attempt++) {
            int owner = table.owner(key, attempt);
            if (view.hasRoom(owner) && bound.admits(view, owner)) {
                return owner;
            }
        }
        // Each is looked at anyway, and an earlier count may be of others: those in another zone, say.
        bound.count(view);
        return nearest(view, key);
    }

    /** Returns the nearest endpoint within the bound that was just counted: there is one if any has room. */
    private int nearest(LoadView view, long key) {
        int nearest = NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0 && view.hasRoom(i) && bound.admits(view, i)) {
                double distance = SlotTable.distance(key, view.identity(i), weights[i]);
                if (distance < least) {
                    least = distance;
                    nearest = i;
                }
            }
        }
        return nearest;
    }

    private void followWeights(LoadView view, long nowNs) {
        boolean isNew = version != view.weightsVersion();
        if (!isNew && !isStale) {
            return;
        }
        version = view.weightsVersion();
        isStale = true;
        if (nowNs - madeNs >= REWEIGH_NS || isNew && hasOtherOwners(view)) {
            reweigh(view, nowNs);
        }
    }

    /** Returns whether an endpoint without weight has got one, or one has lost its own. */
    private boolean hasOtherOwners(LoadView view) {
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0 != view.weight(i) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Makes the table, unless the ratios of the weights are what they were. */
    private void reweigh(LoadView view, long nowNs) {
        isStale = false;
        madeNs = nowNs;
        int[] changed = new int[view.size()];
        int divisor = 0;
        for (int i = 0; i < changed.length; i++) {
            changed[i] = view.weight(i);
            divisor = greatestCommonDivisor(changed[i], divisor);
        }
        for (int i = 0; i < changed.length && divisor > 1; i++) {
            changed[i] /= divisor;
        }
        if (Arrays.equals(changed, weights)) {
            return;
        }
        weights = changed;
        long[] identities = new long[changed.length];
        Arrays.setAll(identities, view::identity);
        boolean any = Arrays.stream(changed).anyMatch(weight -> weight > 0);
        table = any ? SlotTable.of(identities, changed, parameters.slots()) : null;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        return new ConsistentHash(keyless.changed(previousIndex), parameters);
    }
}
