package io.dubbomesh.transport.http2;

import io.netty.util.collection.IntObjectHashMap;

/** The streams of a connection that are open, by their ids, which are odd and ascend: 1, 3, 5 to 2^31 - 1. */
final class StreamTable {
    private static final int MAX_SPARES = 256;

    private final int windowSize;
    private final IntObjectHashMap<Http2Stream> open = new IntObjectHashMap<>();
    private final Http2Stream[] spares = new Http2Stream[MAX_SPARES];
    private int spareCount;
    /** Negative behind the last. */
    private int nextId;

    StreamTable(int windowSize, int firstId) {
        this.windowSize = windowSize;
        nextId = firstId;
    }

    int size() {
        return open.size();
    }

    boolean hasIds() {
        return nextId > 0;
    }

    /** Opens the stream with the next id, which it takes with {@link #keepId}. */
    Http2Stream open() {
        Http2Stream stream = spareCount > 0 ? spares[--spareCount] : new Http2Stream(windowSize);
        stream.begin(nextId);
        open.put(nextId, stream);
        return stream;
    }

    /** Takes the next id for good, since the peer will see it. */
    void keepId() {
        nextId += 2;
    }

    /** Returns null if no stream with this id is open. */
    Http2Stream get(int id) {
        return open.get(id);
    }

    /** Returns whether there was never a stream with this id; only the client opens any. */
    boolean isIdle(int id) {
        return (id & 1) == 0 || nextId > 0 && id >= nextId;
    }

    /** Ends a stream, of which nothing may wait; the object is used for another one. */
    void close(Http2Stream stream) {
        open.remove(stream.id);
        if (spareCount < MAX_SPARES) {
            spares[spareCount++] = stream;
        }
    }

    /** Returns the open ones above an id, in their order. */
    int[] idsAbove(int id) {
        return open.keySet().stream()
                .mapToInt(Integer::intValue)
                .filter(each -> each > id)
                .sorted()
                .toArray();
    }
}
