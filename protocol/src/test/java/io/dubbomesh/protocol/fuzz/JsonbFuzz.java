package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbValues;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.netty.buffer.ByteBuf;

/** A value in JSONB; the first byte of the input chooses how it is written. */
public final class JsonbFuzz {
    private static final int MAX_OUTPUT = 1 << 16;

    private JsonbFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> {
                ByteBuf in = allocator.heapBuffer(input.length).writeBytes(input);
                ByteBuf out = allocator.heapBuffer();
                try {
                    read(input, in, out);
                } finally {
                    in.release();
                    out.release();
                }
            });
        }
    }

    private static void read(byte[] input, ByteBuf in, ByteBuf out) {
        int choice = input[0];
        JsonbReader reader = new JsonbReader();
        reader.reset(in, 1, input.length - 1);
        ClassNames classNames =
                (choice & 2) != 0 ? ClassNames.WRITE : (choice & 4) != 0 ? ClassNames.REMOVE : ClassNames.OMIT;
        try {
            ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), MAX_OUTPUT);
            if ((choice & 1) != 0) {
                transcoder.writeText(out, classNames, DeclaredType.UNKNOWN);
            } else {
                transcoder.writeJson(out, classNames);
            }
        } catch (MalformedValueException refused) {
            return;
        }
        if (out.writerIndex() > MAX_OUTPUT) {
            throw new AssertionError(out.writerIndex() + " bytes");
        }
        if ((choice & 1) == 0) {
            JsonCheck.requireJson(out, 0);
        }
    }
}
