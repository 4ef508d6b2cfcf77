package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufReader;

/**
 * What every answer begins with: {@code etcdserverpb.ResponseHeader}.
 *
 * @param revision of the store when etcd answered
 * @param raftTerm the number of the election of the present leader
 */
public record ResponseHeader(long revision, long raftTerm) {
    static final ResponseHeader NONE = new ResponseHeader(0, 0);

    private static final int REVISION = 3;
    private static final int RAFT_TERM = 4;

    static ResponseHeader read(ProtobufReader message) {
        long revision = 0;
        long raftTerm = 0;
        while (message.next()) {
            switch (message.field()) {
                case REVISION -> revision = message.varint();
                case RAFT_TERM -> raftTerm = message.varint();
                default -> message.skip();
            }
        }
        return new ResponseHeader(revision, raftTerm);
    }
}
