package io.dubbomesh.transport.http2;

import io.dubbomesh.transport.http2.Http2Stream.Answer;
import io.netty.util.collection.IntObjectHashMap;

import java.util.ArrayDeque;

/** The streams of a connection that are open, by their ids, which are odd and ascend: 1, 3, 5 to 2^31 - 1. */
final class StreamTable {
    private static final int MAX_SPARES = 256;

    private final int windowSize;
    private final IntObjectHashMap<Http2Stream> open = new IntObjectHashMap<>();
    private final Http2Stream[] spares = new Http2Stream[MAX_SPARES];
    private int spareCount;
    /** The ids of those that are abandoned, and of some that were and have ended; oldest first. */
    private final ArrayDeque<Integer> abandonedIds = new ArrayDeque<>();

    private int abandoned;
    /** Negative behind the last. */
    private int nextId;

    StreamTable(int windowSize, int firstId) {
        this.windowSize = windowSize;
        nextId = firstId;
    }

    int size() {
        return open.size();
    }

    /** Returns the number of those whose answers are wanted. */
    int wanted() {
        return open.size() - abandoned;
    }

    /** Returns the number of those whose answers are not wanted any more, and that the peer still counts. */
    int abandoned() {
        return abandoned;
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
        if (stream.answer == Answer.ABANDONED) {
            abandoned--;
        }
        open.remove(stream.id);
        if (spareCount < MAX_SPARES) {
            spares[spareCount++] = stream;
        }
    }

    /** Keeps a stream until {@link #nextAbandoned} or its end. */
    void abandon(Http2Stream stream) {
        stream.answer = Answer.ABANDONED;
        abandoned++;
        abandonedIds.addLast(stream.id);
    }

    /** Returns the one that was abandoned first; null for none. */
    Http2Stream nextAbandoned() {
        while (!abandonedIds.isEmpty()) {
            Http2Stream stream = open.get(abandonedIds.peekFirst());
            if (stream != null) {
                return stream;
            }
            abandonedIds.removeFirst();
        }
        return null;
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
