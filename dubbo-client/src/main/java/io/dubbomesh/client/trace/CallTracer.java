package io.dubbomesh.client.trace;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.TraceParent;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.tracing.RecordedSpan;
import io.dubbomesh.runtime.tracing.Tracing;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Begins the traces of one event loop's calls: of those whose {@code traceparent} says that they are sampled. The
 * caller that has sent the request has decided that; a provider agent begins no trace of its own. Owned by the loop.
 */
public final class CallTracer {
    private static final byte[] TRACEPARENT = TraceParent.NAME.getBytes(US_ASCII);

    private final Tracing tracing;
    private final HostPort provider;
    /** The trace parent of the request that is being read. */
    private final TraceParent parent = new TraceParent();

    public CallTracer(Tracing tracing, HostPort provider) {
        this.tracing = tracing;
        this.provider = provider;
    }

    /**
     * Returns the trace of a request that is served.
     *
     * @param receivedNs when the request was read
     * @return null if the request is not sampled
     */
    public CallTrace begin(RequestBody request, MethodName method, long receivedNs) {
        int value = findSampled(request);
        return value < 0 ? null : new CallTrace(this, parent, value - request.offset(), method, receivedNs);
    }

    /** Records a request that was answered without becoming a call, if it is sampled. */
    public void answered(RequestBody request, MethodName method, long receivedNs, Outcome outcome) {
        CallTrace trace = begin(request, method, receivedNs);
        if (trace != null) {
            trace.ended(outcome);
            trace.record(System.nanoTime());
        }
    }

    private int findSampled(RequestBody request) {
        if (request.attachmentsLength() == 0) {
            return -1;
        }
        int value = Attachments.find(
                request.buffer(), request.attachmentsOffset(), request.attachmentsLength(), TRACEPARENT);
        if (value < 0) {
            return -1;
        }
        int length = request.buffer().getUnsignedShort(value - Short.BYTES);
        return parent.read(request.buffer(), value, length) && parent.isSampled() ? value : -1;
    }

    HostPort provider() {
        return provider;
    }

    void record(RecordedSpan span) {
        tracing.ended(span);
    }
}
