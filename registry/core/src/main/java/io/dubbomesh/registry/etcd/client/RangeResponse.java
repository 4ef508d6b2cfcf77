package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufReader;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys of a range: {@code etcdserverpb.RangeResponse}.
 *
 * @param more whether the limit has cut some off
 */
public record RangeResponse(ResponseHeader header, List<KeyValue> kvs, boolean more) {
    private static final int HEADER = 1;
    private static final int KVS = 2;
    private static final int MORE = 3;

    static RangeResponse read(ProtobufReader message) {
        ResponseHeader header = ResponseHeader.NONE;
        List<KeyValue> kvs = new ArrayList<>();
        boolean more = false;
        while (message.next()) {
            switch (message.field()) {
                case HEADER -> header = ResponseHeader.read(message.message());
                case KVS -> kvs.add(KeyValue.read(message.message()));
                case MORE -> more = message.bool();
                default -> message.skip();
            }
        }
        return new RangeResponse(header, kvs, more);
    }
}
