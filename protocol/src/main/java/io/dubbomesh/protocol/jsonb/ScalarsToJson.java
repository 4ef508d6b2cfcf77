package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

/** Writes the values of a {@link JsonbReader} that hold no others, as JSON or bare. Owned by one event loop. */
final class ScalarsToJson {
    private final JsonbReader reader;
    private ByteBuf out;
    private int limit;
    private boolean bare;

    ScalarsToJson(JsonbReader reader) {
        this.reader = reader;
    }

    /**
     * @param limit the buffer may not become longer than this
     * @param bare  what is a string in JSON is written without quotes and escapes, but for binary data
     */
    void begin(ByteBuf out, int limit, boolean bare) {
        this.out = out;
        this.limit = limit;
        this.bare = bare;
    }

    /** From here on, strings have their quotes. */
    void endBare() {
        bare = false;
    }

    void write() throws MalformedValueException {
        JsonbType type = reader.peek();
        switch (type) {
            case NULL -> {
                reader.readNull();
                JsonText.writeAscii(out, "null");
            }
            case BOOLEAN -> JsonText.writeAscii(out, reader.readBoolean() ? "true" : "false");
            case WHOLE -> JsonText.writeLong(out, reader.readWhole());
            case FLOAT -> {
                float value = reader.readFloat();
                writeNumber(Float.toString(value), Float.isFinite(value));
            }
            case DOUBLE -> {
                double value = reader.readDouble();
                writeNumber(Double.toString(value), Double.isFinite(value));
            }
            case BIG_INTEGER -> JsonText.writeAscii(out, reader.readBigInteger().toString());
            case DECIMAL -> JsonText.writeAscii(out, reader.readDecimal().toString());
            case STRING -> writeString();
            case CHAR -> writeChar();
            case BINARY -> writeBinary();
            case TIME -> writeQuoted(JavaTime.read(reader));
            default -> throw reader.malformed(type + " where a value is expected");
        }
    }

    private void writeNumber(String number, boolean finite) {
        if (finite) {
            JsonText.writeAscii(out, number);
        } else {
            writeQuoted(number);
        }
    }

    void writeQuoted(String ascii) {
        quote();
        JsonText.writeAscii(out, ascii);
        quote();
    }

    private void quote() {
        if (!bare) {
            out.writeByte('"');
        }
    }

    void writeString() throws MalformedValueException {
        quote();
        reader.copyString(out, !bare, limit);
        quote();
    }

    void writeChar() throws MalformedValueException {
        quote();
        JsonbText.writeCharacter(out, reader.readChar(), !bare, limit);
        quote();
    }

    private void writeBinary() throws MalformedValueException {
        int begin = reader.readBinary();
        int end = reader.position();
        JsonbText.require(out, (end - begin) / 3 * 4, limit);
        out.writeByte('"');
        for (int at = begin; at < end; at += 3) {
            int count = Math.min(end - at, 3);
            int bits = 0;
            for (int i = 0; i < count; i++) {
                bits = bits << 8 | reader.in.getUnsignedByte(at + i);
            }
            JsonText.writeBase64(out, bits, count);
        }
        out.writeByte('"');
    }
}
