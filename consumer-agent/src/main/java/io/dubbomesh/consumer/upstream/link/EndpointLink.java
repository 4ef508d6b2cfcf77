package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.netty.buffer.ByteBuf;

/**
 * The way to an endpoint: takes REQUEST frames and gives RESPONSE frames, whether a connection to a provider agent lies
 * behind it or the client half of this agent. Owned by one event loop.
 */
public interface EndpointLink {
    /** Returns whether it takes new calls. */
    boolean isReady();

    /** Returns whether it takes no new calls, and those in flight go on. */
    boolean isDraining();

    /** Returns whether what is written now goes out soon. */
    boolean isWritable();

    /** Returns the method id for a route's requests; 0 if the names must stand in their bodies. */
    int methodId(Route route);

    /**
     * Returns the {@link io.dubbomesh.protocol.mesh.Flags} of a REQUEST, without those that the other side does not
     * know.
     */
    int requestFlags(int wanted);

    /**
     * Returns the buffer to append a REQUEST to; the caller may move its writer index back over what it has just
     * written, and does not release it.
     *
     * @param frameBytes about so many
     */
    ByteBuf buffer(int frameBytes);

    /**
     * Called when a REQUEST was appended, which begins at {@code frame}. No RESPONSE is passed on before this has
     * returned.
     */
    void requested(Route route, ByteBuf out, int frame, long nowNs);

    /**
     * Called when a call that was sent here does not count as in flight any more, since its answer is a stream that has
     * begun.
     */
    default void streamBegun() {}

    /** Called when a stream has ended that {@linkplain #streamBegun has begun}. */
    default void streamOver() {}

    /**
     * Has so many bytes more of a stream come: messages were taken whose RESPONSEs had {@link
     * io.dubbomesh.protocol.mesh.Flags#MORE}. Does nothing if it has ended.
     */
    default void consumed(long requestId, int bytes) {}

    /** Ends a stream whose messages are not wanted any more. Does nothing if it has ended. */
    default void cancelStream(long requestId) {}

    /**
     * Takes no calls any more, and {@linkplain #close closes} with its last stream; to be called when no call is in
     * flight.
     */
    default void leave(String reason) {
        close(reason);
    }

    /** Returns whether streams that have begun have not ended. */
    default boolean hasStreams() {
        return false;
    }

    /**
     * Returns the reason for which calls of a route that were written are not sent yet, in a clause; null if none is
     * known.
     */
    default String delayReason(Route route) {
        return null;
    }

    /** Returns the time at which the RESPONSE was read that is passed on now. */
    long readNs();

    /** Returns the timing to read into. */
    CallTiming timing();

    /**
     * Takes no calls any more; to be called when the client of none waits for an answer. What was sent one-way still
     * reaches the provider.
     */
    void close(String reason);
}
