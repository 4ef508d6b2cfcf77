package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.transport.call.CallPromise;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * One HTTP request from its last byte to its answer: its place in the order of its connection, and while it is on its way the
 * pending call. Reused by its calls.
 */
final class HttpCall extends CallPromise {
    private final Calls calls;

    /** Null once the client is gone. */
    HttpConnection connection;
    /** Whether the connection ends with this answer. */
    boolean close;

    boolean http10;
    /** Of a HEAD request: the answer has no document. */
    boolean headOnly;
    /** What its target names. */
    RequestPath.Kind path = RequestPath.Kind.OTHER;

    /** {@link Flags} of its REQUEST. */
    int flags;

    Route route;
    EndpointPool pool;
    /** Where it was sent; null while it waits. */
    ProviderEndpoint endpoint;

    ProviderLink link;
    /** The body of its REQUEST while it waits, else null; released with the call. */
    ByteBuf body;

    /** Whether its REQUEST bears the names, for want of a method id. */
    boolean namesInBody;

    boolean sentAgain;

    /** The next request of the same connection. */
    HttpCall next;
    /** The answer, written while an earlier request of the connection had none yet. */
    ByteBuf answer;

    HttpCall(Calls calls) {
        this.calls = calls;
    }

    /** Takes from the request how it is to be answered. */
    void of(HttpRequestParser request) {
        close = !request.keepAlive();
        http10 = request.isHttp10();
        headOnly = request.method().equals("HEAD");
        path = request.path().kind();
    }

    /** Whether it gets no answer of the service. */
    boolean isOneWay() {
        return (flags & Flags.ONE_WAY) != 0;
    }

    /** Its REQUEST is in the batch of this link. */
    void sentTo(ProviderEndpoint to, ProviderLink on) {
        endpoint = to;
        link = on;
        to.sent();
    }

    /** It is one-way, and on its way: that is its answer. */
    void accepted() {
        endpoint.ended();
        connection.answer(this, Outcome.OK, false, Unpooled.EMPTY_BUFFER, 0, 0, 0, 0);
    }

    @Override
    protected void completed(ByteBuf in, int offset) {
        Outcome outcome = Outcome.ofNumber(MeshHeader.status(in, offset));
        if (outcome == null || outcome == Outcome.NOT_EXECUTED) {
            failed(
                    outcome == null ? Outcome.PROVIDER_ERROR : Outcome.OVERLOADED,
                    outcome == null ? "an answer of unknown status" : "refused by " + endpoint);
            return;
        }
        int body = offset + MeshHeader.LENGTH;
        int attachments = body + Short.BYTES;
        int attachmentsLength = in.getUnsignedShort(body);
        int document = attachments + attachmentsLength;
        int documentLength = body + MeshHeader.bodyLength(in, offset) - document;
        boolean json = (MeshHeader.flags(in, offset) & Flags.JSON) != 0;
        if (outcome == Outcome.OK || outcome == Outcome.SERVICE_EXCEPTION) {
            calls.known(route);
        }
        endpoint.ended();
        if (connection != null) {
            connection.answer(this, outcome, json, in, attachments, attachmentsLength, document, documentLength);
        } else {
            calls.free(this);
        }
    }

    @Override
    protected void failed(Outcome outcome, String detail) {
        if (endpoint != null) {
            endpoint.ended();
        } else {
            calls.leftQueue(this);
        }
        if (connection != null) {
            connection.answer(this, outcome, detail);
        } else {
            calls.free(this);
        }
    }

    /** Ready for the next request. */
    void reset() {
        assert id() == 0 : "still pending";
        if (body != null) {
            body.release();
            body = null;
        }
        if (answer != null) {
            answer.release();
            answer = null;
        }
        connection = null;
        flags = 0;
        route = null;
        pool = null;
        endpoint = null;
        link = null;
        next = null;
        sentAgain = false;
        namesInBody = false;
    }
}
