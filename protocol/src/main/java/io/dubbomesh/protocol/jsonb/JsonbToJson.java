package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

/**
 * Writes the values of a {@link JsonbReader} as JSON in one pass: no graph of objects is built, no class is loaded.
 *
 * <ul>
 *   <li>Objects have no class name unless {@link ClassNames} says otherwise; an enum constant is its name.
 *   <li>Dates and times are ISO 8601, binary data is base64; NaN and the infinities are strings.
 *   <li>A map whose keys are not all text (or enum constants) becomes a list of {@code [key, value]} pairs.
 *   <li>A referenced value is written again in the place of the reference; a value that contains itself is an error.
 * </ul>
 *
 * What is written again by reference, and the text in total, are bounded. Reused; owned by one event loop.
 */
public final class JsonbToJson {
    /** No class. */
    private static final int NONE = -1;

    private final JsonbReader reader;
    private final JsonbCursor cursor;
    private final JsonbReferences references;
    private final JsonWriter json;

    private ClassNames classNames;

    /** @param maxOutput no value may become longer than this, in bytes */
    public JsonbToJson(JsonbReader reader, int maxOutput) {
        this.reader = reader;
        cursor = reader.cursor;
        references = new JsonbReferences(reader);
        json = new JsonWriter(maxOutput, reader.time);
    }

    /** Appends the value that the reader was reset to as JSON; after a failure, the caller removes what was written. */
    public void writeJson(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        write(out, classNames, false);
    }

    /** As {@link #writeJson}, but a value that is a string in JSON is written as it is, without quotes. */
    public void writeText(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        write(out, classNames, true);
    }

    /** The reader is at the beginning of a value of which parts are written: to it their references lead. */
    public void begin() {
        references.reset(reader.position());
    }

    /** As {@link #writeJson}, of a part of the value that was begun. */
    public void writePart(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        writeBegun(out, classNames, false);
    }

    private void write(ByteBuf out, ClassNames classNames, boolean bare) throws MalformedValueException {
        begin();
        writeBegun(out, classNames, bare);
    }

    private void writeBegun(ByteBuf out, ClassNames classNames, boolean bare) throws MalformedValueException {
        this.classNames = classNames;
        json.begin(out, bare);
        writeValue();
        json.end();
    }

    private void writeValue() throws MalformedValueException {
        int begin = reader.position();
        int type = reader.peek() == JsonbType.TYPED ? reader.readType() : NONE;
        switch (reader.peek()) {
            case LIST -> writeList(begin);
            case MAP -> {
                String time = type == NONE ? null : JavaTime.read(reader, type);
                if (time != null) {
                    json.writeText(time);
                } else {
                    writeMap(begin, type);
                }
            }
            case REFERENCE -> writeReference();
            default -> writeScalar();
        }
    }

    private void writeScalar() throws MalformedValueException {
        JsonbType type = reader.peek();
        switch (type) {
            case NULL -> {
                cursor.readNull();
                json.writeNull();
            }
            case BOOLEAN -> json.writeBoolean(cursor.readBoolean());
            case WHOLE -> json.writeLong(cursor.readWhole());
            case FLOAT -> json.writeFloat(cursor.readFloat());
            case DOUBLE -> json.writeDouble(cursor.readDouble());
            case BIG_INTEGER -> json.writeBigInteger(cursor.readBigInteger());
            case DECIMAL -> json.writeBigDecimal(cursor.readDecimal());
            case STRING -> writeString();
            case CHAR -> writeChar();
            case BINARY -> writeBinary();
            case TIME -> json.writeText(JavaTime.read(reader));
            default -> throw cursor.malformed(type + " where a value is expected");
        }
    }

    private void writeString() throws MalformedValueException {
        json.beginString();
        reader.copyString(json.out(), json.escapes(), json.limit());
        json.endString();
    }

    private void writeChar() throws MalformedValueException {
        json.writeText(String.valueOf(cursor.readChar()));
    }

    private void writeBinary() throws MalformedValueException {
        int begin = cursor.readBinary();
        json.beginBinary();
        json.appendBinary(cursor.in, begin, cursor.at - begin);
        json.endBinary();
    }

    private void writeList(int begin) throws MalformedValueException {
        json.open(begin);
        json.beginArray();
        for (int left = reader.beginList(); left > 0; left--) {
            writeValue();
        }
        json.endArray();
        json.close();
    }

    private void writeMap(int begin, int type) throws MalformedValueException {
        json.open(begin);
        int first = reader.position();
        reader.beginMap();
        int object = json.beginObject();
        if (classNames == ClassNames.WRITE && type != NONE) {
            writeClass(type);
        }
        while (!reader.readEnd()) {
            if (classNames == ClassNames.REMOVE && skipClass()) {
                continue;
            }
            int key = reader.position();
            if (!writeKey()) {
                json.chargeReread(reader.position() - first);
                reader.seek(first);
                json.restartAsArray(object);
                writePairs();
                json.close();
                return;
            }
            json.endKey();
            boolean reference = reader.peek() == JsonbType.REFERENCE;
            writeValue();
            if (reference) {
                skipNull(key);
            }
        }
        json.endObject();
        json.close();
    }

    /**
     * The code that fastjson2 generates for a class writes null after a field that is a reference, with the same name.
     */
    private void skipNull(int key) throws MalformedValueException {
        int resume = reader.position();
        if (reader.peek() == JsonbType.SYMBOL) {
            int name = reader.readFieldName();
            if (reader.peek() == JsonbType.NULL && reader.isFieldName(key, name)) {
                cursor.readNull();
                return;
            }
        }
        reader.seek(resume);
    }

    /** Maps and the exceptions of the JDK have a class name too; maps are not objects for a caller. */
    private void writeClass(int type) throws MalformedValueException {
        String name = reader.name(type);
        if (name.indexOf('.') < 0 || name.startsWith("java.util.")) {
            return;
        }
        json.writeText("class");
        json.endKey();
        writeStringAt(type);
    }

    private void writeStringAt(int position) throws MalformedValueException {
        int resume = reader.position();
        reader.seek(position);
        writeString();
        reader.seek(resume);
    }

    /** Skips the entry that names the class of an object, if it comes next. */
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

    /** Writes a key that can be written as text; if it cannot, nothing is written. */
    private boolean writeKey() throws MalformedValueException {
        switch (reader.peek()) {
            case STRING -> writeString();
            case SYMBOL -> writeStringAt(reader.readFieldName());
            case CHAR -> writeChar();
            case TYPED -> {
                reader.readType();
                if (reader.peek() != JsonbType.STRING) {
                    return false;
                }
                writeString();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Writes the entries of a map as elements of the array that was begun. */
    private void writePairs() throws MalformedValueException {
        reader.beginMap();
        while (!reader.readEnd()) {
            json.beginArray();
            writeValue();
            writeValue();
            json.endArray();
        }
        json.endArray();
    }

    private void writeReference() throws MalformedValueException {
        int target = references.read();
        json.requireNotOpen(target);
        int resume = reader.position();
        reader.seek(target);
        json.beginReference();
        writeValue();
        json.endReference(reader.position() - target);
        reader.seek(resume);
    }
}
