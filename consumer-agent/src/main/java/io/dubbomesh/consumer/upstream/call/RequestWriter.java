package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.pool.PoolMember;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Writes the REQUEST frames of pending calls for their endpoints' links. Owned by one event loop. */
final class RequestWriter {
    /**
     * The bytes of a buffer for a long request beside its arguments: header, attachments and names of the usual length.
     */
    private static final int MARGIN = 1024;

    private final int maxFrame;
    private final RequestBody parts = new RequestBody();

    RequestWriter(int maxFrame) {
        this.maxFrame = maxFrame;
    }

    /**
     * Sends a call for the first time.
     *
     * @throws CallException if it cannot be sent; nothing is written then
     */
    void send(UpstreamCall call, ParsedCall parsed, PoolMember member, long nowNs) throws CallException {
        EndpointLink link = member.endpoint().link();
        int methodId = link.methodId(call.route());
        ByteBuf out = link.buffer(parsed.argumentsLength() + MARGIN);
        int frame = out.writerIndex();
        boolean complete = false;
        try {
            FrameWriter.beginRequest(out, link.requestFlags(call.flags()), call.id(), methodId);
            writeBody(out, parsed, methodId == 0 ? call.route() : null, timeLeftMs(call, nowNs));
            checkLength(out.writerIndex() - frame);
            FrameWriter.endRequest(out, frame);
            complete = true;
        } finally {
            if (!complete) {
                out.writerIndex(frame);
            }
        }
        call.sentTo(member, link, methodId == 0, out.writerIndex() - frame - MeshHeader.LENGTH, nowNs);
        link.requested(call.route(), out, frame, nowNs);
    }

    /**
     * Returns the body of a call that is not sent yet, for {@link #resend} without names; the caller releases it.
     *
     * @throws CallException if it could not be sent
     */
    ByteBuf body(UpstreamCall call, ParsedCall parsed) throws CallException {
        ByteBuf body = PooledByteBufAllocator.DEFAULT.directBuffer(parsed.argumentsLength() + 64);
        boolean complete = false;
        try {
            writeBody(body, parsed, null, 0);
            checkLength(MeshHeader.LENGTH + body.readableBytes() + call.route().encodedNames().length);
            complete = true;
            return body;
        } finally {
            if (!complete) {
                body.release();
            }
        }
    }

    private void checkLength(int frameLength) throws CallException {
        if (frameLength > maxFrame) {
            throw new CallException(
                    Outcome.BODY_TOO_LARGE,
                    "a request of " + frameLength + " bytes (expected: at most " + maxFrame + ")");
        }
    }

    private static void writeBody(ByteBuf out, ParsedCall parsed, Route named, int timeLeftMs) throws CallException {
        out.writeInt(timeLeftMs);
        ByteBuf attachments = parsed.attachments();
        out.writeShort(attachments.readableBytes()).writeBytes(attachments, 0, attachments.readableBytes());
        if (named != null) {
            out.writeBytes(named.encodedNames());
        }
        parsed.writeArguments(out);
    }

    /**
     * Sends a call with the REQUEST body {@code in[offset, end)}, which was written before. False if it would be longer
     * than a frame may be, with names where it had none; nothing is written then.
     *
     * @throws MalformedFrameException if the body is malformed; nothing is written then
     */
    boolean resend(UpstreamCall call, PoolMember member, ByteBuf in, int offset, int end, long nowNs)
            throws MalformedFrameException {
        parts.locate(in, offset, end, call.namesInBody());
        EndpointLink link = member.endpoint().link();
        int methodId = link.methodId(call.route());
        int namesLength = methodId == 0 ? call.route().encodedNames().length : 0;
        int bodyLength = RequestBody.MIN_LENGTH + parts.attachmentsLength() + namesLength + parts.argumentsLength();
        if (MeshHeader.LENGTH + bodyLength > maxFrame) {
            return false;
        }
        ByteBuf out = link.buffer(end - offset + MARGIN);
        int frame = out.writerIndex();
        boolean complete = false;
        try {
            FrameWriter.beginRequest(out, link.requestFlags(call.flags()), call.id(), methodId);
            out.writeInt(timeLeftMs(call, nowNs));
            out.writeShort(parts.attachmentsLength());
            out.writeBytes(in, parts.attachmentsOffset(), parts.attachmentsLength());
            if (methodId == 0) {
                out.writeBytes(call.route().encodedNames());
            }
            out.writeBytes(in, parts.argumentsOffset(), parts.argumentsLength());
            FrameWriter.endRequest(out, frame);
            complete = true;
        } finally {
            if (!complete) {
                out.writerIndex(frame);
            }
        }
        call.sentTo(member, link, methodId == 0, out.writerIndex() - frame - MeshHeader.LENGTH, nowNs);
        link.requested(call.route(), out, frame, nowNs);
        return true;
    }

    /** Returns the time left, at least 1, since 0 tells that a deadline has passed. */
    private static int timeLeftMs(UpstreamCall call, long nowNs) {
        return (int) Math.max(1, (call.deadlineNs() - nowNs) / 1_000_000);
    }
}
