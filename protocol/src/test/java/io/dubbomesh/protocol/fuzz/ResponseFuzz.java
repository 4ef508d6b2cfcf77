package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** A provider's answer in Hessian; the first byte of the input chooses how it is read. */
public final class ResponseFuzz {
    /** The bound of brief readers, which must agree with this one. */
    private static final int MAX_DOCUMENT = 2 * DubboResponseReader.MAX_BRIEF;

    /** Besides the value: attachments and the document about an exception, which have their own bounds. */
    private static final int MAX_BESIDE = 1 << 18;

    private static final int HESSIAN = 2;

    private ResponseFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) throws CallException {
        read(HESSIAN, input);
    }

    static void read(int serialization, byte[] input) throws CallException {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> read(serialization, input, allocator));
        }
    }

    private static void read(int serialization, byte[] input, ByteBufAllocator allocator) throws CallException {
        ByteBuf in = allocator.heapBuffer(16 + input.length);
        ByteBuf out = allocator.heapBuffer();
        ByteBuf again = allocator.heapBuffer();
        try {
            read(serialization, input, in, out, again);
        } finally {
            in.release();
            out.release();
            again.release();
        }
    }

    private static void read(int serialization, byte[] input, ByteBuf in, ByteBuf out, ByteBuf again)
            throws CallException {
        int choice = input[0];
        ResultFormat format = ResultFormat.of((choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0);
        in.writeShort(0xdabb).writeByte(serialization).writeByte((choice & 0x10) == 0 ? 20 : 70);
        in.writeLong(7).writeInt(input.length - 1).writeBytes(input, 1, input.length - 1);

        DubboResponseReader reader = new DubboResponseReader(MAX_DOCUMENT, (choice & 8) != 0, Serialization.HESSIAN2);
        Outcome outcome = reader.read(in, 0, format, out);
        requireAgreement(reader.brief(ReadingTime.ofTurn(() -> 0)), in, format, outcome, out, again);

        if (out.writerIndex() > MAX_DOCUMENT + MAX_BESIDE) {
            throw new AssertionError(out.writerIndex() + " bytes");
        }
        int attachments = out.getUnsignedShort(0);
        Attachments.forEach(out, Short.BYTES, attachments, (block, key, keyLength, value, valueLength) -> {});
        if (outcome != Outcome.OK || !format.text()) {
            JsonCheck.requireJson(out, Short.BYTES + attachments);
        }
    }

    /** Checks that the event loop reads the same as the thread beside it. */
    private static void requireAgreement(
            DubboResponseReader brief,
            ByteBuf in,
            ResultFormat format,
            Outcome outcome,
            ByteBuf expected,
            ByteBuf out) {
        Outcome read = brief.read(in, 0, format, out);
        if (read != null && (read != outcome || !out.equals(expected))) {
            throw new AssertionError(read + " by the brief reader, " + outcome + " by the other");
        }
    }
}
