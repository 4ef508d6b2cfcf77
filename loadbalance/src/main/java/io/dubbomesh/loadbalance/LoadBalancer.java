package io.dubbomesh.loadbalance;

/**
 * Chooses an endpoint for each call. Owned by one event loop; never shared between threads. Choosing allocates nothing
 * and changes only the balancer's own state.
 */
public interface LoadBalancer {
    /** No endpoint has both a weight and room. */
    int NONE = -1;

    /**
     * Returns the index of the endpoint for the next call, or {@link #NONE}, which leaves the balancer as it was: the
     * caller may ask again with a view in which more endpoints have room.
     */
    int pick(LoadView view);

    /**
     * Returns the balancer for a changed list of endpoints, which keeps the state of those that stay. This one must not
     * be used afterwards.
     *
     * @param previousIndex for each endpoint of the new list its index in the old one, or -1 if it is new
     */
    LoadBalancer changed(int[] previousIndex);
}
