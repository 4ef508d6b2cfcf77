package io.dubbomesh.transport.http2;

/**
 * What one HTTP/2 connection may use.
 *
 * @param maxStreams        at once, even if the peer permits more
 * @param streamWindow      bytes of an answer that the peer may send before they are consumed, until its window is
 *                          {@linkplain Http2Client#widen widened}
 * @param connectionWindow  the same for all answers together
 * @param maxHeaderListSize bytes of the header fields of an answer, or of its trailers, as RFC 9113 counts them: name,
 *                          value and 32 for each
 * @param maxWaiting        bytes of requests that may wait for the peer's windows before the connection is not
 *                          {@linkplain Http2Client#isWritable writable}; one request may be longer
 */
public record Http2Limits(
        int maxStreams, int streamWindow, int connectionWindow, int maxHeaderListSize, int maxWaiting) {
    private static final int MAX_STREAMS = 4096;
    /** Most answers are shorter, and many streams of messages may be open at once. */
    private static final int STREAM_WINDOW = 16 * 1024;

    private static final int CONNECTION_WINDOW = 16 * 1024 * 1024;
    /** Dubbo puts exceptions with their stack traces into the trailers. */
    private static final int MAX_HEADER_LIST_SIZE = 64 * 1024;

    private static final int MAX_WAITING = 1024 * 1024;

    /**
     * The initial window of RFC 9113, 6.9.2: no setting makes that of a connection smaller. That of streams is another
     * one from the first on, since the peer reads the settings before it reads any request.
     */
    static final int INITIAL_WINDOW = 65_535;

    public Http2Limits {
        require("maxStreams", maxStreams, 1);
        require("streamWindow", streamWindow, 1);
        require("connectionWindow", connectionWindow, INITIAL_WINDOW);
        require("maxHeaderListSize", maxHeaderListSize, 1);
        require("maxWaiting", maxWaiting, 1);
    }

    private static void require(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least " + least + ")");
        }
    }

    /** Returns limits with which one connection of an event loop uses a fast network. */
    public static Http2Limits defaults() {
        return new Http2Limits(MAX_STREAMS, STREAM_WINDOW, CONNECTION_WINDOW, MAX_HEADER_LIST_SIZE, MAX_WAITING);
    }
}
