package io.dubbomesh.loadbalance;

/**
 * The endpoints of one service as they are at this moment, by index from 0 to {@code size() - 1}. Weights and load
 * change between picks; size and order do not: for a changed list of endpoints {@link LoadBalancer#changed} gives a new
 * balancer.
 */
public interface LoadView {
    int size();

    /** Returns the share of the calls that this endpoint is to get, relative to the others; 0 = no new calls. */
    int weight(int index);

    /** Returns whether this endpoint can take another call now. */
    boolean hasRoom(int index);
}
