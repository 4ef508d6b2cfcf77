package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufReader;

import java.nio.charset.StandardCharsets;

/**
 * A key and what it has: {@code mvccpb.KeyValue}.
 *
 * @param key         of a deleted one too
 * @param modRevision at which it was put or deleted
 * @param lease       0 for none
 */
public record KeyValue(byte[] key, long modRevision, byte[] value, long lease) {
    private static final int KEY = 1;
    private static final int MOD_REVISION = 3;
    private static final int VALUE = 5;
    private static final int LEASE = 6;
    static final byte[] EMPTY = {};

    static KeyValue read(ProtobufReader message) {
        byte[] key = EMPTY;
        long modRevision = 0;
        byte[] value = EMPTY;
        long lease = 0;
        while (message.next()) {
            switch (message.field()) {
                case KEY -> key = message.bytes();
                case MOD_REVISION -> modRevision = message.varint();
                case VALUE -> value = message.bytes();
                case LEASE -> lease = message.varint();
                default -> message.skip();
            }
        }
        return new KeyValue(key, modRevision, value, lease);
    }

    public String keyText() {
        return new String(key, StandardCharsets.UTF_8);
    }
}
