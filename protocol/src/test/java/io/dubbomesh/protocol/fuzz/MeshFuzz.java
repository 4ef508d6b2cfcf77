package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.HeaderValidator;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Feeds what a peer sends on a link; the first byte of the input chooses which part of a frame it is. What is accepted
 * has to lie within what was sent.
 */
public final class MeshFuzz {
    private static final int HEADER_LENGTH = 24;
    /** Bytes before the part, so that a wrong offset shows. */
    private static final int BEFORE = 3;

    private MeshFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> {
                ByteBuf in = allocator.heapBuffer(BEFORE + input.length);
                ByteBuf frame = allocator.heapBuffer(BEFORE + HEADER_LENGTH + input.length);
                try {
                    in.writeZero(BEFORE).writeBytes(input, 1, input.length - 1);
                    read(input[0], in, frame);
                } finally {
                    in.release();
                    frame.release();
                }
            });
        }
    }

    private static void read(int choice, ByteBuf in, ByteBuf frame) {
        try {
            switch (choice & 3) {
                case 0 -> hello(in, frame);
                case 1 -> header(in);
                case 2 -> request(in, (choice & 4) != 0);
                default -> names(in);
            }
        } catch (MalformedFrameException | CallException e) {
            // Declared: the link is closed, or the call refused.
        }
    }

    private static void hello(ByteBuf in, ByteBuf frame) throws MalformedFrameException {
        int length = in.writerIndex() - BEFORE;
        frame.writeZero(BEFORE)
                .writeShort(0xd3e5)
                .writeByte(1)
                .writeByte(1)
                .writeInt(0)
                .writeLong(0)
                .writeInt(0)
                .writeInt(length);
        Hello hello = Hello.read(frame.writeBytes(in, BEFORE, length), BEFORE);
        if (hello.limit() < 0 || hello.tableSize() < 0) {
            throw new AssertionError(hello.toString());
        }
    }

    private static void header(ByteBuf in) throws MalformedFrameException {
        if (in.readableBytes() >= BEFORE + HEADER_LENGTH) {
            new HeaderValidator(1 << 20).validate(in, BEFORE);
        }
    }

    private static void request(ByteBuf in, boolean namesInBody) throws MalformedFrameException, CallException {
        RequestBody body = new RequestBody();
        int end = in.writerIndex();
        body.locate(in, BEFORE, end, namesInBody);
        requireWithin(body.attachmentsOffset(), body.attachmentsLength(), end);
        requireWithin(body.argumentsOffset(), body.argumentsLength(), end);
        Attachments.forEach(
                in, body.attachmentsOffset(), body.attachmentsLength(), (block, key, keyLength, value, valueLength) -> {
                    requireWithin(key, keyLength, end);
                    requireWithin(value, valueLength, end);
                });
        new CallTiming().read(in, body.attachmentsOffset(), body.attachmentsLength());
    }

    private static void names(ByteBuf in) throws MalformedFrameException {
        int end = in.writerIndex();
        int length = MethodNames.length(in, BEFORE, end);
        requireWithin(BEFORE, length, end);
        MethodName name = MethodNames.read(in, BEFORE, end);
        // Version 0.0.0 is none, so that the bytes may be fewer.
        byte[] encoded = MethodNames.encode(name);
        MethodName again = MethodNames.read(Unpooled.wrappedBuffer(encoded), 0, encoded.length);
        if (encoded.length > length || !again.equals(name)) {
            throw new AssertionError(name + " of " + length + " bytes was encoded as " + again);
        }
    }

    private static void requireWithin(int offset, int length, int end) {
        if (offset < BEFORE || length < 0 || offset + length > end) {
            throw new AssertionError(offset + " and " + length + " of " + end);
        }
    }
}
