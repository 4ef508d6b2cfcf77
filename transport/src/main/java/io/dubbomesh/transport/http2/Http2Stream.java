package io.dubbomesh.transport.http2;

import io.netty.buffer.ByteBuf;

/**
 * A stream that is open, and used for another one when it has ended.
 * <pre>
 *   waiting   answer      state of RFC 9113     may come
 *   -------   ---------   -------------------   --------------------------------------
 *   bytes     AWAITED     open                  header fields, reset
 *   bytes     BEGUN       open                  content, trailers, reset
 *   null      AWAITED     half-closed (local)   header fields, reset
 *   null      BEGUN       half-closed (local)   content, trailers, reset
 *   null      ABANDONED   half-closed (local)   anything, which is not handed over
 * </pre>
 * One whose request {@linkplain #requestGoesOn goes on} is open though nothing waits, and never abandoned.
 *
 * <p>One that the peer has ended is closed at once: what waits of its request is not wanted any more. One whose answer
 * is not wanted any more is closed too, with a RST_STREAM; or is ABANDONED until the {@link ResetBudget} allows that.
 */
final class Http2Stream {
    /** What has come of the answer, and whether it is wanted. */
    enum Answer {
        AWAITED,
        BEGUN,
        ABANDONED
    }

    final ReceiveWindow window;
    int id;
    Answer answer;
    /** Bytes that were handed over and not given back. */
    int unconsumed;
    /** Whether these count in the window of the stream only. */
    boolean countsAlone;

    /** The rest of the request that waits for the peer's windows; null for none. */
    ByteBuf waiting;
    /** Whether the caller has not said yet where the request ends. */
    boolean requestGoesOn;
    /** The difference of the window for the request to the peer's initial one; negative by what was sent. */
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
        answer = Answer.AWAITED;
        unconsumed = 0;
        countsAlone = false;
        requestGoesOn = false;
        sendCredit = 0;
        endAppendedAt = 0;
        window.reset();
    }
}
