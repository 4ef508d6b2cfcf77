package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

import java.time.Instant;

/** Writes scalars as JSON or plain text, up to a limit. */
abstract class ScalarsToJson {
    final HessianReader reader;
    ByteBuf out;
    /** Whether a value that is a string is written as it is, without quotes: not within brackets. */
    boolean bare;

    private final int maxOutput;
    private int limit;

    ScalarsToJson(HessianReader reader, int maxOutput) {
        this.reader = reader;
        this.maxOutput = maxOutput;
    }

    final void begin(ByteBuf out, boolean bare) {
        this.out = out;
        this.bare = bare;
        limit = (int) Math.min(Integer.MAX_VALUE, (long) out.writerIndex() + maxOutput);
    }

    final void require(int length) throws MalformedValueException {
        if (out.writerIndex() > limit - length) {
            throw new MalformedValueException("more than " + maxOutput + " bytes of text");
        }
    }

    final void writeDouble() throws MalformedValueException {
        double value = reader.readDouble();
        int mills = (int) Math.rint(value * 1000);
        // Up to three decimals need no library, which makes a new String of each.
        if (mills / 1000.0 == value && (mills != 0 || Double.doubleToRawLongBits(value) == 0)) {
            JsonText.writeMills(out, mills);
        } else if (bare || Double.isFinite(value)) {
            JsonText.writeAscii(out, Double.toString(value));
        } else {
            writeText(Double.toString(value));
        }
    }

    /** As ISO 8601, in UTC. */
    final void writeDate() throws MalformedValueException {
        writeText(Instant.ofEpochMilli(reader.readDate()).toString());
    }

    final void writeString() throws MalformedValueException {
        if (bare) {
            reader.copyString(out, false, limit);
            return;
        }
        out.writeByte('"');
        reader.copyString(out, true, limit);
        out.writeByte('"');
    }

    final void writeText(String text) throws MalformedValueException {
        require(text.length());
        if (bare) {
            text.codePoints().forEach(character -> Utf8.write(out, character));
        } else {
            JsonText.writeString(out, text);
        }
    }

    /** As base64. */
    final void writeBinary() throws MalformedValueException {
        out.writeByte('"');
        int bits = 0;
        int count = 0;
        boolean last;
        do {
            last = reader.isLastChunk();
            int length = reader.readBinaryHead();
            require(length / 3 * 4);
            for (int i = 0; i < length; i++) {
                bits = bits << 8 | reader.readByte();
                if (++count == 3) {
                    JsonText.writeBase64(out, bits, 3);
                    bits = 0;
                    count = 0;
                }
            }
        } while (!last);
        if (count > 0) {
            JsonText.writeBase64(out, bits, count);
        }
        out.writeByte('"');
    }

    final void writeBigDecimal() throws MalformedValueException {
        if (reader.peek() != HessianType.STRING) {
            throw reader.malformed("a BigDecimal that is not text");
        }
        int begin = out.writerIndex();
        reader.copyString(out, false, limit);
        if (!JsonText.isNumber(out, begin, out.writerIndex())) {
            throw reader.malformed("a BigDecimal that is no number");
        }
    }
}
