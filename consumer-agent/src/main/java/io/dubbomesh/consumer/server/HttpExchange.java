package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.AnswerSize;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.Responder;
import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.consumer.http.ResponseFraming;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;

import java.net.SocketAddress;

/**
 * A request of a connection and its response, from the request's last byte to the response's place in the output.
 * Reused.
 */
final class HttpExchange implements Responder {
    /**
     * Of an expected answer, this part is reserved: most clients read while it is written, and most calls of a method
     * that has large answers are in flight without theirs having come.
     */
    private static final int EXPECTED_PART = 4;

    final ResponseFraming framing = new ResponseFraming();
    /** The next exchange of the same connection. */
    HttpExchange next;
    /** The response, written before its turn because an earlier one is missing; null otherwise. */
    ByteBuf early;

    private final MemoryBudget memory;
    private final HttpHandler handler;
    /** Is told of answers that nobody else observes. */
    private final Observer unnamed;

    private Observer observer;
    /** When the last byte of the request was read. */
    private long receivedNs;

    private HttpConnection connection;
    private Cancellation cancellation;
    /** Null unless somebody wants to know what becomes of the request. */
    private CallRecord record;
    /** Of the method that was called, or null. */
    private AnswerSize size;
    /** Bytes of the budget. */
    private int reserved;

    HttpExchange(MemoryBudget memory, HttpHandler handler) {
        this.memory = memory;
        this.handler = handler;
        unnamed = handler.observer();
        observer = unnamed;
    }

    /**
     * Begins for what is not a request.
     *
     * @param begun what has come of one; null if nothing has
     */
    void beginWithout(HttpConnection of, HttpRequestParser begun, long readNs) {
        connection = of;
        receivedNs = readNs;
        framing.reset(begun);
        record = handler.record(null);
        if (record != null) {
            record.received(of.client(), 0, readNs);
        }
    }

    /** Begins for a request. */
    void begin(HttpConnection of, HttpRequestParser request, long readNs) {
        connection = of;
        receivedNs = readNs;
        framing.set(request);
        record = handler.record(request);
        if (record != null) {
            record.received(of.client(), request.bodyLength(), readNs);
            record.requested(request.method(), request.target());
        }
    }

    @Override
    public void observe(Observer toBeTold) {
        observer = toBeTold;
    }

    /** Its response is about to be written, as it is now. */
    void answered(Response response) {
        observer.answered(response, receivedNs);
        if (record != null) {
            long nowNs = System.nanoTime();
            if (record.hasTrace()) {
                response.inTrace(record.traceIdHigh(), record.traceIdLow());
            }
            int bytes = framing.isHeadOnly() ? 0 : response.length();
            record.answered(response.outcome(), response.httpStatus(), bytes, nowNs);
            if (record.isTold()) {
                framing.tell(record);
            }
        }
    }

    @Override
    public CallRecord record() {
        return record;
    }

    @Override
    public String clientName() {
        return connection.clientName();
    }

    @Override
    public SocketAddress client() {
        return connection.address();
    }

    @Override
    public void expect(AnswerSize expected) throws CallException {
        size = expected;
        if (expected.bytes() <= MemoryBudget.LARGE) {
            return;
        }
        int part = expected.bytes() / EXPECTED_PART;
        if (memory.isShort()
                || !connection.share().mayTake(Use.EXPECTED_ANSWERS, part)
                || !memory.tryReserve(Use.EXPECTED_ANSWERS, part)) {
            throw new CallException(
                    Outcome.OVERLOADED, "no room for another answer of about " + expected.bytes() + " bytes");
        }
        reserved = part;
    }

    @Override
    public void onCancel(Cancellation toBeTold) {
        cancellation = toBeTold;
    }

    @Override
    public void respond(Response response) {
        assert connection != null : "responded twice, or after the cancellation";
        cancellation = null;
        if (size != null) {
            size.learn(response);
            size = null;
        }
        unreserve();
        connection.respond(this, response);
    }

    private void unreserve() {
        if (reserved > 0) {
            memory.release(Use.EXPECTED_ANSWERS, reserved);
            reserved = 0;
        }
    }

    /** The client has left: no response is possible. */
    void cancel() {
        Cancellation told = cancellation;
        cancellation = null;
        if (told != null) {
            told.cancelled();
        }
        if (record != null && !record.isEnded()) {
            record.abandoned(System.nanoTime());
        }
    }

    /** Ready for the next request. */
    void reset() {
        if (early != null) {
            early.release();
            early = null;
        }
        unreserve();
        if (record != null) {
            handler.ended(record);
            record = null;
        }
        size = null;
        observer = unnamed;
        connection = null;
        cancellation = null;
        next = null;
    }
}
