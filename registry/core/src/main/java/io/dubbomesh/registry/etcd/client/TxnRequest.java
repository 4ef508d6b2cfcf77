package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

/**
 * Puts or deletes a key if it is as known, and otherwise reads it: the one form of {@code etcdserverpb.TxnRequest} that
 * agents need.
 * <pre>
 *   TxnRequest   1 Compare, 2 RequestOp if it is so, 3 RequestOp otherwise
 *   Compare      1 result (EQUAL = 0), 2 target (MOD = 2), 3 key, 6 mod_revision
 *   RequestOp    1 RangeRequest, 2 PutRequest, 3 DeleteRangeRequest
 *   PutRequest   1 key, 2 value, 3 lease
 * </pre>
 *
 * @param modRevision of the key as it is known, 0 if there is none
 * @param value       to be put; null to delete the key
 * @param lease       of what is put; 0 for none
 */
public record TxnRequest(byte[] key, long modRevision, byte[] value, long lease) {
    private static final int COMPARE = 1;
    private static final int SUCCESS = 2;
    private static final int FAILURE = 3;

    private static final int COMPARE_TARGET = 2;
    private static final int TARGET_MOD = 2;
    private static final int COMPARE_KEY = 3;
    private static final int COMPARE_MOD_REVISION = 6;

    private static final int OP_RANGE = 1;
    private static final int OP_PUT = 2;
    private static final int OP_DELETE_RANGE = 3;

    private static final int KEY = 1;
    private static final int PUT_VALUE = 2;
    private static final int PUT_LEASE = 3;

    public static TxnRequest put(byte[] key, long modRevision, byte[] value, long lease) {
        return new TxnRequest(key, modRevision, value, lease);
    }

    public static TxnRequest delete(byte[] key, long modRevision) {
        return new TxnRequest(key, modRevision, null, 0);
    }

    void write(ProtobufBuffer out) {
        int failure = out.end();
        int range = out.end();
        RangeRequest.of(key, 0).write(out);
        out.message(OP_RANGE, range);
        out.message(FAILURE, failure);

        int success = out.end();
        if (value == null) {
            writeDelete(out);
        } else {
            writePut(out);
        }
        out.message(SUCCESS, success);

        int compare = out.end();
        // Also where it is 0, as a member of a union.
        out.varintField(COMPARE_MOD_REVISION, modRevision);
        out.bytesField(COMPARE_KEY, key);
        out.varintField(COMPARE_TARGET, TARGET_MOD);
        out.message(COMPARE, compare);
    }

    private void writeDelete(ProtobufBuffer out) {
        int delete = out.end();
        out.bytesField(KEY, key);
        out.message(OP_DELETE_RANGE, delete);
    }

    private void writePut(ProtobufBuffer out) {
        int put = out.end();
        if (lease != 0) {
            out.varintField(PUT_LEASE, lease);
        }
        out.bytesField(PUT_VALUE, value);
        out.bytesField(KEY, key);
        out.message(OP_PUT, put);
    }
}
