package io.dubbomesh.registry.etcd.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Keys that are read together.
 *
 * @param from     the first one
 * @param end      the first one behind them
 * @param keysOnly whether nothing in their values counts, so that these are not read
 */
public record EtcdRange(byte[] from, byte[] end, boolean keysOnly) {
    /** Returns all keys that begin with a prefix. */
    public static EtcdRange of(String prefix, boolean keysOnly) {
        return new EtcdRange(prefix.getBytes(UTF_8), endOf(prefix), keysOnly);
    }

    /** Returns the first key behind those that begin with a prefix of characters, in whose bytes there is no 0xff. */
    public static byte[] endOf(String prefix) {
        byte[] end = prefix.getBytes(UTF_8);
        end[end.length - 1]++;
        return end;
    }
}
