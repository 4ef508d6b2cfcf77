package io.dubbomesh.loadbalance;

/**
 * The endpoints of one service as they are at this moment, by index from 0 to {@code size() - 1}. Weights and load
 * change between picks; size and order do not: for a changed list of endpoints {@link LoadBalancer#changed} gives a new
 * balancer.
 */
public interface LoadView {
    /** The key of a call that has none. */
    long NO_KEY = 0;

    /**
     * Returns the key of the call that is to be sent, a hash of what it has in common with those that are to go to the
     * same endpoint, or {@link #NO_KEY}.
     */
    long key();

    int size();

    /** Returns a number of the endpoint itself, the same in all agents. */
    long identity(int index);

    /** Returns the share of the calls that this endpoint is to get, relative to the others; 0 = no new calls. */
    int weight(int index);

    /** Returns a number that is another one whenever any weight has changed. */
    int weightsVersion();

    /** Returns whether this endpoint can take another call now. */
    boolean hasRoom(int index);

    /** Returns the calls that the owner of the balancer has in flight on this endpoint. */
    int inFlight(int index);

    /** Returns whether the endpoint has reported its load: the two below. */
    boolean reportsLoad(int index);

    /**
     * Returns the calls that the provider had when it last answered, in service and waiting, of all consumers, and
     * those that the owner of the balancer has sent since.
     */
    int providerCalls(int index);

    /** Returns the time that a call took at the provider then, waiting included; 0 if it had answered none. */
    long providerCallNs(int index);
}
