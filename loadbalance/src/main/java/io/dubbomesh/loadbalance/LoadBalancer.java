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
    int pick(LoadView view, long nowNs);

    /**
     * Called when an endpoint has executed a call.
     *
     * @param durationNs from sending the call to reading the answer
     */
    default void answered(int index, long durationNs, long nowNs) {}

    /**
     * Called when a call has ended without a result, for which the endpoint may be at fault or not: the service threw
     * an exception, or did not know the method, or the deadline left less time than calls take. Such an end often comes
     * fast, and so must not make an endpoint attractive; it counts where one endpoint has far more of them than others.
     *
     * @param durationNs from sending the call until then
     */
    default void endedWithoutResult(int index, long durationNs, long nowNs) {
        answered(index, durationNs, nowNs);
    }

    /**
     * Called when a call has failed at an endpoint, or was refused by it, lost with its link, or not answered in time.
     *
     * @param durationNs from sending the call until then
     */
    default void failed(int index, long durationNs, long nowNs) {}

    /** Called when an endpoint has a new connection or takes part again: its failures were before that. */
    default void forgetFailures(int index) {}

    /** Returns what an endpoint is compared by, for operators. Does not change any later pick. */
    default EndpointEstimate estimate(LoadView view, int index, long nowNs) {
        return EndpointEstimate.NONE;
    }

    /**
     * Returns the balancer for a changed list of endpoints, which keeps the state of those that stay. This one must not
     * be used afterwards.
     *
     * @param previousIndex for each endpoint of the new list its index in the old one, or -1 if it is new
     */
    LoadBalancer changed(int[] previousIndex);
}
