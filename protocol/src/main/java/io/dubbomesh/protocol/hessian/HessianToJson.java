package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

/**
 * Writes the values of a {@link HessianReader} as JSON, as they come by: no graph of objects is built, no class is loaded.
 *
 * <ul>
 *   <li>Objects lose their class unless {@link ClassNames} says otherwise. An enum constant is its name, as is any object whose
 *       one field is a string {@code name}, for Hessian makes no difference between the two.
 *   <li>Dates are ISO 8601, {@code java.util.Date} and its like in UTC; binary data is base64; NaN and the infinities are strings.
 *   <li>Objects of the JDK that stand for one value are this value, see {@link Shape}.
 *   <li>A map whose keys are not all text (or enum constants) becomes a list of {@code [key, value]} pairs.
 *   <li>A referenced value is written again where the reference stands; a value within itself is an error.
 * </ul>
 *
 * The same bytes read again and again, and the text that comes of it, are bounded. Reused; owned by one event loop.
 */
public final class HessianToJson extends ScalarsToJson {
    /** What may be read a second time for each byte of output that is allowed. */
    private static final int REREADS = 4;

    private final FieldNames fieldNames;
    private final BigIntegers bigIntegers;
    private final TimeReader times;
    private final JdkTexts texts;
    private final long maxRereads;
    /** Where the values that are being written begin, outermost first. */
    private final int[] open = new int[HessianReader.MAX_DEPTH];

    private ClassNames classNames;
    private long rereads;

    /** @param maxOutput no value may become longer than this, in bytes */
    public HessianToJson(HessianReader reader, int maxOutput) {
        super(reader, maxOutput);
        fieldNames = new FieldNames(reader);
        bigIntegers = new BigIntegers(reader, this);
        times = new TimeReader(reader, this);
        texts = new JdkTexts(reader, maxOutput);
        maxRereads = (long) maxOutput * REREADS;
    }

    /** Appends the reader's next value as JSON; what a failed attempt has written is the caller's to remove. */
    public void writeJson(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        write(out, classNames, false);
    }

    /** Appends the reader's next value as JSON, but if it is a string, what stands between the quotes as it is. */
    public void writeText(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        write(out, classNames, true);
    }

    private void write(ByteBuf out, ClassNames classNames, boolean bare) throws MalformedValueException {
        begin(out, bare);
        this.classNames = classNames;
        rereads = maxRereads;
        fieldNames.reset();
        writeValue(0);
        require(0);
    }

    private void writeValue(int depth) throws MalformedValueException {
        require(0);
        switch (reader.peek()) {
            case NULL -> {
                reader.readNull();
                JsonText.writeNull(out);
            }
            case BOOLEAN -> JsonText.writeBoolean(out, reader.readBoolean());
            case INT -> JsonText.writeLong(out, reader.readIntHere());
            case LONG -> JsonText.writeLong(out, reader.readLongHere());
            case DOUBLE -> writeDouble();
            case DATE -> writeDate();
            case STRING -> writeString();
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

    private void writeList(int depth) throws MalformedValueException {
        open(depth);
        bare = false;
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

    private void writeMap(int depth) throws MalformedValueException {
        open(depth);
        bare = false;
        int begin = out.writerIndex();
        int first = reader.position();
        reader.beginMap();
        out.writeByte('{');
        boolean more = false;
        while (!reader.readEnd()) {
            if (classNames == ClassNames.REMOVE && skipClass()) {
                continue;
            }
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
            more = true;
        }
        out.writeByte('}');
    }

    /** Passes over an entry with the key {@code class} and a text. */
    private boolean skipClass() throws MalformedValueException {
        int entry = reader.position();
        if (reader.peek() == HessianType.STRING && reader.nameEquals(reader.position(), "class")) {
            reader.skip();
            if (reader.peek() == HessianType.STRING) {
                reader.skip();
                return true;
            }
        }
        reader.seek(entry);
        return false;
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

    /** Writes a key that is text in one way or another; where it is not, nothing is written. */
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
        charge(reader.position() - target);
        reader.seek(resume);
        return written;
    }

    private boolean writeObjectKey() throws MalformedValueException {
        Shape shape = reader.shapeOf(reader.beginObject());
        if ((shape == Shape.NAME || shape == Shape.VALUE) && reader.peek() == HessianType.STRING) {
            writeString();
            return true;
        }
        return false;
    }

    private void writeObject(int depth) throws MalformedValueException {
        open(depth);
        int definition = reader.beginObject();
        switch (reader.shapeOf(definition)) {
            case NAME -> {
                if (reader.peek() == HessianType.STRING) {
                    writeString();
                } else {
                    writeFields(definition, depth);
                }
            }
            case VALUE -> writeValue(depth + 1);
            case ATOMIC_BOOLEAN -> JsonText.writeBoolean(out, reader.readInt() != 0);
            case TYPED_VALUE -> writeTypedValue(definition, depth);
            case BIG_DECIMAL -> writeBigDecimal();
            case BIG_INTEGER ->
                JsonText.writeAscii(out, bigIntegers.read(definition).toString());
            case TIME -> writeText(times.read(definition).toString());
            case TEXT -> writeText(texts.read(definition));
            case PLAIN -> writeFields(definition, depth);
            case LOST_COLLECTION ->
                throw reader.malformed(
                        "an immutable collection whose elements the provider's Hessian library does not send");
        }
    }

    private void writeTypedValue(int definition, int depth) throws MalformedValueException {
        boolean written = false;
        int field = reader.firstFieldOf(definition);
        for (int i = reader.fieldCount(definition); i > 0; i--) {
            if (written || reader.nameEquals(field, "type")) {
                reader.skip();
            } else {
                writeValue(depth + 1);
                written = true;
            }
            field = reader.fieldBehind(field);
        }
        if (!written) {
            throw reader.malformed("an object without a value");
        }
    }

    private void writeFields(int definition, int depth) throws MalformedValueException {
        bare = false;
        out.writeByte('{');
        boolean comma = classNames == ClassNames.WRITE;
        if (comma) {
            JsonText.writeAscii(out, "\"class\":");
            writeNameAt(reader.nameOf(definition));
        }
        int fields = reader.fieldCount(definition);
        int kept = fieldNames.begin(definition);
        int field = reader.firstFieldOf(definition);
        for (int i = 0; i < fields; i++) {
            if (kept >= 0) {
                kept = fieldNames.write(out, kept, comma);
            } else {
                if (comma) {
                    out.writeByte(',');
                }
                field = writeNameAt(field);
                out.writeByte(':');
            }
            writeValue(depth + 1);
            comma = true;
        }
        out.writeByte('}');
    }

    /** Writes the name that stands elsewhere; returns where the one behind it begins. */
    private int writeNameAt(int name) throws MalformedValueException {
        int resume = reader.position();
        reader.seek(name);
        writeString();
        int behind = reader.position();
        reader.seek(resume);
        return behind;
    }

    private void open(int depth) throws MalformedValueException {
        if (depth == open.length) {
            throw HessianReader.tooDeep();
        }
        open[depth] = reader.position();
    }

    /** So many bytes were read that had been read before. */
    void charge(int bytes) throws MalformedValueException {
        rereads -= bytes;
        if (rereads < 0) {
            throw new MalformedValueException("values that repeat each other without bounds");
        }
    }
}
