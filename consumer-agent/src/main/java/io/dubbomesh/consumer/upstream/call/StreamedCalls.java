package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.TimeoutSource;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;

/** Passes the messages of streams to the clients of their calls. Owned by one event loop. */
final class StreamedCalls {
    /** JSON that may wait for a client, and one message more. */
    private static final int MAX_UNREAD = 4 * 1024 * 1024;

    private final StreamSettings settings;
    private final MemoryBudget memory;
    private final PendingCalls<UpstreamCall> pending;
    private final DeadlineSweep sweep;

    StreamedCalls(
            StreamSettings settings, MemoryBudget memory, PendingCalls<UpstreamCall> pending, DeadlineSweep sweep) {
        this.settings = settings;
        this.memory = memory;
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
            boolean goesOn = stream.client().write(in, document, length);
            int windowBytes = MeshHeader.windowBytes(in, offset);
            if (goesOn) {
                // The client may take more before it is resumed, and is not resumed then.
                call.link().consumed(stream.requestId(), windowBytes + stream.takeOwed());
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
        return call.streamedAs(new StreamedAnswer(client, call.id(), lastNs));
    }

    private void renew(UpstreamCall call, long nowNs) {
        long deadlineNs = call.stream().deadlineNs(settings.idleNs(), nowNs);
        pending.move(call, deadlineNs);
        sweep.added(deadlineNs);
    }

    /** Called when the client takes more. */
    void resumed(UpstreamCall call) {
        int owed = call.stream().takeOwed();
        renew(call, System.nanoTime());
        call.link().consumed(call.stream().requestId(), owed);
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
    static void cancel(UpstreamCall call) {
        call.link().cancelStream(call.stream().requestId());
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
