package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.Responder;
import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.consumer.http.ResponseFraming;
import io.netty.buffer.ByteBuf;

/** A request of a connection and its response, from the request's last byte to the response's place in the output. Reused. */
final class HttpExchange implements Responder {
    final ResponseFraming framing = new ResponseFraming();
    /** The next exchange of the same connection. */
    HttpExchange next;
    /** The response, written before its turn because an earlier one is missing; null otherwise. */
    ByteBuf early;

    private HttpConnection connection;
    private Cancellation cancellation;

    /** Begins for what is not a request. */
    void begin(HttpConnection of) {
        connection = of;
        framing.reset();
    }

    /** Begins for a request. */
    void begin(HttpConnection of, HttpRequestParser request) {
        connection = of;
        framing.set(request);
    }

    @Override
    public void onCancel(Cancellation toBeTold) {
        cancellation = toBeTold;
    }

    @Override
    public void respond(Response response) {
        assert connection != null : "responded twice, or after the cancellation";
        cancellation = null;
        connection.respond(this, response);
    }

    /** The client has left: no response is possible. */
    void cancel() {
        Cancellation told = cancellation;
        cancellation = null;
        if (told != null) {
            told.cancelled();
        }
    }

    /** Ready for the next request. */
    void reset() {
        if (early != null) {
            early.release();
            early = null;
        }
        connection = null;
        cancellation = null;
        next = null;
    }
}
