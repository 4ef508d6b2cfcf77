package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbToJson;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A value in JSONB; the first byte of the input chooses how it is written. */
public final class JsonbFuzz {
    private static final int MAX_OUTPUT = 1 << 16;

    private JsonbFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int choice = input[0];
        JsonbReader reader = new JsonbReader();
        ByteBuf in = Unpooled.wrappedBuffer(input);
        reader.reset(in, 1, input.length - 1);
        ByteBuf out = Unpooled.buffer();
        try {
            new JsonbToJson(reader, MAX_OUTPUT).write(out, (choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0);
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
