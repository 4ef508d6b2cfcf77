package io.dubbomesh.client.connection;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;

/** Brings the answers of a provider into the form of a Dubbo response. Used by one event loop. */
interface TripleAnswers {
    /**
     * Appends the whole frame of a Dubbo response.
     *
     * @param stream   has the header fields and the message, if there is one
     * @param trailers the header fields themselves for an answer without trailers of its own
     */
    void write(ByteBuf out, TripleStream stream, Http2Headers trailers);
}
