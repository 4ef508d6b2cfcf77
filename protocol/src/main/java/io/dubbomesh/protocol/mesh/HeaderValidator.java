package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/** Checks a frame's header as soon as it is there, before the link waits for the body. */
public final class HeaderValidator {
    private final int maxBodyLength;

    /** @param maxFrame length of the longest frame that is accepted, header included */
    public HeaderValidator(int maxFrame) {
        maxBodyLength = maxFrame - MeshHeader.LENGTH;
    }

    /**
     * @throws MalformedFrameException if the header at {@code offset} is not a valid header of this version or its body
     *     is too long
     */
    public void validate(ByteBuf in, int offset) throws MalformedFrameException {
        if (MeshHeader.magic(in, offset) != MeshHeader.MAGIC) {
            throw new MalformedFrameException(
                    String.format("magic 0x%04x (expected: 0xd3e5)", MeshHeader.magic(in, offset)));
        }
        if (MeshHeader.version(in, offset) != MeshHeader.VERSION) {
            throw new MalformedFrameException("version " + MeshHeader.version(in, offset) + " (expected: 1)");
        }
        int type = MeshHeader.type(in, offset);
        if (type != FrameType.RESPONSE && MeshHeader.reserved(in, offset) != 0) {
            throw new MalformedFrameException("reserved bits " + MeshHeader.reserved(in, offset) + " (expected: 0)");
        }
        int length = MeshHeader.bodyLength(in, offset);
        int longest = longestBody(type);
        if (length < 0 || length > longest) {
            throw new MalformedFrameException(
                    "body length " + length + " of a frame of type " + type + " (expected: 0 to " + longest + ")");
        }
        int unknownFlags = MeshHeader.flags(in, offset) & ~Flags.allowed(type);
        if (unknownFlags != 0) {
            throw new MalformedFrameException(
                    String.format("flags 0x%02x of a frame of type %d are not known", unknownFlags, type));
        }
    }

    private int longestBody(int type) throws MalformedFrameException {
        return switch (type) {
            case FrameType.HELLO -> Hello.MAX_BODY_LENGTH;
            case FrameType.LIMIT, FrameType.CREDIT -> Integer.BYTES;
            case FrameType.PING, FrameType.PONG, FrameType.CANCEL -> 0;
            case FrameType.DEFINE, FrameType.REQUEST, FrameType.RESPONSE, FrameType.GOAWAY -> maxBodyLength;
            default -> throw new MalformedFrameException("frame type " + type + " (expected: 1 to 10)");
        };
    }
}
