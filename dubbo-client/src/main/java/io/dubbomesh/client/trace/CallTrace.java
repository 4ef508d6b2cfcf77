package io.dubbomesh.client.trace;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.TraceParent;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.runtime.metrics.Exemplar;
import io.dubbomesh.runtime.tracing.RecordedSpan;
import io.dubbomesh.runtime.tracing.RecordedSpan.Kind;
import io.netty.buffer.ByteBuf;

/**
 * A sampled call: the span of its request, whose parent is at the consumer agent, and, once it is sent to the provider,
 * the span of the Dubbo request, which is the parent of what the provider does. Owned by the event loop of the call.
 */
public final class CallTrace {
    /** The end of a call whose consumer agent is lost or has told its client that it is too late. */
    private static final String UNANSWERED = "unanswered";

    private static final String DUBBO = "dubbo";
    private static final String TRIPLE = "tri";
    private static final int NOT_ANSWERED = 0;

    private final CallTracer tracer;
    private final long traceIdHigh;
    private final long traceIdLow;
    private final long parentId;
    private final long meshId = RecordedSpan.newId();
    private final long dubboId = RecordedSpan.newId();
    /** The offset of {@code traceparent} in the request's body. */
    private final int offset;

    private final String method;
    private final long receivedNs;

    private boolean sent;
    /** The name of the protocol by which it was sent. */
    private String protocol;

    private long sentNs;
    /** The status of the Dubbo response. */
    private int status = NOT_ANSWERED;

    private long answeredNs;
    /** The messages of a stream so far. */
    private long messages;
    /** Null if the consumer agent got no answer. */
    private Outcome outcome;

    CallTrace(CallTracer tracer, TraceParent parent, int offset, MethodName name, long receivedNs) {
        this.tracer = tracer;
        this.offset = offset;
        this.receivedNs = receivedNs;
        traceIdHigh = parent.traceIdHigh();
        traceIdLow = parent.traceIdLow();
        parentId = parent.spanId();
        method = name.service() + '/' + name.method();
    }

    /** Returns the call as an example of those that took as long. */
    public Exemplar exemplar(long durationNs) {
        return new Exemplar(traceIdHigh, traceIdLow, meshId, durationNs, System.currentTimeMillis());
    }

    /**
     * Called when the Dubbo request is about to be written out of this body: its attachments name the span of the Dubbo
     * request, until {@link #written}.
     *
     * @param isTriple whether it is sent by Triple
     */
    public void writing(ByteBuf body, boolean isTriple) {
        protocol = isTriple ? TRIPLE : DUBBO;
        if (!sent) {
            sent = true;
            sentNs = System.nanoTime();
        }
        TraceParent.setSpanId(body, offset, dubboId);
    }

    /** Called when the body is again what came: it may be given back, and then goes to another provider agent. */
    public void written(ByteBuf body) {
        TraceParent.setSpanId(body, offset, parentId);
    }

    /** Called when the provider has answered. */
    public void answered(int dubboStatus, long nowNs) {
        status = dubboStatus;
        answeredNs = nowNs;
    }

    /** Called with each message of a stream. */
    public void message() {
        messages++;
    }

    /** Called when the consumer agent has got this answer. */
    public void ended(Outcome with) {
        outcome = with;
    }

    /** Called when the call is over: nothing is called any more. */
    public void record(long nowNs) {
        if (sent) {
            recordDubbo(nowNs);
        }
        RecordedSpan span = span(Kind.SERVER, meshId, parentId)
                .time(receivedNs, nowNs)
                .attribute("rpc.system.name", "dubbomesh")
                .attribute("rpc.method", method);
        if (messages > 0) {
            span.attribute("dubbomesh.messages", messages);
        }
        if (outcome == null) {
            span.failed(UNANSWERED);
        } else {
            span.attribute("rpc.response.status_code", outcome.code());
            if (outcome != Outcome.OK) {
                span.failed(outcome.code());
            }
        }
        tracer.record(span);
    }

    private void recordDubbo(long nowNs) {
        RecordedSpan span = span(Kind.CLIENT, dubboId, meshId)
                .time(sentNs, status == NOT_ANSWERED ? nowNs : answeredNs)
                .attribute("rpc.system.name", DUBBO)
                .attribute("dubbo.protocol", protocol)
                .attribute("rpc.method", method)
                .attribute("server.address", tracer.provider().host())
                .attribute("server.port", tracer.provider().port());
        if (status != NOT_ANSWERED) {
            String code = DubboStatusNames.of(status);
            span.attribute("rpc.response.status_code", code);
            if (status != DubboStatus.OK) {
                span.failed(code);
            } else if (outcome != null && outcome != Outcome.OK) {
                // Such as SERVICE_EXCEPTION, for which Dubbo has no status.
                span.failed(outcome.code());
            }
        } else if (outcome == null) {
            span.failed(UNANSWERED);
        } else if (outcome != Outcome.OK) {
            span.failed(outcome.code());
        }
        tracer.record(span);
    }

    private RecordedSpan span(Kind kind, long id, long parent) {
        return new RecordedSpan(kind, method, traceIdHigh, traceIdLow, id, parent);
    }
}
