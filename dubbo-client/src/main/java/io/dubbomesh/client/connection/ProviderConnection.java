package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.request.DubboRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** One connection to the provider, as its calls use it. Owned by its event loop. */
public interface ProviderConnection {
    /** Returns whether the connection can carry one call more now; asked before each {@link #send}. */
    boolean canSend();

    /** Returns whether the connection speaks the protocol that a request was prepared for. */
    default boolean takes(DubboRequest prepared) {
        return !prepared.isTriple();
    }

    /**
     * Returns the buffer to append a request to. Its writer index may be moved back over what the caller itself has
     * just written; the caller does not release it.
     *
     * @param bytes about so many
     */
    ByteBuf requestBuffer(int bytes);

    /** Returns the length of the body of the request that starts at {@code offset}. */
    int bodyLength(ByteBuf request, int offset);

    /**
     * Sends the request that was appended last, at {@code offset}. If this fails, nothing of it is sent when its bytes
     * are taken back.
     *
     * @param requestId  that its answer has
     * @param form       in which that comes
     * @param timeLeftMs until the deadline of the call
     * @return what {@link #isUnsent} and {@link #cancel} are asked by
     */
    long send(ByteBuf request, int offset, long requestId, AnswerForm form, long timeLeftMs);

    /**
     * Returns whether the provider has certainly not got a request.
     *
     * @param sent what {@link #send} has returned
     */
    boolean isUnsent(long sent);

    /**
     * Called when the answer to a request is not waited for any more.
     *
     * @param sent what {@link #send} has returned
     */
    void cancel(long sent);

    /**
     * Called when a request should have been answered long ago. Its answer, if it comes yet, is handed over as any:
     * it shows that the provider was busy with it.
     *
     * @param sent what {@link #send} has returned
     */
    default void abandon(long sent) {}

    /** Returns whether the answer to a request can be a stream of messages. */
    default boolean carriesStreams() {
        return false;
    }

    /**
     * Returns how many answers can be streams at once: some of the places are kept for other calls, which end soon.
     * {@link #stream} is not to be called for more.
     */
    default int maxStreams() {
        return 0;
    }

    /** Returns how many answers are streams now. */
    default int openStreams() {
        return 0;
    }

    /**
     * Has the messages of an answer handed over as they come, see {@link ResponseListener#message}; to be called when
     * the request was sent.
     *
     * @param sent what {@link #send} has returned
     */
    default void stream(long sent) {
        throw new UnsupportedOperationException("no streams");
    }

    /**
     * Has the provider send so many bytes more of a stream. Does nothing if the stream has ended.
     *
     * @param sent what {@link #send} has returned
     */
    default void consumed(long sent, int bytes) {}

    /**
     * Returns the number of check intervals in which the provider has sent something: a frozen provider's calls do not
     * grow older.
     */
    int checks();

    long checkIntervalMs();

    /** Returns when the answer was read that is handed over. */
    long readNs();

    ByteBufAllocator allocator();

    void close(String reason);
}
