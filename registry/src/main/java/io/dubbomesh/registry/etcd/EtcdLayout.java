package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;

import java.util.Set;

/** What the keys below a root mean: the directory made of them as they are put and deleted. Belongs to the thread of a watch. */
interface EtcdLayout {
    /** What every key begins with, a slash at its end. */
    String root();

    /** Whether nothing in the values counts, so that they need not be read. */
    boolean keysOnly();

    /** Returns false if it is ignored because there are too many. */
    boolean put(String key, byte[] value, long nowNs);

    void delete(String key, long nowNs);

    /** Removes every other key. */
    void retain(Set<String> keys, long nowNs);

    /** As {@link #retain}, after the time of a lease, unless they are put again. */
    void doubt(Set<String> keys, long nowNs);

    /** Does what is due. */
    void expire(long nowNs);

    /** Whether {@link #directory} will make a new one. */
    boolean hasChanged();

    /** The present directory; the same object as before if nothing changed. */
    Directory directory();
}
