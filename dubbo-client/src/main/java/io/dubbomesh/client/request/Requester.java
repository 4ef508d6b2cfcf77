package io.dubbomesh.client.request;

import io.dubbomesh.client.call.PeerQueue;
import io.dubbomesh.client.call.ServiceLimit;
import io.netty.buffer.ByteBuf;

/**
 * The sender of requests and the receiver of their RESPONSE frames: a link of a consumer agent, or an endpoint of this
 * one. Owned by one event loop.
 */
public interface Requester {
    /**
     * Returns the buffer to append a frame to. Its writer index may be moved back over what the caller itself has just
     * written; the caller does not release it. What stays in it is passed on at the end of the loop's turn.
     *
     * @param frameBytes about so many; 0 for a short frame
     */
    ByteBuf buffer(int frameBytes);

    /** Returns whether RESPONSEs with {@link io.dubbomesh.protocol.mesh.Flags#MORE} are taken. */
    default boolean takesStreams() {
        return false;
    }

    /** Returns whether there is room for another stream. */
    default boolean hasRoomForStream() {
        return true;
    }

    /** Called when a call becomes a stream. */
    default void streamBegins() {}

    /** Called when a stream has ended. */
    default void streamEnded() {}

    /** Returns whether so many bytes of an answer may be kept until they are passed on. */
    boolean hasRoom(int answerBytes);

    /** Called when a long frame was appended: passes it on, or has it count until it is. */
    void flush();

    /** Called when a response cannot be written: ends the calls of all requests without one. */
    void fail();

    /** Called when a request becomes a call. */
    void callBegins();

    /** Called when a call has ended, and its response, if it has one, is in the buffer. */
    void callEnded();

    /** Returns whether its requests become calls; they are given back otherwise. */
    boolean takesRequests();

    /** Returns whether it takes requests back for services that are not served here, since it knows other endpoints. */
    boolean takesUnserved();

    /** Returns whether responses can no longer be passed on. */
    boolean isClosed();

    /** Returns when the request was read that is served now. */
    long receivedNs();

    /** Returns the calls whose load each response reports; null for a requester that does not take it. */
    ServiceLimit reportedLoad();

    /** Returns the queue in which its calls wait for a permit. */
    PeerQueue queue();
}
