package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufReader;

import java.util.HashSet;
import java.util.Set;

/**
 * A lease as etcd knows it: {@code etcdserverpb.LeaseGrantResponse}, {@code LeaseKeepAliveResponse} and
 * {@code LeaseTimeToLiveResponse}, whose first fields are the same.
 *
 * @param id             of the lease
 * @param leftSeconds    until it ends; none, or less than none, if there is no such lease
 * @param grantedSeconds from each time that it is prolonged; 0 where this is not asked for
 * @param keys           attached to it; empty where these are not asked for
 */
public record LeaseState(long id, long leftSeconds, long grantedSeconds, Set<String> keys) {
    private static final int ID = 2;
    private static final int TTL = 3;
    private static final int GRANTED_TTL = 4;
    private static final int KEYS = 5;

    /** Reads the answer to a question for the time that is left. */
    static LeaseState read(ProtobufReader message) {
        long id = 0;
        long left = 0;
        long granted = 0;
        Set<String> keys = new HashSet<>();
        while (message.next()) {
            switch (message.field()) {
                case ID -> id = message.varint();
                case TTL -> left = message.varint();
                case GRANTED_TTL -> granted = message.varint();
                case KEYS -> keys.add(message.text());
                default -> message.skip();
            }
        }
        return new LeaseState(id, left, granted, keys);
    }

    /** Reads the answer to a request for a lease, or for a longer time of one, which has an id and a time only. */
    static LeaseState readGrant(ProtobufReader message) {
        long id = 0;
        long left = 0;
        while (message.next()) {
            switch (message.field()) {
                case ID -> id = message.varint();
                case TTL -> left = message.varint();
                default -> message.skip();
            }
        }
        return new LeaseState(id, left, 0, Set.of());
    }
}
