package io.dubbomesh.registry.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.options.OptionsUtil;

/**
 * Keys that are read together.
 *
 * @param from     the first one
 * @param end      the first one behind them
 * @param keysOnly whether nothing in their values counts, so that these are not read
 */
record EtcdRange(ByteSequence from, ByteSequence end, boolean keysOnly) {
    /** All keys that begin with a prefix. */
    static EtcdRange of(String prefix, boolean keysOnly) {
        return new EtcdRange(EtcdSession.bytes(prefix), endOf(prefix), keysOnly);
    }

    /** The first key behind those that begin with a prefix. */
    static ByteSequence endOf(String prefix) {
        return OptionsUtil.prefixEndOf(EtcdSession.bytes(prefix));
    }
}
