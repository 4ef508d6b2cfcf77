package io.dubbomesh.loadbalance;

/**
 * The endpoints of one service as they are at this moment, by index from 0 to {@code size() - 1}. The owner changes weights
 * and load underneath while the size and the order stay; a changed list of endpoints is told by
 * {@link LoadBalancer#changed}.
 */
public interface LoadView {
    int size();

    /** The share of the calls that this endpoint is to get, relative to the others; 0 = no new calls. */
    int weight(int index);

    /** Whether this endpoint can take another call now. */
    boolean hasRoom(int index);
}
