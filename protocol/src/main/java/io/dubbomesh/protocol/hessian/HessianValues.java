package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ObjectReader;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.Utf8;
import io.dubbomesh.protocol.value.ValueReader;
import io.netty.buffer.ByteBuf;

import java.time.Instant;
import java.util.List;

/**
 * The values of a {@link HessianReader}. Objects of the JDK that stand for one value are this value, see {@link Shape};
 * dates are instants in UTC.
 */
public final class HessianValues implements ValueReader, ObjectReader {
    /** The time of {@link Instant#toString()}, in nanoseconds. */
    private static final int NS_PER_DATE = 250;

    private static final int MAX_NAME = 1024;
    /** No text of a scalar of the JDK is longer. */
    private static final int MAX_TEXT = 8 << 20;

    private final HessianReader reader;
    private final HessianCursor cursor;
    private final ChunkReader chunks;
    private final ClassTable classes;
    private final FieldNames names;
    private final HiddenFields hidden;
    private final BigIntegers bigIntegers;
    private final TimeReader times;
    private final JdkTexts texts;

    public HessianValues(HessianReader reader) {
        this.reader = reader;
        cursor = reader.cursor;
        chunks = reader.chunks;
        classes = reader.classes;
        names = new FieldNames(reader);
        hidden = new HiddenFields(classes);
        bigIntegers = new BigIntegers(reader);
        times = new TimeReader(reader);
        texts = new JdkTexts(reader, MAX_TEXT);
    }

    @Override
    public void reset(ByteBuf in, int offset, int length) {
        reader.reset(in, offset, length);
    }

    @Override
    public boolean isAtEnd() {
        return reader.isAtEnd();
    }

    @Override
    public Token peek() throws MalformedValueException {
        return switch (reader.peek()) {
            case NULL -> Token.NULL;
            case BOOLEAN -> Token.BOOLEAN;
            case INT, LONG -> Token.WHOLE;
            case DOUBLE -> Token.DOUBLE;
            case DATE -> Token.TIME;
            case STRING -> Token.TEXT;
            case BINARY -> Token.BINARY;
            case LIST -> Token.LIST;
            case MAP -> Token.MAP;
            case OBJECT -> ofShape();
            case REFERENCE -> Token.REFERENCE;
            default -> throw malformed("an end where a value is expected");
        };
    }

    private Token ofShape() throws MalformedValueException {
        return switch (classes.shapeOf(reader.peekObject())) {
            case PLAIN, HIDING, NAME, OPAQUE, LOST_COLLECTION -> Token.OBJECT;
            case VALUE, TYPED_VALUE, ELEMENTS -> Token.WRAPPER;
            case ENTRIES -> Token.ENTRIES;
            case ATOMIC_BOOLEAN -> Token.BOOLEAN;
            case BIG_DECIMAL, BIG_INTEGER -> Token.NUMBER;
            case TIME -> Token.TIME;
            case TEXT -> Token.TEXT;
            case BITS -> Token.BITS;
        };
    }

    @Override
    public int position() {
        return reader.position();
    }

    @Override
    public void seek(int position) {
        reader.seek(position);
    }

    @Override
    public void beginValue() {
        names.reset();
        hidden.reset();
    }

    @Override
    public void skip() throws MalformedValueException {
        reader.skip();
    }

    @Override
    public String className() {
        return null;
    }

    @Override
    public void writeScalar(JsonWriter json) throws MalformedValueException {
        switch (reader.peek()) {
            case NULL -> {
                reader.readNull();
                json.writeNull();
            }
            case BOOLEAN -> json.writeBoolean(reader.readBoolean());
            case INT -> json.writeLong(cursor.readInt());
            case LONG -> json.writeLong(cursor.readLong());
            case DOUBLE -> json.writeDouble(cursor.readDouble());
            case DATE -> json.writeText(readDate());
            case STRING -> {
                json.beginString();
                chunks.copyString(json.out(), json.escapes(), json.limit());
                json.endString();
            }
            case BINARY -> writeBinary(json);
            default -> writeObject(json);
        }
    }

    private String readDate() throws MalformedValueException {
        reader.time.charge(NS_PER_DATE);
        return Instant.ofEpochMilli(cursor.readDate()).toString();
    }

    private void writeBinary(JsonWriter json) throws MalformedValueException {
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

    /** One that is a scalar. */
    private void writeObject(JsonWriter json) throws MalformedValueException {
        int definition = reader.beginObject();
        switch (classes.shapeOf(definition)) {
            case ATOMIC_BOOLEAN -> json.writeBoolean(reader.readInt() != 0);
            case BIG_DECIMAL -> writeBigDecimal(json);
            case BIG_INTEGER ->
                json.writeNumber(bigIntegers.read(definition, json).toString());
            case TIME -> json.writeText(times.read(definition, json).toString());
            case TEXT -> json.writeText(texts.read(definition));
            default -> throw malformed("an object where a scalar is expected");
        }
    }

    private void writeBigDecimal(JsonWriter json) throws MalformedValueException {
        if (reader.peek() != HessianType.STRING) {
            throw malformed("a BigDecimal that is not text");
        }
        json.beginNumber();
        ByteBuf out = json.out();
        int begin = out.writerIndex();
        chunks.copyString(out, false, json.limit());
        if (!JsonText.isNumber(out, begin, out.writerIndex())) {
            throw malformed("a BigDecimal that is not a number");
        }
    }

    @Override
    public long readWhole() throws MalformedValueException {
        return reader.readLong();
    }

    @Override
    public double readDouble() throws MalformedValueException {
        return reader.readDouble();
    }

    @Override
    public String readText(int maxChars) throws MalformedValueException {
        return reader.peek() == HessianType.STRING ? reader.readString(maxChars) : texts.read(reader.beginObject());
    }

    @Override
    public String readTime(JsonWriter json) throws MalformedValueException {
        return reader.peek() == HessianType.DATE
                ? readDate()
                : times.read(reader.beginObject(), json).toString();
    }

    @Override
    public void copyText(ByteBuf out) throws MalformedValueException {
        if (reader.peek() == HessianType.STRING) {
            reader.readString(out);
        } else {
            readText(MAX_TEXT).codePoints().forEach(character -> Utf8.write(out, character));
        }
    }

    @Override
    public void copyBinary(ByteBuf out) throws MalformedValueException {
        reader.readBinary(out);
    }

    @Override
    public boolean isText(String ascii) {
        return classes.nameEquals(reader.position(), ascii);
    }

    @Override
    public int utf8Of(int position) {
        return chunks.textAt(position);
    }

    @Override
    public int beginList() throws MalformedValueException {
        return reader.beginList();
    }

    @Override
    public boolean hasElement(int index, int list) throws MalformedValueException {
        return list < 0 ? !reader.readEnd() : index < list;
    }

    @Override
    public void beginMap() throws MalformedValueException {
        reader.beginMap();
    }

    @Override
    public boolean hasEntry(int index) throws MalformedValueException {
        return !reader.readEnd();
    }

    @Override
    public int readReference() throws MalformedValueException {
        return reader.readReference();
    }

    @Override
    public boolean hasObjects() {
        return true;
    }

    @Override
    public ObjectReader objects() {
        return this;
    }

    @Override
    public int beginObject() throws MalformedValueException {
        int definition = reader.beginObject();
        switch (classes.shapeOf(definition)) {
            case OPAQUE -> throw malformed("a " + className(definition) + ", whose fields are not its value");
            case LOST_COLLECTION ->
                throw malformed("an immutable collection whose elements the provider's Hessian library does not send");
            default -> {
                return definition;
            }
        }
    }

    @Override
    public String className(int number) throws MalformedValueException {
        return reader.className(number, MAX_NAME);
    }

    @Override
    public int fieldCount(int number) {
        return classes.fieldCount(number);
    }

    @Override
    public List<String> fieldNames(int number) throws MalformedValueException {
        return reader.fieldNames(number, MAX_NAME);
    }

    @Override
    public boolean[] hiddenFields(int number) throws MalformedValueException {
        return classes.shapeOf(number) == Shape.HIDING ? hidden.of(number) : null;
    }

    @Override
    public boolean hasOnlyName(int number) {
        return classes.shapeOf(number) == Shape.NAME;
    }

    /**
     * Returns the place of the next name among those kept, which is not negative, or the complement of its position.
     */
    @Override
    public int beginFieldNames(int number) throws MalformedValueException {
        int kept = classes.shapeOf(number) == Shape.HIDING ? -1 : names.begin(number);
        return kept >= 0 ? kept : ~classes.firstFieldOf(number);
    }

    @Override
    public int writeFieldName(int name, JsonWriter json) throws MalformedValueException {
        if (name >= 0) {
            return names.write(json, name);
        }
        int resume = cursor.at;
        cursor.at = ~name;
        json.beginString();
        chunks.copyString(json.out(), true, json.limit());
        json.endString();
        json.endKey();
        int next = ~cursor.at;
        cursor.at = resume;
        return next;
    }

    @Override
    public int skipFieldName(int name) throws MalformedValueException {
        return ~classes.fieldBehind(~name);
    }

    /** Returns the number of fields behind the value. */
    @Override
    public int beginWrapper() throws MalformedValueException {
        int definition = reader.beginObject();
        int fields = classes.fieldCount(definition);
        Shape shape = classes.shapeOf(definition);
        int field = classes.firstFieldOf(definition);
        for (int left = fields - 1; left >= 0; left--) {
            if (shape.isValue(classes, field)) {
                return left;
            }
            reader.skip();
            field = classes.fieldBehind(field);
        }
        throw malformed("an object without a value");
    }

    @Override
    public void endWrapper(int wrapper) throws MalformedValueException {
        for (int i = wrapper; i > 0; i--) {
            reader.skip();
        }
    }

    @Override
    public int[] readEntries() throws MalformedValueException {
        int definition = reader.beginObject();
        int[] lists = new int[2];
        int field = classes.firstFieldOf(definition);
        for (int i = classes.fieldCount(definition); i > 0; i--) {
            reader.peek();
            if (classes.nameEquals(field, Shape.KEYS)) {
                lists[0] = reader.position();
            } else if (classes.nameEquals(field, Shape.VALUES)) {
                lists[1] = reader.position();
            }
            reader.skip();
            field = classes.fieldBehind(field);
        }
        return lists;
    }

    @Override
    public ReadingTime time() {
        return reader.time;
    }

    @Override
    public MalformedValueException malformed(String detail) {
        return cursor.malformed(detail);
    }
}
