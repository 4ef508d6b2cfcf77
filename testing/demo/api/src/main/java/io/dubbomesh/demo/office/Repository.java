package io.dubbomesh.demo.office;

import java.util.List;
import java.util.Map;

/**
 * A generic base interface, whose methods are called by their erased types.
 *
 * @param <Q> what things are found by
 * @param <T> the things
 */
public interface Repository<Q, T> {
    List<T> find(Q query);

    T first(Q query);

    T save(T thing);

    /** Returns the saved things by their keys. */
    Map<String, T> saveAll(Map<String, T> things);

    /** Returns the names of the classes that have arrived. */
    String describe(Q query, List<T> things);
}
