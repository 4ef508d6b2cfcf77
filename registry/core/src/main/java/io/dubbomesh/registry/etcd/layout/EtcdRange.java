package io.dubbomesh.registry.etcd.layout;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.options.OptionsUtil;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Keys that are read together.
 *
 * @param from     the first one
 * @param end      the first one behind them
 * @param keysOnly whether nothing in their values counts, so that these are not read
 */
public record EtcdRange(ByteSequence from, ByteSequence end, boolean keysOnly) {
    /** Returns all keys that begin with a prefix. */
    public static EtcdRange of(String prefix, boolean keysOnly) {
        return new EtcdRange(ByteSequence.from(prefix, UTF_8), endOf(prefix), keysOnly);
    }

    /** Returns the first key behind those that begin with a prefix. */
    public static ByteSequence endOf(String prefix) {
        return OptionsUtil.prefixEndOf(ByteSequence.from(prefix, UTF_8));
    }
}
