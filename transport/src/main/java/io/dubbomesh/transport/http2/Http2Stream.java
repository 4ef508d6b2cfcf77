package io.dubbomesh.transport.http2;

import io.netty.buffer.ByteBuf;

/**
 * A stream that is open, and used for another one when it has ended.
 * <pre>
 *   waiting   answered   state of RFC 9113     may come
 *   -------   --------   -------------------   ---------------------------------
 *   bytes     no         open                  header fields, reset
 *   bytes     yes        open                  content, trailers, reset
 *   null      no         half-closed (local)   header fields, reset
 *   null      yes        half-closed (local)   content, trailers, reset
 * </pre>
 * One that the peer has ended is closed at once: what waits of its request is not wanted any more.
 */
final class Http2Stream {
    final ReceiveWindow window;
    int id;
    /** Whether the header fields of the answer have come. */
    boolean answered;
    /** Bytes that were handed over and not given back. */
    int unconsumed;

    /** The rest of the request that waits for the peer's windows; null for none. */
    ByteBuf waiting;
    /** By how much the window for the request is above the peer's initial one; negative by what was sent. */
    long sendCredit;
    /** The number of the batch when the end of the request was appended; not set while some waits. */
    long endAppendedAt;
    /** The neighbours among the streams that wait; null at the ends. */
    Http2Stream previous;

    Http2Stream next;

    Http2Stream(int windowSize) {
        window = new ReceiveWindow(windowSize);
    }

    void begin(int newId) {
        id = newId;
        answered = false;
        unconsumed = 0;
        sendCredit = 0;
        endAppendedAt = 0;
        window.reset();
    }
}
