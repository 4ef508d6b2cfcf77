package io.dubbomesh.transport.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Called with what a peer sends on the connection of an {@link Http2Client}, on its event loop. No method may throw.
 * Each may call the client, its {@link Http2Client#close} too, behind which nothing more is called.
 * Those with a body are for listeners that measure or wait; they do nothing.
 *
 * <p>A stream ends with exactly one of: {@link #headers} or {@link #data} with {@code endStream}, {@link #reset},
 * {@link #failed}, a {@link Http2Client#reset} of the caller, or {@link #lost} for all streams that are open by then.
 * Behind its end nothing is called for it.
 */
public interface Http2Listener {
    /** Called once, first, when requests can be written: HTTP/2 does not wait for the peer's settings. */
    void active();

    /** Called when bytes were read, before what they say is handed over. */
    default void received(int bytes) {}

    /** Called behind each read, when all that was complete in it is handed over. */
    default void readComplete() {}

    /** Called with each whole frame, before what it says is handed over. */
    default void frameReceived() {}

    /**
     * Called with the header fields of an answer, and again with its trailers, which end the stream. An answer without
     * content may have only trailers: then the first call ends the stream, and they have {@code :status} too. An
     * informational answer (1xx) is not handed over.
     *
     * @param headers the receiver's to keep; the first have a {@code :status} of three digits
     */
    void headers(int streamId, Http2Headers headers, boolean endStream);

    /**
     * Called with bytes of an answer's content, behind its header fields. They count in the windows of the peer until
     * {@link Http2Client#consumed} is called: a receiver that keeps them until it has, say, a whole message has to call
     * that at once, or a message that is longer than the window never comes to its end.
     *
     * @param in     valid during the call only, and not to be released
     * @param length may be 0 at the end of the stream
     */
    void data(int streamId, ByteBuf in, int offset, int length, boolean endStream);

    /**
     * Called when the peer has reset a stream, or has said by GOAWAY that it does not and will not process it.
     *
     * @param errorCode {@link io.netty.handler.codec.http2.Http2Error#REFUSED_STREAM} only if the request was certainly
     *                  not executed; a peer that says so behind the beginning of an answer has its word replaced by
     *                  INTERNAL_ERROR
     */
    void reset(int streamId, long errorCode);

    /**
     * Called when an answer is not one of HTTP/2, or its header fields are longer than the limit; the stream was reset.
     */
    void failed(int streamId, String reason);

    /**
     * Called when the peer takes no new streams on this connection; {@link Http2Client#isEnding} from then on. What was
     * opened above {@code lastStreamId} is {@linkplain #reset reset} as refused right afterwards. May be called again
     * with a lower one.
     *
     * @param debug printable ASCII, of some 100 characters at most; may be empty
     */
    void goAway(int lastStreamId, long errorCode, String debug);

    /** Called with the first settings of the peer, and when they change {@link Http2Client#maxStreams}. */
    default void settings() {}

    /**
     * Called when {@link Http2Client#isWritable} may have changed, or {@link Http2Client#canOpen} without the end of a
     * stream that is handed over.
     */
    default void writabilityChanged() {}

    /**
     * Called once, when the connection has ended, for any reason; not before {@link #active}. Until it returns,
     * {@link Http2Client#isUnsent} can be asked for the streams that are open.
     */
    void lost(String reason);
}
