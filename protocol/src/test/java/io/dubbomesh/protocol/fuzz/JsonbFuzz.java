package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbToJson;
import io.dubbomesh.protocol.value.ClassNames;
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
        ClassNames classNames =
                (choice & 2) != 0 ? ClassNames.WRITE : (choice & 4) != 0 ? ClassNames.REMOVE : ClassNames.OMIT;
        ByteBuf out = Unpooled.buffer();
        try {
            JsonbToJson transcoder = new JsonbToJson(reader, MAX_OUTPUT);
            if ((choice & 1) != 0) {
                transcoder.writeText(out, classNames);
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
