package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/**
 * The parts of a REQUEST's body: 32-bit time left in milliseconds, 16-bit length of the attachments, attachments, the
 * names if the method id is 0, arguments. A reused view; it does not own the buffer.
 */
public final class RequestBody {
    /** The shortest body: the time left and the length of the attachments. */
    public static final int MIN_LENGTH = Integer.BYTES + Short.BYTES;

    private static final long NS_PER_MS = 1_000_000;

    private ByteBuf in;
    private int offset;
    private long timeLeftMs;
    private long heldNs;
    private int attachments;
    private int names;
    private int arguments;
    private int end;

    /** Finds the parts of the body {@code in[offset, end)}. */
    public void locate(ByteBuf in, int offset, int end, boolean namesInBody) throws MalformedFrameException {
        if (end - offset < MIN_LENGTH) {
            throw new MalformedFrameException("REQUEST: a body of " + (end - offset) + " bytes (expected: 6 or more)");
        }
        this.in = in;
        this.offset = offset;
        timeLeftMs = in.getUnsignedInt(offset);
        heldNs = 0;
        attachments = offset + MIN_LENGTH;
        names = attachments + in.getUnsignedShort(offset + Integer.BYTES);
        if (names > end) {
            throw new MalformedFrameException("REQUEST: the attachments reach beyond the body");
        }
        arguments = namesInBody ? names + MethodNames.length(in, names, end) : names;
        this.end = end;
    }

    /** Reduces the time left by the time for which it was held since it was read. */
    public void held(long ns) {
        heldNs = ns;
        timeLeftMs = Math.max(0, timeLeftMs - ns / NS_PER_MS);
    }

    /** Returns the buffer that the body is in. */
    public ByteBuf buffer() {
        return in;
    }

    /** Returns the offset of the body. */
    public int offset() {
        return offset;
    }

    /** Bytes of the whole body. */
    public int length() {
        return end - offset;
    }

    public long timeLeftMs() {
        return timeLeftMs;
    }

    /** Returns the time for which it was {@linkplain #held held}, in nanoseconds. */
    public long heldNs() {
        return heldNs;
    }

    public int attachmentsOffset() {
        return attachments;
    }

    public int attachmentsLength() {
        return names - attachments;
    }

    public int namesOffset() {
        return names;
    }

    public int argumentsOffset() {
        return arguments;
    }

    public int argumentsLength() {
        return end - arguments;
    }
}
