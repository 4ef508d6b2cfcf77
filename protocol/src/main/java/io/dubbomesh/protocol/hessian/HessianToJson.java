package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import java.time.Instant;

/**
 * Writes the values of a {@link HessianReader} as JSON in one pass: no graph of objects is built, no class is loaded.
 *
 * <ul>
 *   <li>Objects have no class name unless {@link ClassNames} says otherwise. An enum constant is its name, as is any
 *       object whose only field is a string {@code name}, since Hessian does not distinguish the two.
 *   <li>Dates are ISO 8601, {@code java.util.Date} and similar classes in UTC; binary data is base64; NaN and the
 *       infinities are strings.
 *   <li>Objects of the JDK that represent one value are this value, see {@link Shape}.
 *   <li>A map whose keys are not all text (or enum constants) becomes a list of {@code [key, value]} pairs.
 *   <li>A referenced value is written again in the place of the reference; a value that contains itself is an error.
 * </ul>
 *
 * What is written again by reference, and the text in total, are bounded. Reused; owned by one event loop.
 */
public final class HessianToJson {
    /** What {@link Instant#toString()} takes. */
    private static final int NS_PER_DATE = 250;

    private final HessianReader reader;
    private final HessianCursor cursor;
    private final ChunkReader chunks;
    private final ClassTable classes;
    private final JsonWriter json;
    private final FieldNames fieldNames;
    private final HiddenFields hiddenFields;
    private final BigIntegers bigIntegers;
    private final TimeReader times;
    private final JdkTexts texts;

    private ClassNames classNames;

    /** @param maxOutput no value may become longer than this, in bytes */
    public HessianToJson(HessianReader reader, int maxOutput) {
        this.reader = reader;
        cursor = reader.cursor;
        chunks = reader.chunks;
        classes = reader.classes;
        json = new JsonWriter(maxOutput, reader.time);
        fieldNames = new FieldNames(reader);
        hiddenFields = new HiddenFields(classes);
        bigIntegers = new BigIntegers(reader, json);
        times = new TimeReader(reader, json);
        texts = new JdkTexts(reader, maxOutput);
    }

    /** Appends the reader's next value as JSON; after a failure, the caller removes what was written. */
    public void writeJson(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        write(out, classNames, false);
    }

    /** Appends the reader's next value as JSON, but a string without quotes and escapes. */
    public void writeText(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        write(out, classNames, true);
    }

    private void write(ByteBuf out, ClassNames classNames, boolean bare) throws MalformedValueException {
        this.classNames = classNames;
        fieldNames.reset();
        hiddenFields.reset();
        json.begin(out, bare);
        writeValue();
        json.end();
    }

    private void writeValue() throws MalformedValueException {
        switch (reader.peek()) {
            case NULL -> {
                reader.readNull();
                json.writeNull();
            }
            case BOOLEAN -> json.writeBoolean(reader.readBoolean());
            case INT -> json.writeLong(cursor.readInt());
            case LONG -> json.writeLong(cursor.readLong());
            case DOUBLE -> json.writeDouble(cursor.readDouble());
            case DATE -> writeDate();
            case STRING -> writeString();
            case BINARY -> writeBinary();
            case LIST -> writeList();
            case MAP -> writeMap();
            case OBJECT -> writeObject();
            case REFERENCE -> writeReference();
            default -> throw cursor.malformed("an end where a value is expected");
        }
    }

    /** As ISO 8601, in UTC. */
    private void writeDate() throws MalformedValueException {
        reader.time.charge(NS_PER_DATE);
        json.writeText(Instant.ofEpochMilli(cursor.readDate()).toString());
    }

    private void writeString() throws MalformedValueException {
        json.beginString();
        chunks.copyString(json.out(), json.escapes(), json.limit());
        json.endString();
    }

    private void writeBinary() throws MalformedValueException {
        json.beginBinary();
        boolean last;
        do {
            last = chunks.isLastChunk();
            int length = chunks.readBinaryHead();
            json.appendBinary(cursor.in, cursor.at, length);
            cursor.at += length;
        } while (!last);
        json.endBinary();
    }

    private void writeReference() throws MalformedValueException {
        int target = reader.readReference();
        json.requireNotOpen(target);
        int resume = reader.position();
        reader.seek(target);
        json.beginReference();
        writeValue();
        json.endReference(reader.position() - target);
        reader.seek(resume);
    }

    private void writeList() throws MalformedValueException {
        json.open(reader.position());
        json.beginArray();
        int length = reader.beginList();
        for (int i = 0; length < 0 ? !reader.readEnd() : i < length; i++) {
            writeValue();
        }
        json.endArray();
        json.close();
    }

    private void writeMap() throws MalformedValueException {
        int begin = reader.position();
        json.open(begin);
        reader.beginMap();
        int object = json.beginObject();
        while (!reader.readEnd()) {
            if (classNames == ClassNames.REMOVE && skipClass()) {
                continue;
            }
            if (!writeKey()) {
                json.chargeReread(reader.position() - begin);
                reader.seek(begin);
                json.restartAsArray(object);
                writePairs();
                json.close();
                return;
            }
            json.endKey();
            writeValue();
        }
        json.endObject();
        json.close();
    }

    /** Skips an entry with the key {@code class} and a text. */
    private boolean skipClass() throws MalformedValueException {
        int entry = reader.position();
        if (reader.peek() == HessianType.STRING && classes.nameEquals(reader.position(), "class")) {
            reader.skip();
            if (reader.peek() == HessianType.STRING) {
                reader.skip();
                return true;
            }
        }
        reader.seek(entry);
        return false;
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

    /** Writes a key that can be written as text; if it cannot, nothing is written. */
    private boolean writeKey() throws MalformedValueException {
        HessianType type = reader.peek();
        if (type == HessianType.STRING) {
            writeString();
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
        json.chargeReread(reader.position() - target);
        reader.seek(resume);
        return written;
    }

    private boolean writeObjectKey() throws MalformedValueException {
        Shape shape = classes.shapeOf(reader.beginObject());
        if ((shape == Shape.NAME || shape == Shape.VALUE) && reader.peek() == HessianType.STRING) {
            writeString();
            return true;
        }
        return false;
    }

    private void writeObject() throws MalformedValueException {
        json.open(reader.position());
        int definition = reader.beginObject();
        switch (classes.shapeOf(definition)) {
            case NAME -> {
                if (reader.peek() == HessianType.STRING) {
                    writeString();
                } else {
                    writeFields(definition);
                }
            }
            case VALUE -> writeValue();
            case ATOMIC_BOOLEAN -> json.writeBoolean(reader.readInt() != 0);
            case TYPED_VALUE -> writeTypedValue(definition);
            case BIG_DECIMAL -> writeBigDecimal();
            case BIG_INTEGER -> json.writeNumber(bigIntegers.read(definition).toString());
            case TIME -> json.writeText(times.read(definition).toString());
            case TEXT -> json.writeText(texts.read(definition));
            case PLAIN -> writeFields(definition);
            case HIDING -> writeVisibleFields(definition);
            case LOST_COLLECTION ->
                throw cursor.malformed(
                        "an immutable collection whose elements the provider's Hessian library does not send");
        }
        json.close();
    }

    private void writeTypedValue(int definition) throws MalformedValueException {
        boolean written = false;
        int field = classes.firstFieldOf(definition);
        for (int i = classes.fieldCount(definition); i > 0; i--) {
            if (written || classes.nameEquals(field, "type")) {
                reader.skip();
            } else {
                writeValue();
                written = true;
            }
            field = classes.fieldBehind(field);
        }
        if (!written) {
            throw cursor.malformed("an object without a value");
        }
    }

    private void writeBigDecimal() throws MalformedValueException {
        if (reader.peek() != HessianType.STRING) {
            throw cursor.malformed("a BigDecimal that is not text");
        }
        json.beginNumber();
        ByteBuf out = json.out();
        int begin = out.writerIndex();
        chunks.copyString(out, false, json.limit());
        if (!JsonText.isNumber(out, begin, out.writerIndex())) {
            throw cursor.malformed("a BigDecimal that is not a number");
        }
    }

    private void beginFields(int definition) throws MalformedValueException {
        json.beginObject();
        if (classNames == ClassNames.WRITE) {
            json.writeText("class");
            json.endKey();
            writeNameAt(classes.nameOf(definition));
        }
    }

    private void writeFields(int definition) throws MalformedValueException {
        beginFields(definition);
        int kept = fieldNames.begin(definition);
        int field = classes.firstFieldOf(definition);
        for (int i = classes.fieldCount(definition); i > 0; i--) {
            if (kept >= 0) {
                kept = fieldNames.write(json, kept);
            } else {
                field = writeNameAt(field);
                json.endKey();
            }
            writeValue();
        }
        json.endObject();
    }

    /** As {@link #writeFields}, without the fields that others hide. */
    private void writeVisibleFields(int definition) throws MalformedValueException {
        beginFields(definition);
        int field = classes.firstFieldOf(definition);
        for (boolean hidden : hiddenFields.of(definition)) {
            if (hidden) {
                field = classes.fieldBehind(field);
                reader.skip();
            } else {
                field = writeNameAt(field);
                json.endKey();
                writeValue();
            }
        }
        json.endObject();
    }

    /** Writes the name at this position; returns where the next one begins. */
    private int writeNameAt(int name) throws MalformedValueException {
        int resume = reader.position();
        reader.seek(name);
        writeString();
        int behind = reader.position();
        reader.seek(resume);
        return behind;
    }
}
