package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

import java.time.Instant;

/**
 * Writes the values of a {@link HessianReader} as JSON, as they come by: no graph of objects is built, no class is loaded.
 *
 * <ul>
 *   <li>Objects lose their class: only the fields are written. An enum constant is its name, as is any object whose one field is
 *       a string {@code name}, for Hessian makes no difference between the two.
 *   <li>Dates are ISO 8601 in UTC, binary data is base64; NaN and the infinities are strings.
 *   <li>A map whose keys are not all text (or enum constants) becomes a list of {@code [key, value]} pairs.
 *   <li>A referenced value is written again where the reference stands; a value within itself is an error.
 * </ul>
 *
 * The same bytes read again and again, and the text that comes of it, are bounded. Reused; owned by one event loop.
 */
public final class HessianToJson {
    /** What may be read a second time for each byte of output that is allowed. */
    private static final int REREADS = 4;

    private final HessianReader reader;
    private final BigIntegers bigIntegers;
    private final int maxOutput;
    /** Where the values that are being written begin, outermost first. */
    private final int[] open = new int[HessianReader.MAX_DEPTH];

    private ByteBuf out;
    private int limit;
    private long rereads;

    /** @param maxOutput no value may become longer than this, in bytes */
    public HessianToJson(HessianReader reader, int maxOutput) {
        this.reader = reader;
        bigIntegers = new BigIntegers(reader, this);
        this.maxOutput = maxOutput;
    }

    /** Appends the reader's next value as JSON; what a failed attempt has written is the caller's to remove. */
    public void writeJson(ByteBuf out) throws HessianException {
        begin(out);
        writeValue(0);
        require(0);
    }

    /** Appends the reader's next value as plain text if it is a scalar (a string as it is), otherwise as JSON. */
    public void writeText(ByteBuf out) throws HessianException {
        begin(out);
        switch (reader.peek()) {
            case STRING -> reader.copyString(out, false, limit);
            case DOUBLE -> JsonText.writeAscii(out, Double.toString(reader.readDouble()));
            case DATE -> writeDate();
            default -> writeValue(0);
        }
        require(0);
    }

    private void begin(ByteBuf out) {
        this.out = out;
        limit = (int) Math.min(Integer.MAX_VALUE, (long) out.writerIndex() + maxOutput);
        rereads = (long) maxOutput * REREADS;
    }

    private void writeValue(int depth) throws HessianException {
        require(0);
        switch (reader.peek()) {
            case NULL -> {
                reader.readNull();
                JsonText.writeAscii(out, "null");
            }
            case BOOLEAN -> JsonText.writeAscii(out, reader.readBoolean() ? "true" : "false");
            case INT -> JsonText.writeLong(out, reader.readInt());
            case LONG -> JsonText.writeLong(out, reader.readLong());
            case DOUBLE -> writeDouble();
            case DATE -> {
                out.writeByte('"');
                writeDate();
                out.writeByte('"');
            }
            case STRING -> writeQuoted();
            case BINARY -> writeBinary();
            case LIST -> writeList(depth);
            case MAP -> writeMap(depth);
            case OBJECT -> writeObject(depth);
            case REFERENCE -> {
                int target = reader.readReference();
                for (int i = 0; i < depth; i++) {
                    if (open[i] == target) {
                        throw reader.malformed("a value that contains itself");
                    }
                }
                int resume = reader.position();
                reader.seek(target);
                writeValue(depth);
                charge(reader.position() - target);
                reader.seek(resume);
            }
            default -> throw reader.malformed("an end where a value is expected");
        }
    }

    private void writeDouble() throws HessianException {
        double value = reader.readDouble();
        String quote = Double.isFinite(value) ? "" : "\"";
        JsonText.writeAscii(out, quote + value + quote);
    }

    private void writeDate() throws HessianException {
        JsonText.writeAscii(out, Instant.ofEpochMilli(reader.readDate()).toString());
    }

    private void writeQuoted() throws HessianException {
        out.writeByte('"');
        reader.copyString(out, true, limit);
        out.writeByte('"');
    }

    private void writeBinary() throws HessianException {
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

    private void writeList(int depth) throws HessianException {
        open(depth);
        out.writeByte('[');
        int length = reader.beginList();
        for (int i = 0; length < 0 ? !reader.readEnd() : i < length; i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            writeValue(depth + 1);
        }
        out.writeByte(']');
    }

    private void writeMap(int depth) throws HessianException {
        open(depth);
        int begin = out.writerIndex();
        int first = reader.position();
        reader.beginMap();
        out.writeByte('{');
        for (boolean more = false; !reader.readEnd(); more = true) {
            if (more) {
                out.writeByte(',');
            }
            if (!writeKey()) {
                charge(reader.position() - first);
                reader.seek(first);
                out.writerIndex(begin);
                writePairs(depth);
                return;
            }
            out.writeByte(':');
            writeValue(depth + 1);
        }
        out.writeByte('}');
    }

    private void writePairs(int depth) throws HessianException {
        reader.beginMap();
        out.writeByte('[');
        for (boolean more = false; !reader.readEnd(); more = true) {
            if (more) {
                out.writeByte(',');
            }
            out.writeByte('[');
            writeValue(depth + 1);
            out.writeByte(',');
            writeValue(depth + 1);
            out.writeByte(']');
        }
        out.writeByte(']');
    }

    /** Writes a key that is text in one way or another; where it is not, nothing is written. */
    private boolean writeKey() throws HessianException {
        HessianType type = reader.peek();
        if (type == HessianType.STRING) {
            writeQuoted();
            return true;
        }
        if (type == HessianType.OBJECT) {
            return writeObjectKey();
        }
        if (type != HessianType.REFERENCE) {
            return false;
        }
        int target = reader.readReference();
        int resume = reader.position();
        reader.seek(target);
        boolean written = reader.peek() == HessianType.OBJECT && writeObjectKey();
        charge(reader.position() - target);
        reader.seek(resume);
        return written;
    }

    private boolean writeObjectKey() throws HessianException {
        Shape shape = reader.shapeOf(reader.beginObject());
        if ((shape == Shape.NAME || shape == Shape.VALUE) && reader.peek() == HessianType.STRING) {
            writeQuoted();
            return true;
        }
        return false;
    }

    private void writeObject(int depth) throws HessianException {
        open(depth);
        int definition = reader.beginObject();
        switch (reader.shapeOf(definition)) {
            case NAME -> {
                if (reader.peek() == HessianType.STRING) {
                    writeQuoted();
                } else {
                    writeFields(definition, depth);
                }
            }
            case VALUE -> writeValue(depth + 1);
            case BIG_DECIMAL -> writeBigDecimal();
            case BIG_INTEGER ->
                JsonText.writeAscii(out, bigIntegers.read(definition).toString());
            case PLAIN -> writeFields(definition, depth);
        }
    }

    private void writeFields(int definition, int depth) throws HessianException {
        out.writeByte('{');
        int name = reader.firstFieldOf(definition);
        for (int i = 0; i < reader.fieldCount(definition); i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            int resume = reader.position();
            reader.seek(name);
            writeQuoted();
            name = reader.position();
            reader.seek(resume);
            out.writeByte(':');
            writeValue(depth + 1);
        }
        out.writeByte('}');
    }

    private void writeBigDecimal() throws HessianException {
        if (reader.peek() != HessianType.STRING) {
            throw reader.malformed("a BigDecimal that is not text");
        }
        int begin = out.writerIndex();
        reader.copyString(out, false, limit);
        if (!JsonText.isNumber(out, begin, out.writerIndex())) {
            throw reader.malformed("a BigDecimal that is no number");
        }
    }

    private void open(int depth) throws HessianException {
        if (depth == open.length) {
            throw HessianReader.tooDeep();
        }
        open[depth] = reader.position();
    }

    /** So many bytes were read that had been read before. */
    void charge(int bytes) throws HessianException {
        rereads -= bytes;
        if (rereads < 0) {
            throw new HessianException("values that repeat each other without bounds");
        }
    }

    private void require(int length) throws HessianException {
        if (out.writerIndex() > limit - length) {
            throw new HessianException("more than " + maxOutput + " bytes of text");
        }
    }
}
