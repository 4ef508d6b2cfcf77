package io.dubbomesh.client.call;

import io.dubbomesh.client.trace.CallTrace;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.request.CallArguments.Form;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.type.DeclaredType;
import io.netty.buffer.ByteBuf;

/**
 * The origin of a call, and the form of its answer. Passes on no outcome of a one-way call, and none to a link that is
 * closed. Reused.
 */
final class CallOrigin {
    private static final String POOL_EXHAUSTED =
            "the provider has no thread free (Dubbo status 100): its pool is smaller than lb.limit";

    private final CallCounters counters;
    private final CallTiming timing;
    /** Null while there is no call. */
    private CallListener listener;

    private CalledMethod method;
    private long receivedNs;
    private long requestId;
    private boolean oneWay;
    /** Whether the client takes a stream. */
    private boolean streamed;

    private boolean timed;
    private Form form;
    private ResultFormat format;
    /** Null unless the call is sampled. */
    private CallTrace trace;

    /** @param timing shared by the calls of the event loop */
    CallOrigin(CallCounters counters, CallTiming timing) {
        this.counters = counters;
        this.timing = timing;
    }

    void bind(CallListener from, long id, int flags, CalledMethod called, DubboRequest request) {
        listener = from;
        method = called;
        receivedNs = from.receivedNs();
        requestId = id;
        oneWay = (flags & Flags.ONE_WAY) != 0;
        streamed = (flags & Flags.STREAM) != 0;
        timed = (flags & Flags.TIMED) != 0;
        boolean text = (flags & Flags.TEXT) != 0;
        form = text ? Form.TEXTS : (flags & Flags.OBJECT) != 0 ? Form.OBJECT : Form.ARRAY;
        boolean classNames = (flags & Flags.CLASS_NAMES) != 0;
        format = ResultFormat.of(text, classNames, request.isGeneric(), request.hasToken());
    }

    /**
     * Has the messages passed on of a method that returns a stream.
     *
     * @param carried whether the connection to the provider can carry it
     * @throws CallException if they cannot be passed on to the client
     */
    void requireStream(Streaming streaming, boolean carried) throws CallException {
        String named = "method " + method.name().method();
        if (streaming == Streaming.CLIENT) {
            throw new CallException(
                    Outcome.NOT_IMPLEMENTED,
                    named
                            + " takes a stream of messages, which no request of HTTP can be (expected: a method that takes"
                            + " one message)");
        }
        if (!carried) {
            throw new CallException(
                    Outcome.NOT_IMPLEMENTED,
                    named + " returns a stream, which the protocol dubbo does not carry (expected: a provider that"
                            + " exports the service by tri)");
        }
        if (!listener.takesStreams()) {
            throw new CallException(
                    Outcome.NOT_IMPLEMENTED,
                    named
                            + " returns a stream, which the consumer agent of this call does not pass on (expected: one of"
                            + " the version of its provider agent)");
        }
        if (oneWay) {
            throw new CallException(
                    Outcome.BAD_REQUEST, "X-Dubbo-Oneway: " + named + " returns a stream (expected: no such header)");
        }
        if (!streamed) {
            throw new CallException(
                    Outcome.NOT_ACCEPTABLE,
                    named + " returns a stream (expected: the header Accept: text/event-stream or Accept:"
                            + " application/x-ndjson)");
        }
        if (!listener.hasRoomForStream()) {
            throw new CallException(Outcome.OVERLOADED, "no room for another stream (memory.budget)");
        }
        format = format.ofMessages();
    }

    /** Called when a call was sent whose answer is a stream; returns false if its id is that of another one. */
    boolean streamOpened(OpenStream stream) {
        return listener.streamOpened(requestId, stream);
    }

    /** Called when a stream has ended. */
    void streamClosed(OpenStream stream) {
        listener.streamClosed(requestId, stream);
    }

    /** Passes a message on; returns OK unless it could not be. */
    Outcome message(ByteBuf in, int offset, int windowBytes) {
        Outcome outcome = listener.message(requestId, method, format, in, offset, windowBytes);
        if (outcome != Outcome.OK) {
            ended(outcome);
        }
        return outcome;
    }

    /** Called when the provider has ended a stream. */
    void streamEnded(long startedNs, long nowNs) {
        if (listens()) {
            answered(Outcome.OK, startedNs, nowNs);
            listener.streamEnded(requestId);
        }
    }

    CalledMethod method() {
        return method;
    }

    /** Called when the arguments have shown which of several methods of the name is meant. */
    void overload(CalledMethod meant, DubboRequest request) {
        method = meant;
        boolean classNames = format.classNames().areWritten();
        format = ResultFormat.of(format.text(), classNames, request.isGeneric(), request.hasToken());
    }

    /** @param sampled null if the call is not sampled */
    void trace(CallTrace sampled) {
        trace = sampled;
    }

    /** Returns the trace of the call; null unless it is sampled. */
    CallTrace trace() {
        return trace;
    }

    /** Records the trace of a call that is over. */
    void recordTrace() {
        if (trace != null) {
            trace.record(System.nanoTime());
        }
    }

    /** Called when the call goes through {@code $invoke} after all. */
    void markGeneric() {
        format = format.ofGenericCall();
    }

    /** Called when the provider has executed a call of the method before. */
    void methodIsKnown() {
        format = format.ofKnownMethod();
    }

    void clear() {
        listener = null;
        method = null;
        trace = null;
    }

    CallListener listener() {
        return listener;
    }

    /** Returns when its request was read. */
    long receivedNs() {
        return receivedNs;
    }

    boolean isOneWay() {
        return oneWay;
    }

    /** Returns the form of its arguments. */
    Form form() {
        return form;
    }

    boolean isClosed() {
        return listener.isClosed();
    }

    boolean listens() {
        return !oneWay && !listener.isClosed();
    }

    /** Called when the provider's answer has arrived. */
    void traceAnswer(int status, long nowNs) {
        if (trace != null) {
            trace.answered(status, nowNs);
        }
    }

    ResultFormat format() {
        return format;
    }

    /** Returns what the called method declares to return, as far as it is known. */
    DeclaredType resultType() {
        return method.resultType();
    }

    /**
     * Passes an answer on; the caller has made sure that it {@linkplain #listens() is waited for}.
     *
     * @param startedNs when the call was sent or could have been
     * @param nowNs     when the answer was received
     * @return how the call ended; null if the answer is too long to be read here
     */
    Outcome answered(ByteBuf in, int offset, long startedNs, long nowNs) {
        Outcome outcome = listener.answered(requestId, method, format, timing(startedNs, nowNs), in, offset);
        if (outcome != null) {
            answered(outcome, startedNs, nowNs);
        }
        return outcome;
    }

    /** Passes on a long answer that was read. */
    Outcome read(Outcome outcome, ByteBuf document, long startedNs, long nowNs) {
        Outcome passedOn = listener.read(requestId, method, format, timing(startedNs, nowNs), outcome, document);
        answered(passedOn, startedNs, nowNs);
        return passedOn;
    }

    private CallTiming timing(long startedNs, long nowNs) {
        return timed ? timing.set(startedNs - receivedNs, nowNs - startedNs) : null;
    }

    private void answered(Outcome outcome, long startedNs, long nowNs) {
        counters.answered++;
        count(outcome, nowNs - receivedNs);
        method.served(startedNs - receivedNs, nowNs - startedNs);
    }

    /** Called when a one-way call has gone to the provider: nothing will come back. */
    void sentOneWay() {
        method.sentOneWay();
        if (trace != null) {
            trace.ended(Outcome.OK);
        }
    }

    void failed(Outcome outcome, String detail) {
        method.failed(outcome, detail);
        if (listens()) {
            ended(outcome);
            listener.failed(requestId, outcome, detail);
        }
    }

    void failed(Throwable cause) {
        method.failed(Outcome.INTERNAL_ERROR, String.valueOf(cause));
        if (listens()) {
            ended(Outcome.INTERNAL_ERROR);
            listener.failed(requestId, cause);
        }
    }

    /**
     * Gives the call back.
     *
     * @param unavailability why the provider takes no calls now; null if it has too many
     */
    void notExecuted(ByteBuf body, String unavailability) {
        method.givenBack(unavailability);
        giveBack(body, unavailability);
    }

    /** Gives the call back since the provider has too many, though fewer than the limit allows. */
    void poolExhausted(ByteBuf body) {
        method.failed(Outcome.NOT_EXECUTED, POOL_EXHAUSTED);
        giveBack(body, null);
    }

    private void giveBack(ByteBuf body, String unavailability) {
        if (listens()) {
            counters.notExecuted++;
            ended(Outcome.NOT_EXECUTED);
            listener.notExecuted(requestId, body, 0, body.writerIndex(), unavailability);
        }
    }

    private void ended(Outcome outcome) {
        count(outcome, System.nanoTime() - receivedNs);
    }

    private void count(Outcome outcome, long durationNs) {
        method.answered(outcome, durationNs);
        if (trace != null) {
            trace.ended(outcome);
            method.traced(trace.exemplar(durationNs));
        }
    }
}
