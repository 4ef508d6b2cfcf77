package io.dubbomesh.demo.office;

import java.io.Serializable;

/**
 * A generic interface between the base and a service: its own parameters, with bounds, in another order.
 *
 * @param <T> the things
 * @param <K> their keys
 */
public interface KeyedRepository<T extends Entity<K>, K extends Comparable<K> & Serializable, Q>
        extends Repository<Q, T> {
    T get(K key);

    K keyOf(T thing);
}
