package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

/**
 * Asks for keys in their order: {@code etcdserverpb.RangeRequest}.
 *
 * @param key      the first one
 * @param end      the first one behind them; null for {@code key} alone
 * @param limit    the most keys of an answer; 0 for all
 * @param revision as of which; 0 for the present one
 * @param keysOnly whether values are left out
 */
public record RangeRequest(byte[] key, byte[] end, long limit, long revision, boolean keysOnly) {
    private static final int KEY = 1;
    private static final int RANGE_END = 2;
    private static final int LIMIT = 3;
    private static final int REVISION = 4;
    private static final int KEYS_ONLY = 8;

    /** Returns the request for one key as of a revision; 0 for the present one. */
    public static RangeRequest of(byte[] key, long revision) {
        return new RangeRequest(key, null, 0, revision, false);
    }

    void write(ProtobufBuffer out) {
        if (keysOnly) {
            out.varintField(KEYS_ONLY, 1);
        }
        if (revision != 0) {
            out.varintField(REVISION, revision);
        }
        if (limit != 0) {
            out.varintField(LIMIT, limit);
        }
        if (end != null) {
            out.bytesField(RANGE_END, end);
        }
        out.bytesField(KEY, key);
    }
}
