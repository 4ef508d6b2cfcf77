package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/** Is told of a direct link and of its responses, on its event loop. */
public interface LinkListener {
    /** Called when it opens its connection for the first time. */
    void opening(EndpointLink link);

    /** Called when an attempt to connect has failed; another one follows. */
    void notConnected(String reason);

    /** Called when it takes calls, at most so many in flight from the whole agent. */
    void ready(EndpointLink link, int limit);

    /** Called when the limit is another one. */
    void limited(EndpointLink link, int calls);

    /**
     * Called when it takes no calls until it is ready again. Those in flight get their responses yet. Those in flight
     * get their responses yet.
     *
     * @param soon whether it will be known in a moment if it takes calls again
     */
    void unavailable(EndpointLink link, String reason, boolean soon);

    /** Called with the RESPONSE {@code in[offset, end)} to one of its requests, valid during the call only. */
    void responded(EndpointLink link, ByteBuf in, int offset, int end) throws MalformedFrameException;
}
