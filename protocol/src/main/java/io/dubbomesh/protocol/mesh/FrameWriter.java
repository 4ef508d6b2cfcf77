package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Appends frames of each {@link FrameType} to a buffer. A {@code begin} method writes a header and returns where the
 * frame starts; the caller appends the body and passes that offset to {@link #endRequest} or {@link #endResponse},
 * which sets the body length.
 */
public final class FrameWriter {
    private FrameWriter() {}

    /** A whole frame. */
    public static void hello(ByteBuf out, Hello hello) {
        int frame = header(out, FrameType.HELLO, 0, 0, 0);
        hello.writeBody(out);
        end(out, frame);
    }

    /** A whole frame; the names are those of {@link MethodNames#encode}. */
    public static void define(ByteBuf out, int methodId, byte[] encodedNames) {
        int frame = header(out, FrameType.DEFINE, 0, 0, methodId);
        out.writeBytes(encodedNames);
        end(out, frame);
    }

    /**
     * The header of a request.
     *
     * @param flags    of {@link Flags}
     * @param methodId 0 if the names are in the body
     * @return the frame's offset, for {@link #endRequest}
     */
    public static int beginRequest(ByteBuf out, int flags, long requestId, int methodId) {
        return header(out, FrameType.REQUEST, flags, requestId, methodId);
    }

    /** Ends the request that starts at {@code frame} at the buffer's writer index. */
    public static void endRequest(ByteBuf out, int frame) {
        end(out, frame);
    }

    /**
     * The header of a response whose outcome may not be known yet.
     *
     * @return the frame's offset, for {@link #endResponse}
     */
    public static int beginResponse(ByteBuf out, long requestId) {
        return header(out, FrameType.RESPONSE, 0, requestId, 0);
    }

    /**
     * Ends the response that starts at {@code frame} at the buffer's writer index.
     *
     * @param flags {@link Flags#TEXT}, {@link Flags#JSON} or none
     */
    public static void endResponse(ByteBuf out, int frame, Outcome outcome, int flags) {
        MeshHeader.status(out, frame, outcome.number());
        MeshHeader.flags(out, frame, flags);
        end(out, frame);
    }

    /** A whole frame. */
    public static void ping(ByteBuf out) {
        header(out, FrameType.PING, 0, 0, 0);
    }

    /** A whole frame. */
    public static void pong(ByteBuf out) {
        header(out, FrameType.PONG, 0, 0, 0);
    }

    /** A whole frame. */
    public static void goAway(ByteBuf out, String reason) {
        int frame = header(out, FrameType.GOAWAY, 0, 0, 0);
        out.writeCharSequence(reason, UTF_8);
        end(out, frame);
    }

    /** A whole frame. */
    public static void limit(ByteBuf out, int calls) {
        int frame = header(out, FrameType.LIMIT, 0, 0, 0);
        out.writeInt(calls);
        end(out, frame);
    }

    /**
     * A whole frame.
     *
     * @param windowBytes of messages that were taken
     */
    public static void credit(ByteBuf out, long requestId, int windowBytes) {
        int frame = header(out, FrameType.CREDIT, 0, requestId, 0);
        out.writeInt(windowBytes);
        end(out, frame);
    }

    /** A whole frame. */
    public static void cancel(ByteBuf out, long requestId) {
        header(out, FrameType.CANCEL, 0, requestId, 0);
    }

    private static int header(ByteBuf out, int type, int flags, long requestId, int methodId) {
        int frame = out.writerIndex();
        MeshHeader.write(out, type, flags, requestId, methodId);
        return frame;
    }

    private static void end(ByteBuf out, int frame) {
        MeshHeader.bodyLength(out, frame, out.writerIndex() - frame - MeshHeader.LENGTH);
    }
}
