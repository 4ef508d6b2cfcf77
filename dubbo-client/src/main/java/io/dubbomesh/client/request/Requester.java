package io.dubbomesh.client.request;

import io.dubbomesh.client.call.PeerQueue;
import io.netty.buffer.ByteBuf;

/**
 * Where requests come from, and where their RESPONSE frames go: a link of a consumer agent, or an endpoint of this one.
 * Owned by one event loop.
 */
public interface Requester {
    /**
     * The buffer to append a frame to. Whoever appends may move its writer index back over what they themselves have
     * just written, and does not release it. What stays in it is passed on at the end of the loop's turn.
     *
     * @param frameBytes about so many; 0 for a short frame
     */
    ByteBuf buffer(int frameBytes);

    /** Whether so many bytes of an answer may be kept until they are passed on. */
    boolean hasRoom(int answerBytes);

    /** A long frame was appended: passes on now what is to be passed on, or has it count until then. */
    void flush();

    /** A response cannot be written: ends the calls of all requests without one. */
    void fail();

    /** A request becomes a call. */
    void callBegins();

    /** A call has ended, and its response, if it has one, is in the buffer. */
    void callEnded();

    /** Whether no more of its requests become calls. */
    boolean isDraining();

    /** Whether it takes requests back for services that are not served here, and knows others who may serve them. */
    boolean takesUnserved();

    /** Whether nobody takes responses any more. */
    boolean isGone();

    /** When the request was read that is served now. */
    long receivedNs();

    /** Where its calls wait for a permit. */
    PeerQueue queue();
}
