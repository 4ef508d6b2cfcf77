package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

/**
 * Writes the values of a {@link JsonbReader} as JSON, as they come by: no graph of objects is built, no class is loaded.
 *
 * <ul>
 *   <li>Objects lose their class, unless it is asked for; an enum constant is its name.
 *   <li>Dates and times are ISO 8601, binary data is base64; NaN and the infinities are strings.
 *   <li>A map whose keys are not all text (or enum constants) becomes a list of {@code [key, value]} pairs.
 *   <li>A referenced value is written again where the reference stands; a value within itself is an error.
 * </ul>
 *
 * The same bytes read again and again, and the text that comes of it, are bounded. Reused; owned by one event loop.
 */
public final class JsonbToJson {
    /** What may be read a second time for each byte of output that is allowed. */
    private static final int REREADS = 4;
    /** No class. */
    private static final int NONE = -1;

    private final JsonbReader reader;
    private final JsonbReferences references;
    private final ScalarsToJson scalars;
    private final int maxOutput;
    /** Where the values that are being written begin, outermost first. */
    private final int[] open = new int[JsonbReader.MAX_DEPTH];

    private ByteBuf out;
    private int limit;
    private long rereads;
    private boolean classNames;
    private boolean generic;

    /** @param maxOutput no value may become longer than this, in bytes */
    public JsonbToJson(JsonbReader reader, int maxOutput) {
        this.reader = reader;
        references = new JsonbReferences(reader);
        scalars = new ScalarsToJson(reader);
        this.maxOutput = maxOutput;
    }

    /**
     * Appends the value that the reader was reset to; what a failed attempt has written is the caller's to remove.
     *
     * @param text       a scalar is written as plain text (a string as it is), not as JSON
     * @param classNames the first member of an object is {@code class}, where its class is known
     * @param generic    the value comes of a generic call: the key {@code class} of its maps is the name of an object's class
     */
    public void write(ByteBuf out, boolean text, boolean classNames, boolean generic) throws MalformedValueException {
        this.out = out;
        this.classNames = classNames;
        this.generic = generic;
        limit = (int) Math.min(Integer.MAX_VALUE, (long) out.writerIndex() + maxOutput);
        rereads = (long) maxOutput * REREADS;
        scalars.begin(out, limit, text);
        references.reset(reader.position());
        writeValue(0);
        require();
    }

    private void writeValue(int depth) throws MalformedValueException {
        require();
        int begin = reader.position();
        int type = reader.peek() == JsonbType.TYPED ? reader.readType() : NONE;
        switch (reader.peek()) {
            case LIST -> {
                open(begin, depth);
                writeList(depth);
            }
            case MAP -> {
                String time = type == NONE ? null : JavaTime.read(reader, type);
                if (time != null) {
                    scalars.writeQuoted(time);
                } else {
                    open(begin, depth);
                    writeMap(type, depth);
                }
            }
            case REFERENCE -> writeReference(depth);
            default -> scalars.write();
        }
    }

    private void writeList(int depth) throws MalformedValueException {
        out.writeByte('[');
        int length = reader.beginList();
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            writeValue(depth + 1);
        }
        out.writeByte(']');
    }

    private void writeMap(int type, int depth) throws MalformedValueException {
        int begin = out.writerIndex();
        int first = reader.position();
        reader.beginMap();
        out.writeByte('{');
        boolean more = classNames && type != NONE && writeClass(type);
        while (!reader.readEnd()) {
            if (generic && !classNames && skipClass()) {
                continue;
            }
            if (more) {
                out.writeByte(',');
            }
            more = true;
            int key = reader.position();
            if (!writeKey()) {
                charge(reader.position() - first);
                reader.seek(first);
                out.writerIndex(begin);
                writePairs(depth);
                return;
            }
            out.writeByte(':');
            boolean reference = reader.peek() == JsonbType.REFERENCE;
            writeValue(depth + 1);
            if (reference) {
                skipNull(key);
            }
        }
        out.writeByte('}');
    }

    /** The code that fastjson2 generates for a class writes null behind a field that is a reference, under the same name. */
    private void skipNull(int key) throws MalformedValueException {
        int resume = reader.position();
        if (reader.peek() == JsonbType.SYMBOL) {
            int name = reader.readFieldName();
            if (reader.peek() == JsonbType.NULL && reader.isFieldName(key, name)) {
                reader.readNull();
                return;
            }
        }
        reader.seek(resume);
    }

    /** Maps and the exceptions of the JDK bear a class too; the former are no objects to a caller. */
    private boolean writeClass(int type) throws MalformedValueException {
        String name = reader.name(type);
        if (name.indexOf('.') < 0 || name.startsWith("java.util.")) {
            return false;
        }
        JsonText.writeAscii(out, "\"class\":\"");
        int resume = reader.position();
        reader.seek(type);
        reader.copyString(out, true, limit);
        reader.seek(resume);
        out.writeByte('"');
        return true;
    }

    /** Goes behind the entry that names the class of an object, if it comes next. */
    private boolean skipClass() throws MalformedValueException {
        int key = reader.position();
        if (reader.peek() != JsonbType.STRING || !reader.isString(key, "class")) {
            return false;
        }
        reader.skip();
        if (reader.peek() == JsonbType.STRING) {
            reader.skip();
            return true;
        }
        reader.seek(key);
        return false;
    }

    /** Writes a key that is text in one way or another; where it is not, nothing is written. */
    private boolean writeKey() throws MalformedValueException {
        switch (reader.peek()) {
            case STRING -> scalars.writeString();
            case SYMBOL -> {
                int name = reader.readFieldName();
                int resume = reader.position();
                reader.seek(name);
                scalars.writeString();
                reader.seek(resume);
            }
            case CHAR -> scalars.writeChar();
            case TYPED -> {
                reader.readType();
                if (reader.peek() != JsonbType.STRING) {
                    return false;
                }
                scalars.writeString();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void writePairs(int depth) throws MalformedValueException {
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

    private void writeReference(int depth) throws MalformedValueException {
        int target = references.read();
        for (int i = 0; i < depth; i++) {
            if (open[i] == target) {
                throw JsonbReferences.withinItself();
            }
        }
        int resume = reader.position();
        reader.seek(target);
        writeValue(depth);
        charge(reader.position() - target);
        reader.seek(resume);
    }

    private void open(int begin, int depth) throws MalformedValueException {
        reader.requireDepth(depth);
        open[depth] = begin;
        scalars.endBare();
    }

    /** So many bytes were read that had been read before. */
    private void charge(int bytes) throws MalformedValueException {
        rereads -= bytes;
        if (rereads < 0) {
            throw new MalformedValueException("values that repeat each other without bounds");
        }
    }

    private void require() throws MalformedValueException {
        if (out.writerIndex() > limit) {
            throw new MalformedValueException("more than " + maxOutput + " bytes of text");
        }
    }
}
