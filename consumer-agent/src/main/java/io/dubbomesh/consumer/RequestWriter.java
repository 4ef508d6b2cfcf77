package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Writes the REQUEST frames of pending calls into the batches of their endpoints' links. Owned by one event loop. */
final class RequestWriter {
    private final CallReader reader;
    private final int maxFrame;
    private final RequestBody parts = new RequestBody();

    /** @param reader has the arguments of the call that is sent for the first time */
    RequestWriter(CallReader reader, int maxFrame) {
        this.reader = reader;
        this.maxFrame = maxFrame;
    }

    /**
     * Sends the call that was read last.
     *
     * @throws CallException if it cannot be sent; nothing is written then
     */
    void send(HttpCall call, HttpRequestParser request, ProviderEndpoint endpoint, long nowNs) throws CallException {
        ProviderLink link = endpoint.link();
        int methodId = link.methodId(call.route);
        ByteBuf out = link.batch().buffer();
        int frame = FrameWriter.beginRequest(out, call.flags, call.id(), methodId);
        try {
            writeBody(out, request, methodId == 0 ? call.route : null, timeLeftMs(call, nowNs));
            checkLength(out.writerIndex() - frame);
        } catch (CallException | RuntimeException e) {
            out.writerIndex(frame);
            throw e;
        }
        FrameWriter.endRequest(out, frame);
        call.namesInBody = methodId == 0;
        call.sentTo(endpoint, link);
    }

    /**
     * The body of the call that was read last, for {@link #resend} without names; the caller releases it.
     *
     * @throws CallException if it could not be sent
     */
    ByteBuf body(HttpCall call, HttpRequestParser request) throws CallException {
        ByteBuf body = PooledByteBufAllocator.DEFAULT.directBuffer(request.bodyLength() + 64);
        try {
            writeBody(body, request, null, 0);
            checkLength(MeshHeader.LENGTH + body.readableBytes() + call.route.encodedNames.length);
            return body;
        } catch (CallException | RuntimeException e) {
            body.release();
            throw e;
        }
    }

    private void checkLength(int frameLength) throws CallException {
        if (frameLength > maxFrame) {
            throw new CallException(
                    Outcome.BODY_TOO_LARGE,
                    "a request of " + frameLength + " bytes (expected: at most " + maxFrame + ")");
        }
    }

    private void writeBody(ByteBuf out, HttpRequestParser request, Route named, int timeLeftMs) throws CallException {
        out.writeInt(timeLeftMs);
        ByteBuf attachments = request.attachments();
        out.writeShort(attachments.readableBytes()).writeBytes(attachments, 0, attachments.readableBytes());
        if (named != null) {
            out.writeBytes(named.encodedNames);
        }
        reader.writeArguments(out);
    }

    /**
     * Sends a call with the REQUEST body {@code in[offset, end)}, which was written before.
     *
     * @throws MalformedFrameException if that is no such body; nothing is written then
     */
    void resend(HttpCall call, ProviderEndpoint endpoint, ByteBuf in, int offset, int end, long nowNs)
            throws MalformedFrameException {
        parts.locate(in, offset, end, call.namesInBody);
        ProviderLink link = endpoint.link();
        int methodId = link.methodId(call.route);
        ByteBuf out = link.batch().buffer();
        int frame = FrameWriter.beginRequest(out, call.flags, call.id(), methodId);
        out.writeInt(timeLeftMs(call, nowNs));
        out.writeShort(parts.attachmentsLength());
        out.writeBytes(in, parts.attachmentsOffset(), parts.attachmentsLength());
        if (methodId == 0) {
            out.writeBytes(call.route.encodedNames);
        }
        out.writeBytes(in, parts.argumentsOffset(), parts.argumentsLength());
        FrameWriter.endRequest(out, frame);
        call.namesInBody = methodId == 0;
        call.sentTo(endpoint, link);
    }

    /** At least 1, since 0 tells that a deadline has passed. */
    private static int timeLeftMs(HttpCall call, long nowNs) {
        return (int) Math.max(1, (call.deadlineNs() - nowNs) / 1_000_000);
    }
}
