package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;

/**
 * A pull reader of JSONB in place. Reused; owned by one event loop.
 *
 * <p>Names of classes and fields have a number where they occur first and are only that number later, so that a value
 * must be skipped once from its beginning before its parts can be read in any order.
 */
public final class JsonbReader {
    private static final int FIRST_NAMES = 32;

    final JsonbCursor cursor = new JsonbCursor();
    final ReadingTime time;
    private final JsonbString string = new JsonbString();

    /** The offsets of the numbered names. */
    private int[] names = new int[FIRST_NAMES];

    private int nameCount;

    public JsonbReader() {
        this(ReadingTime.unlimited());
    }

    /** @param time is charged for what takes long to be read, here and by the writer of its JSON */
    public JsonbReader(ReadingTime time) {
        this.time = time;
    }

    /** Begins {@code in[offset, offset + length)}, which is only read. */
    public void reset(ByteBuf in, int offset, int length) {
        cursor.begin(in, offset, length);
        nameCount = 0;
        if (names.length > 1024 * FIRST_NAMES) {
            names = new int[FIRST_NAMES];
        }
    }

    /** Returns the type of the next value. */
    public JsonbType peek() throws MalformedValueException {
        return cursor.peek();
    }

    /** Returns the absolute index of the next byte. */
    public int position() {
        return cursor.at;
    }

    /** Goes to the beginning of a value, or of a name. */
    public void seek(int position) {
        cursor.at = position;
    }

    public boolean isAtEnd() {
        return cursor.at == cursor.end;
    }

    public int readInt() throws MalformedValueException {
        return cursor.readInt();
    }

    /** Reads the class in front of a value; returns where its name begins. */
    public int readType() throws MalformedValueException {
        cursor.expect(JsonbType.TYPED);
        cursor.at++;
        int name = readName();
        if (cursor.peek() == JsonbType.REFERENCE) {
            throw cursor.malformed("a reference with a class");
        }
        return name;
    }

    /** Reads the name of a field, or the key of a map if it is a string; returns where it begins. */
    public int readFieldName() throws MalformedValueException {
        if (cursor.peek() == JsonbType.SYMBOL) {
            cursor.at++;
            return readName();
        }
        int name = cursor.at;
        takeString();
        return name;
    }

    private int readName() throws MalformedValueException {
        if (cursor.peek() == JsonbType.WHOLE) {
            int number = cursor.readInt();
            if (number < 0 || number >= nameCount) {
                throw cursor.malformed("name " + number + " of " + nameCount);
            }
            return names[number];
        }
        int name = cursor.at;
        takeString();
        int number = cursor.readInt();
        if (number < 0 || number > nameCount) {
            throw cursor.malformed("name " + number + " behind " + nameCount + " names");
        }
        if (number == nameCount) {
            if (nameCount == names.length) {
                names = Arrays.copyOf(names, 2 * nameCount);
            }
            nameCount++;
        }
        names[number] = name;
        return name;
    }

    /** Reads how many values follow. */
    public int beginList() throws MalformedValueException {
        cursor.expect(JsonbType.LIST);
        int tag = cursor.byteAt(cursor.at++);
        return tag == JsonbTag.ARRAY ? cursor.readLength() : tag - JsonbTag.SHORT_ARRAY;
    }

    /** Keys and values follow in turn, until {@link #readEnd}. */
    public void beginMap() throws MalformedValueException {
        cursor.expect(JsonbType.MAP);
        cursor.at++;
    }

    /** Returns whether the map ends here; if so, skips the end. */
    public boolean readEnd() throws MalformedValueException {
        if (cursor.peek() != JsonbType.END) {
            return false;
        }
        cursor.at++;
        return true;
    }

    /** Skips a string, which {@link #string} is then. */
    private void takeString() throws MalformedValueException {
        cursor.expect(JsonbType.STRING);
        int encoding = cursor.byteAt(cursor.at++);
        int begin = cursor.take(encoding < JsonbTag.STRING ? encoding - JsonbTag.SHORT_STRING : cursor.readLength());
        string.locate(cursor.in, encoding, begin, cursor.at);
    }

    public String readString() throws MalformedValueException {
        takeString();
        return string.decode();
    }

    /**
     * Appends a string as UTF-8.
     *
     * @param json  whether as JSON, but without the quotes around it
     * @param limit the buffer may not become longer than this
     */
    public void copyString(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        takeString();
        string.copy(out, json, limit);
    }

    /** Returns the name that begins there. */
    public String name(int position) throws MalformedValueException {
        int resume = cursor.at;
        cursor.at = position;
        String name = readString();
        // A number of one byte may stand for it.
        time.charge(name.length());
        cursor.at = resume;
        return name;
    }

    /** Returns whether the string there is this ASCII text. */
    boolean isString(int position, String text) throws MalformedValueException {
        int resume = cursor.at;
        cursor.at = position;
        takeString();
        boolean equal = string.isAscii(text);
        cursor.at = resume;
        return equal;
    }

    /** Skips a value. */
    public void skip() throws MalformedValueException {
        skip(0);
    }

    private void skip(int depth) throws MalformedValueException {
        if (cursor.peek() == JsonbType.TYPED) {
            readType();
        }
        switch (cursor.peek()) {
            case LIST -> {
                requireDepth(depth);
                for (int left = beginList(); left > 0; left--) {
                    skip(depth + 1);
                }
            }
            case MAP -> {
                requireDepth(depth);
                beginMap();
                while (!readEnd()) {
                    skipKey(depth + 1);
                    skip(depth + 1);
                }
            }
            default -> skipScalar();
        }
    }

    private void skipKey(int depth) throws MalformedValueException {
        if (cursor.peek() == JsonbType.SYMBOL) {
            readFieldName();
        } else {
            skip(depth);
        }
    }

    /** Skips a value that holds no others. */
    void skipScalar() throws MalformedValueException {
        switch (cursor.peek()) {
            case NULL, BOOLEAN -> cursor.at++;
            case WHOLE -> cursor.readWhole();
            case FLOAT -> cursor.readFloat();
            case DOUBLE -> cursor.readDouble();
            case BIG_INTEGER -> cursor.readBigInteger();
            case DECIMAL -> cursor.readDecimal();
            case STRING -> takeString();
            case CHAR -> cursor.readChar();
            case BINARY -> cursor.readBinary();
            case TIME -> skipTime();
            case REFERENCE -> {
                cursor.at++;
                takeString();
            }
            default -> throw cursor.malformed(cursor.peek() + " where a value is expected");
        }
    }

    private void skipTime() throws MalformedValueException {
        switch (cursor.byteAt(cursor.at++)) {
            case JsonbTag.LOCAL_DATE -> cursor.take(4);
            case JsonbTag.LOCAL_TIME -> {
                cursor.take(3);
                cursor.readInt();
            }
            case JsonbTag.LOCAL_DATE_TIME -> {
                cursor.take(7);
                cursor.readInt();
            }
            case JsonbTag.TIMESTAMP_WITH_ZONE -> {
                cursor.take(7);
                cursor.readInt();
                takeString();
            }
            case JsonbTag.TIMESTAMP_MILLIS -> cursor.take(Long.BYTES);
            case JsonbTag.TIMESTAMP -> {
                cursor.readWhole();
                cursor.readInt();
            }
            default -> cursor.take(Integer.BYTES);
        }
    }

    static void requireDepth(int depth) throws MalformedValueException {
        if (depth >= JsonWriter.MAX_DEPTH) {
            throw JsonWriter.tooDeep();
        }
    }
}
