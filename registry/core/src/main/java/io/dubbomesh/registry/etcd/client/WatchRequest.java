package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

/**
 * Asks for all changes of keys: {@code etcdserverpb.WatchCreateRequest}.
 *
 * @param key      the first one
 * @param end      the first one behind them; null for {@code key} alone
 * @param revision of the first change
 */
public record WatchRequest(byte[] key, byte[] end, long revision) {
    private static final int CREATE_REQUEST = 1;
    private static final int PROGRESS_REQUEST = 3;
    private static final int KEY = 1;
    private static final int RANGE_END = 2;
    private static final int START_REVISION = 3;

    void write(ProtobufBuffer out) {
        int create = out.end();
        out.varintField(START_REVISION, revision);
        if (end != null) {
            out.bytesField(RANGE_END, end);
        }
        out.bytesField(KEY, key);
        out.message(CREATE_REQUEST, create);
    }

    /** Writes the question of a stream for its progress. */
    static void writeProgress(ProtobufBuffer out) {
        out.message(PROGRESS_REQUEST, out.end());
    }
}
