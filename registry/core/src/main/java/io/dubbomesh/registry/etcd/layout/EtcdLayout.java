package io.dubbomesh.registry.etcd.layout;

import io.dubbomesh.registry.Directory;

import java.util.List;
import java.util.Set;

/**
 * The meaning of the keys below some roots: the directory made of them as they are put and deleted. Belongs to the
 * thread of a watch.
 */
public interface EtcdLayout {
    /** Returns the roots, with one of which a key begins, each with a slash at its end. */
    List<String> roots();

    /** Returns all keys below the roots, none of them in two ranges. */
    List<EtcdRange> ranges();

    /** Returns false if it is ignored: there are too many, or its key is malformed or too long. */
    boolean put(String key, byte[] value, long nowNs);

    void delete(String key, long nowNs);

    /** Removes every other key. */
    void retain(Set<String> keys, long nowNs);

    /** Removes every other key after the time of a lease, unless it is put again. */
    void markSuspect(Set<String> keys, long nowNs);

    /** Asks elsewhere for what the keys do not tell, and takes answers. */
    default void ask(long nowNs) {}

    /** Returns whether more may be known in a moment of what was put first. */
    default boolean isFirstAnswerAwaited() {
        return false;
    }

    /**
     * Returns whether all keys are to be put again, since those that were ignored may have room now. Answers true once.
     */
    boolean pollRoom();

    /** Does what is due. */
    void expire(long nowNs);

    /** Returns whether {@link #directory} will make a new one. */
    boolean hasChanged();

    /** Returns the present directory; the same object as before if nothing changed. */
    Directory directory();
}
