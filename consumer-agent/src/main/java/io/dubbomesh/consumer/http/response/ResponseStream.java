package io.dubbomesh.consumer.http.response;

import io.netty.buffer.ByteBuf;

/**
 * A response in pieces, as its {@link Source} sees it. {@link Responder#respond} ends it: before the first message with
 * an ordinary response, later with the status of the response as the end of the stream. Used on the event loop of the
 * request's connection, and not after the end.
 */
public interface ResponseStream {
    /**
     * Writes a message, which is not kept. One is taken whether the client reads or not.
     *
     * @param in      has the JSON of the message
     * @return whether more may come now; if not, {@link Source#resumed} is called once when it may. Who sends more
     *     meanwhile has to be bounded by something else
     */
    boolean write(ByteBuf in, int offset, int length);

    /** Returns whether the client has kept the source from sending more since its last message. */
    boolean isBlocked();

    /** The sender of the messages. */
    interface Source extends Responder.Cancellation {
        /** Called when more may come, from no call of the source's own. */
        void resumed();
    }
}
