package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufReader;

import java.util.ArrayList;
import java.util.List;

/**
 * What a watch reports: {@code etcdserverpb.WatchResponse}.
 *
 * @param events          none in an answer to {@link EtcdClient#requestProgress}
 * @param created         whether it only says that the watch has begun
 * @param canceled        whether it says that the watch has ended
 * @param compactRevision the oldest revision that etcd keeps, if the watch was to begin before it; otherwise 0
 * @param cancelReason    in etcd's words; may be empty
 */
public record WatchResponse(
        ResponseHeader header,
        List<Event> events,
        boolean created,
        boolean canceled,
        long compactRevision,
        String cancelReason) {
    private static final int HEADER = 1;
    private static final int CREATED = 3;
    private static final int CANCELED = 4;
    private static final int COMPACT_REVISION = 5;
    private static final int CANCEL_REASON = 6;
    private static final int EVENTS = 11;

    /**
     * A change: {@code mvccpb.Event}.
     *
     * @param deleted whether the key was deleted, and not put
     */
    public record Event(boolean deleted, KeyValue kv) {
        private static final int TYPE = 1;
        private static final int KV = 2;
        private static final KeyValue NONE = new KeyValue(KeyValue.EMPTY, 0, KeyValue.EMPTY, 0);

        static Event read(ProtobufReader message) {
            boolean deleted = false;
            KeyValue kv = NONE;
            while (message.next()) {
                switch (message.field()) {
                    case TYPE -> deleted = message.bool();
                    case KV -> kv = KeyValue.read(message.message());
                    default -> message.skip();
                }
            }
            return new Event(deleted, kv);
        }
    }

    static WatchResponse read(ProtobufReader message) {
        ResponseHeader header = ResponseHeader.NONE;
        List<Event> events = new ArrayList<>();
        boolean created = false;
        boolean canceled = false;
        long compactRevision = 0;
        String cancelReason = "";
        while (message.next()) {
            switch (message.field()) {
                case HEADER -> header = ResponseHeader.read(message.message());
                case CREATED -> created = message.bool();
                case CANCELED -> canceled = message.bool();
                case COMPACT_REVISION -> compactRevision = message.varint();
                case CANCEL_REASON -> cancelReason = message.text();
                case EVENTS -> events.add(Event.read(message.message()));
                default -> message.skip();
            }
        }
        return new WatchResponse(header, events, created, canceled, compactRevision, cancelReason);
    }
}
