package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufReader;

import java.util.List;

/**
 * The answer to a {@link TxnRequest}: {@code etcdserverpb.TxnResponse}.
 *
 * @param succeeded whether the key was as known, and was put or deleted
 * @param found     the key where it was not as known, none if there is none; empty otherwise
 */
public record TxnResponse(ResponseHeader header, boolean succeeded, List<KeyValue> found) {
    private static final int HEADER = 1;
    private static final int SUCCEEDED = 2;
    private static final int RESPONSES = 3;
    private static final int RESPONSE_RANGE = 1;

    static TxnResponse read(ProtobufReader message) {
        ResponseHeader header = ResponseHeader.NONE;
        boolean succeeded = false;
        List<KeyValue> found = List.of();
        while (message.next()) {
            switch (message.field()) {
                case HEADER -> header = ResponseHeader.read(message.message());
                case SUCCEEDED -> succeeded = message.bool();
                case RESPONSES -> found = readResponse(message.message());
                default -> message.skip();
            }
        }
        return new TxnResponse(header, succeeded, found);
    }

    private static List<KeyValue> readResponse(ProtobufReader message) {
        List<KeyValue> found = List.of();
        while (message.next()) {
            if (message.field() == RESPONSE_RANGE) {
                found = RangeResponse.read(message.message()).kvs();
            } else {
                message.skip();
            }
        }
        return found;
    }
}
