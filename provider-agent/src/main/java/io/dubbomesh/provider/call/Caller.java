package io.dubbomesh.provider.call;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.mesh.Flags;
import io.netty.buffer.ByteBuf;

/** Who has sent a call, and how the outcome is wanted. A caller of a one-way call, and one that is gone, is told nothing. Reused. */
final class Caller {
    private final CallCounters counters;
    /** Null while there is no call. */
    private CallListener listener;

    private long requestId;
    private boolean oneWay;
    private boolean form;
    private ResultFormat format;

    Caller(CallCounters counters) {
        this.counters = counters;
    }

    /** @param generic whether the call goes through {@code $invoke} */
    void bind(CallListener caller, long callersId, int flags, boolean generic) {
        listener = caller;
        requestId = callersId;
        oneWay = (flags & Flags.ONE_WAY) != 0;
        form = (flags & Flags.TEXT) != 0;
        format = ResultFormat.of(form, (flags & Flags.CLASS_NAMES) != 0, generic);
    }

    void clear() {
        listener = null;
    }

    CallListener listener() {
        return listener;
    }

    boolean isOneWay() {
        return oneWay;
    }

    boolean isForm() {
        return form;
    }

    boolean isGone() {
        return listener.isGone();
    }

    private boolean listens() {
        return !oneWay && !listener.isGone();
    }

    void answered(ByteBuf in, int offset) {
        if (listens()) {
            counters.answered++;
            listener.answered(requestId, format, in, offset);
        }
    }

    void failed(Outcome outcome, String detail) {
        if (listens()) {
            listener.failed(requestId, outcome, detail);
        }
    }

    void failed(Throwable cause) {
        if (listens()) {
            listener.failed(requestId, cause);
        }
    }

    void notExecuted(ByteBuf body) {
        if (listens()) {
            counters.notExecuted++;
            listener.notExecuted(requestId, body, 0, body.writerIndex());
        }
    }
}
