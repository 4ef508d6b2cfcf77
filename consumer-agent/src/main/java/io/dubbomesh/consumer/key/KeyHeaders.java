package io.dubbomesh.consumer.key;

import io.dubbomesh.consumer.http.HeaderTable;

import java.util.Arrays;
import java.util.List;

/**
 * The hashes of the header fields that keys are taken from. They are made while the head is read, since its bytes may
 * be gone when the body has arrived. Reused from request to request by one connection.
 */
public final class KeyHeaders {
    private final List<String> names;
    private final long[] hashes;

    KeyHeaders(List<String> names) {
        this.names = names;
        hashes = new long[names.size()];
    }

    /** Adds the fields to the table. One that comes several times counts with all its values, in their order. */
    public void register(HeaderTable table) {
        for (int i = 0; i < hashes.length; i++) {
            int place = i;
            table.add(names.get(i), (in, value, valueEnd) -> {
                long hash = CallKey.hash(in, value, valueEnd);
                hashes[place] = hashes[place] == CallKey.NONE ? hash : XxHash64.merge(hashes[place], hash);
            });
        }
    }

    public void reset() {
        Arrays.fill(hashes, CallKey.NONE);
    }

    /** Returns the hash of a field's value; {@link CallKey#NONE} if the request does not have it. */
    long hash(int place) {
        return hashes[place];
    }
}
