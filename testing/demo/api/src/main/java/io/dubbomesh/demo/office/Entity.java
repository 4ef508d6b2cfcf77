package io.dubbomesh.demo.office;

import java.io.Serializable;

/**
 * A generic base class, whose field has the type that a subclass names.
 *
 * @param <K> its key
 */
@SuppressWarnings("serial")
public abstract class Entity<K extends Comparable<K> & Serializable> implements Serializable {
    private K id;

    public K getId() {
        return id;
    }

    public void setId(K id) {
        this.id = id;
    }
}
