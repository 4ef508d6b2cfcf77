package io.dubbomesh.client.request;

import io.dubbomesh.client.call.OpenStream;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.util.collection.LongObjectHashMap;

import java.util.List;

/**
 * The streams that are open towards one requester, by the ids of their requests, and what each has on its way there:
 * bytes of the window at the provider, which are given back when the requester has taken them. Owned by its event loop.
 *
 * <p>The window does not bound what its bytes become: an empty message of protobuf has five, and its JSON all of its
 * fields. So the JSON that is on its way is counted too.
 */
public final class OpenStreams {
    /** JSON that may be on its way to a requester, and one message more. */
    private static final int MAX_UNREAD = 4 * 1024 * 1024;

    private final LongObjectHashMap<Sent> streams = new LongObjectHashMap<>();

    /** A stream, and what of it was sent and is not taken yet. */
    private static final class Sent {
        private final OpenStream stream;
        private int windowBytes;
        /** The bytes of JSON of all messages but the first. */
        private long length;

        private boolean ended;

        private Sent(OpenStream stream) {
            this.stream = stream;
        }
    }

    /** Returns the number of streams. */
    public int size() {
        return streams.size();
    }

    /** Adds a stream; returns false if there is one with this id. */
    boolean add(long requestId, OpenStream stream) {
        if (streams.containsKey(requestId)) {
            return false;
        }
        streams.put(requestId, new Sent(stream));
        return true;
    }

    /** Removes a stream that has ended; returns false if the id is that of another one. */
    boolean remove(long requestId, OpenStream stream) {
        Sent sent = streams.get(requestId);
        if (sent == null || sent.stream != stream) {
            return false;
        }
        streams.remove(requestId);
        sent.ended = true;
        return true;
    }

    /**
     * Counts a message that was sent.
     *
     * @param length of its JSON
     */
    void sent(long requestId, int windowBytes, int length) {
        Sent sent = streams.get(requestId);
        // The first one may be so long that its bytes were given back while it came.
        sent.length += sent.windowBytes == 0 ? 0 : length;
        sent.windowBytes += windowBytes;
    }

    /**
     * Returns why a stream ends before its next message; null if that can be sent.
     *
     * @param isShort whether there is no room for more than each has in any case
     */
    String refusal(long requestId, boolean isShort) {
        long unread = streams.get(requestId).length;
        boolean isTooMuch = unread > MAX_UNREAD || unread > MemoryBudget.LARGE && isShort;
        return isTooMuch ? "the client reads too slowly: " + unread + " bytes of the stream wait for it" : null;
    }

    /**
     * Gives bytes back to the provider: their messages were taken. Does nothing if the stream has ended.
     *
     * @throws MalformedFrameException if so many were not sent
     */
    public void consumed(long requestId, int bytes) throws MalformedFrameException {
        Sent sent = streams.get(requestId);
        if (sent == null) {
            return;
        }
        if (bytes < 1 || bytes > sent.windowBytes) {
            throw new MalformedFrameException("CREDIT: " + Integer.toUnsignedString(bytes) + " bytes of request "
                    + requestId + " (expected: 1 to the " + sent.windowBytes + " that were sent)");
        }
        sent.length -= sent.length * bytes / sent.windowBytes;
        sent.windowBytes -= bytes;
        sent.stream.consumed(bytes);
    }

    /** Ends a stream, of which nothing more is sent. Does nothing if it has ended. */
    public void cancel(long requestId) {
        Sent sent = streams.get(requestId);
        if (sent != null) {
            sent.stream.cancel();
        }
    }

    /** Ends all streams: nothing reaches the requester any more. */
    public void cancelAll() {
        for (Sent sent : List.copyOf(streams.values())) {
            // The end of one may have ended its connection to the provider, and with it others.
            if (!sent.ended) {
                sent.stream.cancel();
            }
        }
    }

    /** Ends all streams with this outcome, which the requester gets. */
    public void failAll(Outcome outcome, String detail) {
        for (Sent sent : List.copyOf(streams.values())) {
            if (!sent.ended) {
                sent.stream.fail(outcome, detail);
            }
        }
    }
}
