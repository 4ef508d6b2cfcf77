package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.triple.TripleAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;

/** Brings the answers of a provider into the form of a Dubbo response. Used by one event loop. */
interface TripleAnswers {
    /**
     * Appends the whole frame of a Dubbo response.
     *
     * @param stream   has the header fields and the content
     * @param trailers the header fields themselves for an answer without trailers of its own
     */
    void write(ByteBuf out, TripleStream stream, Http2Headers trailers);

    /** @param requests what requests are written in */
    static TripleAnswers of(Serialization requests) {
        TripleAnswer answer = new TripleAnswer(requests);
        return (out, stream, trailers) -> {
            if (stream.isMessage()) {
                answer.writeMessage(out, stream.requestId(), stream.headers(), trailers, stream.content());
            } else {
                answer.write(out, stream.requestId(), stream.headers(), trailers, stream.content());
            }
        };
    }
}
