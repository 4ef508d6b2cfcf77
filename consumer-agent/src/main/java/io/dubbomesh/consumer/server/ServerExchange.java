package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseFraming;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.RecordedAnswer;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;

import java.net.SocketAddress;

/**
 * A request of a connection and its response, from the request's last byte to the response's place in the output.
 * Reused; owned by the event loop.
 */
final class ServerExchange implements Responder {
    /**
     * The part of an expected answer that is reserved: most clients read while it is written, and most calls of a
     * method that has large answers are in flight without theirs having come.
     */
    private static final int EXPECTED_PART = 4;

    final ResponseFraming framing = new ResponseFraming();
    /** The next exchange of the same connection. */
    ServerExchange next;
    /** The response, written before its turn because an earlier one is missing; null otherwise. */
    ByteBuf early;

    private final MemoryBudget memory;
    private final RequestHandler handler;
    /** Observes answers to requests that name no method. */
    private final Observer unnamed;

    private Observer observer;
    /** The time at which the last byte of the request was read. */
    private long receivedNs;

    /** Null when there is no request, and from the response on. */
    private ClientConnection connection;

    private Cancellation cancellation;
    /** Null for a response in one piece, as nearly all are. */
    private StreamedResponse stream;
    /** Whether the client has left when its output has ended. */
    private boolean endsWithInput;
    /** Null unless a recorder wants it, or the client asks for the times. */
    private CallRecord record;
    /** The likely length of the called method's answers; null if none is expected. */
    private AnswerSize size;
    /** Bytes that are reserved for the answer. */
    private int reserved;

    ServerExchange(MemoryBudget memory, RequestHandler handler) {
        this.memory = memory;
        this.handler = handler;
        unnamed = handler.observer();
        observer = unnamed;
    }

    /**
     * Begins a response to what is not a request.
     *
     * @param begun what has come of one; null if nothing has
     */
    void beginWithout(ClientConnection of, HttpRequestParser begun, long readNs) {
        connection = of;
        receivedNs = readNs;
        framing.reset();
        if (begun != null && !begun.isBetweenRequests()) {
            frame(begun);
        }
        record = handler.record(null);
        if (record != null) {
            record.request().received(of.address(), 0, readNs);
        }
    }

    /** Begins a request. */
    void begin(ClientConnection of, HttpRequestParser request, long readNs) {
        connection = of;
        receivedNs = readNs;
        framing.reset();
        frame(request);
        if (request.isHttp10()) {
            framing.keepAliveOfHttp10();
        }
        if (!request.keepAlive()) {
            framing.closeAfter();
        }
        record = handler.record(request);
        if (record != null) {
            record.request().received(of.address(), request.bodyLength(), readNs);
            record.request().parsed(request.method(), request.target());
        }
    }

    @Override
    public int touch(int level) {
        if (level == 0) {
            return (int) receivedNs + reserved;
        }
        ClientConnection to = connection;
        if (to == null) {
            return 0;
        }
        return level == 1 ? to.touch(0) + (framing.isLast() ? 1 : 0) : to.touch(level - 1);
    }

    private void frame(HttpRequestParser request) {
        framing.crossOrigin(request.crossOriginFields());
        if (request.method().equals("HEAD")) {
            framing.headOnly();
        }
    }

    @Override
    public void observe(Observer of) {
        observer = of;
    }

    @Override
    public boolean isHeadOnly() {
        return framing.isHeadOnly();
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
    public void expectAgain() throws CallException {
        if (size != null && reserved == 0) {
            expect(size);
        }
    }

    @Override
    public void leavesWithInput() {
        endsWithInput = true;
    }

    /** Returns whether the client waits for no response when its output has ended. */
    boolean endsWithInput() {
        return endsWithInput && connection != null;
    }

    @Override
    public ResponseStream stream(StreamFormat format, ResponseStream.Source source) {
        assert connection != null && stream == null : "answered";
        stream = new StreamedResponse(this, connection, format, source);
        cancellation = source;
        connection.opened(this);
        return stream;
    }

    /** Returns null unless the response comes in pieces. */
    StreamedResponse stream() {
        return stream;
    }

    /** Returns whether its response comes in pieces, and more of them may come. */
    boolean isStreaming() {
        return stream != null && stream.state() != StreamedResponse.State.ENDED;
    }

    /** Ends a response in pieces, whose source is cancelled. */
    void interrupt(Response response) {
        Cancellation listener = cancellation;
        cancellation = null;
        listener.cancelled();
        respond(response);
    }

    @Override
    public void onCancel(Cancellation listener) {
        cancellation = listener;
    }

    /** Never throws: what responds has other clients to serve. */
    @Override
    public void respond(Response response) {
        ClientConnection to = connection;
        assert to != null : "responded twice, or after the cancellation";
        connection = null;
        cancellation = null;
        try {
            if (size != null && stream == null) {
                size.learn(response);
            }
            unreserve();
            replaceIfTooLarge(response);
            observer.answered(response, receivedNs);
            if (record != null) {
                describe(response);
            }
            to.write(this, response);
        } catch (Throwable e) {
            to.fail(e);
        }
    }

    @Override
    public boolean hasRoomFor(int bytes) {
        return bytes <= MemoryBudget.LARGE || memory.hasRoom(Use.ANSWERS, bytes);
    }

    private void replaceIfTooLarge(Response response) {
        if (!hasRoomFor(response.length())) {
            response.noRoomFor(response.length());
        }
    }

    private void describe(Response response) {
        long nowNs = System.nanoTime();
        if (record.trace().isPresent()) {
            response.inTrace(record.trace().idHigh(), record.trace().idLow());
        }
        int bytes = framing.isHeadOnly() ? 0 : response.length();
        if (stream != null) {
            recordStream();
        }
        record.answer().written(response.outcome(), response.httpStatus(), bytes, nowNs);
        if (record.areTimesRequested()) {
            framing.times(record);
        }
    }

    private void recordStream() {
        boolean isOfMessages = stream.format() != StreamFormat.DOCUMENT;
        record.answer().streamed(isOfMessages ? stream.messages() : RecordedAnswer.NO_STREAM, stream.bytes());
    }

    private void unreserve() {
        if (reserved > 0) {
            memory.release(Use.EXPECTED_ANSWERS, reserved);
            reserved = 0;
        }
    }

    /** Called when the client has left, or does not wait for the response any more. */
    void cancel() {
        Cancellation listener = cancellation;
        cancellation = null;
        if (listener != null) {
            listener.cancelled();
        }
        connection = null;
        if (stream != null) {
            stream.end();
        }
        unreserve();
        if (record != null && !record.answer().isEnded()) {
            if (stream != null) {
                recordStream();
            }
            record.answer().abandoned(System.nanoTime());
        }
    }

    /** Ends the record, and makes this ready for the next request. */
    void reset() {
        unreserve();
        if (record != null) {
            handler.ended(record);
            record = null;
        }
        size = null;
        stream = null;
        observer = unnamed;
        connection = null;
        cancellation = null;
        endsWithInput = false;
        next = null;
    }
}
