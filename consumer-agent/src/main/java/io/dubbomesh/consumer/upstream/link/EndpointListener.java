package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/** Takes what the links of one event loop's endpoints bring and what becomes of them. Called on the event loop. */
public interface EndpointListener {
    /** The largest number of frames that {@link #expect} is called with. */
    int MOST_EXPECTED = 16;

    /** Called when an endpoint may take more calls than before. */
    void roomAdded();

    /** Called when an endpoint takes no new calls on its link, or the link is gone. */
    void unavailable(ProviderEndpoint endpoint);

    /**
     * Called before frames with these request ids are handed over, most of them RESPONSEs; some may be of calls that
     * have ended, or none at all. What they are for can be brought into the processor's cache.
     */
    default void expect(long[] requestIds, int count) {}

    /** Called with a RESPONSE, {@code in[offset, end)}, which is valid during the call only. */
    void responded(EndpointLink link, ByteBuf in, int offset, int end) throws MalformedFrameException;

    /**
     * Returns whether a call waits for the RESPONSE whose header is at {@code in[offset]}, and whose rest is coming.
     * One for which none waits is discarded.
     */
    boolean awaits(EndpointLink link, ByteBuf in, int offset);

    /**
     * Called with the header of a RESPONSE that a call {@linkplain #awaits awaits}, at {@code in[offset]}, and the rest
     * of which is discarded: there is no room for it in the memory budget.
     */
    void discarded(EndpointLink link, ByteBuf in, int offset);

    /**
     * Sends the REQUEST {@code in[offset, end)}, which the peer of its link has certainly not received, to another
     * endpoint. Returns false if none has room.
     */
    boolean sendElsewhere(EndpointLink link, ByteBuf in, int offset, int end);

    /**
     * Called when a link is gone: what is in flight on it gets no response.
     *
     * @param unsent whole frames that were not handed to the channel, or null; not released here
     */
    void linkLost(EndpointLink link, String reason, ByteBuf unsent);
}
