package io.dubbomesh.client.call;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.netty.buffer.ByteBuf;

/**
 * Gets the outcome of the calls that it has begun: for each at most one of the outcomes (none for one-way calls and for
 * those whose deadline passed while they waited), then {@link #ended}. Called on the event loop of the call; no method
 * throws.
 */
public interface CallListener {
    /**
     * Called when the provider has answered: the Dubbo frame starts at {@code offset} and is valid during the call
     * only.
     *
     * @param method is told of it if the call has failed
     * @param timing null unless the request was TIMED
     * @return what was passed on; null if nothing was, since to read the answer would hold up the event loop: then
     *     {@link #read} follows
     */
    Outcome answered(
            long requestId, CalledMethod method, ResultFormat format, CallTiming timing, ByteBuf in, int offset);

    /**
     * Called when a long answer has been read.
     *
     * @param outcome  of the call
     * @param document its attachments and document, see {@link io.dubbomesh.protocol.dubbo.DubboResponseReader#read};
     *     valid during the call only
     * @return what was passed on
     */
    Outcome read(
            long requestId,
            CalledMethod method,
            ResultFormat format,
            CallTiming timing,
            Outcome outcome,
            ByteBuf document);

    /** Returns whether the messages of a stream can be passed on. */
    default boolean takesStreams() {
        return false;
    }

    /** Returns whether there is room for another stream. */
    default boolean hasRoomForStream() {
        return true;
    }

    /**
     * Called when a call was sent whose answer is a stream.
     *
     * @return false if the request has the id of another stream that is open
     */
    default boolean streamOpened(long requestId, OpenStream stream) {
        throw new UnsupportedOperationException("no streams");
    }

    /** Called when a stream that was {@linkplain #streamOpened opened} has ended in any way, before {@link #ended}. */
    default void streamClosed(long requestId, OpenStream stream) {}

    /**
     * Called with a message of a stream: the Dubbo frame starts at {@code offset} and is valid during the call only.
     *
     * @param windowBytes see {@link OpenStream#consumed}
     * @return OK, or the outcome that was passed on since the message could not be
     */
    default Outcome message(
            long requestId, CalledMethod method, ResultFormat format, ByteBuf in, int offset, int windowBytes) {
        throw new UnsupportedOperationException("no streams");
    }

    /** Called when a stream has ended, and nothing has failed. */
    default void streamEnded(long requestId) {
        throw new UnsupportedOperationException("no streams");
    }

    void failed(long requestId, Outcome outcome, String detail);

    /** Called when the agent itself could not go on with the call. */
    void failed(long requestId, Throwable cause);

    /**
     * Called when nothing was executed; the request's body is {@code in[offset, offset + length)}, valid during the
     * call only.
     *
     * @param unavailability why the provider takes no calls now; null if it has too many
     */
    void notExecuted(long requestId, ByteBuf in, int offset, int length, String unavailability);

    /** Called when the call is over, with any outcome. */
    void ended();

    /** Returns when the request was read that is begun now. */
    long receivedNs();

    /** Returns the queue in which its calls wait for a permit. */
    PeerQueue queue();

    /** Returns whether an outcome can no longer be passed on. */
    boolean isClosed();
}
