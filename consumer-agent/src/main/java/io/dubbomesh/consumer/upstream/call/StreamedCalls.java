package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.TimeoutSource;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.upstream.call.StreamCounters.End;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;

import java.util.ArrayDeque;

/** Passes the messages of streams to the clients of their calls. Owned by one event loop. */
final class StreamedCalls {
    /** JSON that may wait for a client, and one message more. */
    private static final int MAX_UNREAD = 4 * 1024 * 1024;

    private final StreamSettings settings;
    private final Turn turn;
    private final MemoryBudget memory;
    private final PendingCalls<UpstreamCall> pending;
    private final DeadlineSweep sweep;
    /** Those of which clients have taken something in this turn. */
    private final ArrayDeque<StreamedAnswer> taken = new ArrayDeque<>();

    private final Runnable giveBack = this::giveBack;
    private final StreamCounters counters = new StreamCounters();

    StreamedCalls(StreamSettings settings, Turn turn, PendingCalls<UpstreamCall> pending, DeadlineSweep sweep) {
        this.settings = settings;
        this.turn = turn;
        memory = turn.memory();
        this.pending = pending;
        this.sweep = sweep;
    }

    /**
     * Called with a RESPONSE that others follow, for a call whose client waits.
     *
     * @return whether it has the first message
     */
    boolean received(UpstreamCall call, ByteBuf in, int offset, long nowNs) {
        StreamedAnswer stream = call.stream();
        if (stream == null) {
            stream = open(call, nowNs);
        }
        int attachments = offset + MeshHeader.LENGTH;
        int document = attachments + Short.BYTES + in.getUnsignedShort(attachments);
        int length = attachments + MeshHeader.bodyLength(in, offset) - document;
        boolean isFirst = false;
        if (length > 0) {
            isFirst = stream.begin();
            counters.message();
            boolean goesOn = stream.client().write(in, document, length);
            int windowBytes = MeshHeader.windowBytes(in, offset);
            if (goesOn) {
                // The client may take more before it is resumed, and is not resumed then.
                take(stream, windowBytes);
            } else {
                stream.owe(length, windowBytes);
            }
        }
        renew(call, nowNs);
        return isFirst;
    }

    private StreamedAnswer open(UpstreamCall call, long nowNs) {
        boolean isBounded = call.timeoutSource() == TimeoutSource.REQUEST;
        long lastNs = isBounded ? call.deadlineNs() : nowNs + settings.maxNs();
        ResponseStream client = call.openStream();
        counters.begun();
        return call.streamedAs(new StreamedAnswer(client, call.link(), call.id(), lastNs));
    }

    /** Gives the bytes back at the end of the turn, so that many messages cause one frame. */
    private void take(StreamedAnswer stream, int windowBytes) {
        if (stream.take(windowBytes)) {
            if (taken.isEmpty()) {
                turn.ready(giveBack);
            }
            taken.add(stream);
        }
    }

    private void giveBack() {
        try {
            StreamedAnswer stream;
            while ((stream = taken.poll()) != null) {
                stream.giveBack();
            }
        } finally {
            if (!taken.isEmpty()) {
                turn.ready(giveBack);
            }
        }
    }

    private void renew(UpstreamCall call, long nowNs) {
        long deadlineNs = call.stream().deadlineNs(settings.idleNs(), nowNs);
        pending.move(call, deadlineNs);
        sweep.added(deadlineNs);
    }

    /** Called when the client takes more. */
    void resumed(UpstreamCall call) {
        take(call.stream(), 0);
        renew(call, System.nanoTime());
    }

    /** Returns why a stream ends before its next message; null if that can be written. */
    String refusal(UpstreamCall call) {
        StreamedAnswer stream = call.stream();
        if (stream == null) {
            return null;
        }
        long unread = stream.unread();
        boolean isTooMuch = unread > MAX_UNREAD || unread > MemoryBudget.LARGE && memory.isShort();
        return isTooMuch ? "the client reads too slowly: " + unread + " bytes of the stream wait for it" : null;
    }

    /** Ends the stream at the provider. */
    static void cancel(UpstreamCall call, End by) {
        call.stream().endedBy(by);
        call.stream().cancel();
    }

    /** Called when the provider has ended the stream. */
    static void completed(UpstreamCall call) {
        call.stream().endedBy(End.PROVIDER);
    }

    /** Called when a call has ended. */
    void ended(UpstreamCall call) {
        if (call.stream() != null) {
            counters.ended(call.stream().end());
        }
        if (call.takesStream()) {
            memory.streamEnded();
        }
    }

    /** Called when a call begins. */
    void begins(UpstreamCall call) {
        if (call.takesStream()) {
            memory.streamBegins();
        }
    }

    void addTo(MetricSamples samples) {
        counters.addTo(samples);
    }

    /** Returns why a stream ends whose deadline has passed. */
    String timeout(UpstreamCall call) {
        if (!call.stream().isLast(call.deadlineNs())) {
            return "no message for " + settings.idleNs() / 1_000_000 + " ms (stream.idle-timeout)";
        }
        return call.timeoutSource() == TimeoutSource.REQUEST
                ? "the stream has lasted as long as its request allows (X-Request-Timeout)"
                : "the stream has lasted " + settings.maxNs() / 1_000_000 + " ms (stream.max-duration)";
    }
}
