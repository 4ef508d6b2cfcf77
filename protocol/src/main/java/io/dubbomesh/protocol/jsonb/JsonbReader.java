package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;

/**
 * A pull reader of JSONB in place: its caller says what comes next and where to go on. Reused; owned by one event loop.
 *
 * <p>Names of classes and fields bear a number where they are first mentioned and are that number from then on, so that a value
 * must be passed over once from its beginning before one goes about in it freely.
 */
public final class JsonbReader extends JsonbCursor {
    static final int MAX_DEPTH = 256;
    private static final int FIRST_NAMES = 32;

    /** Where the numbered names begin. */
    private int[] names = new int[FIRST_NAMES];

    private int nameCount;
    /** The tag of the string that was read last. */
    private int encoding;

    /** Begins {@code in[offset, offset + length)}, which is only read. */
    public void reset(ByteBuf in, int offset, int length) {
        begin(in, offset, length);
        nameCount = 0;
        if (names.length > 1024 * FIRST_NAMES) {
            names = new int[FIRST_NAMES];
        }
    }

    /** Reads the class in front of a value; returns where its name begins. */
    public int readType() throws MalformedValueException {
        expect(JsonbType.TYPED);
        at++;
        int name = readName();
        if (peek() == JsonbType.REFERENCE) {
            throw malformed("a reference with a class");
        }
        return name;
    }

    /** Reads the name of a field, or the key of a map if it is a string; returns where it begins. */
    public int readFieldName() throws MalformedValueException {
        if (peek() == JsonbType.SYMBOL) {
            at++;
            return readName();
        }
        int name = at;
        takeString();
        return name;
    }

    /** Whether the name of a field that stands there is the one that begins at {@code name}. */
    boolean isFieldName(int position, int name) throws MalformedValueException {
        int resume = at;
        at = position;
        boolean same = readFieldName() == name;
        at = resume;
        return same;
    }

    private int readName() throws MalformedValueException {
        if (peek() == JsonbType.WHOLE) {
            int number = readInt();
            if (number < 0 || number >= nameCount) {
                throw malformed("name " + number + " of " + nameCount);
            }
            return names[number];
        }
        int name = at;
        takeString();
        int number = readInt();
        if (number < 0 || number > nameCount) {
            throw malformed("name " + number + " behind " + nameCount + " names");
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
        expect(JsonbType.LIST);
        int tag = byteAt(at++);
        return tag == Tag.ARRAY ? readLength() : tag - Tag.SHORT_ARRAY;
    }

    /** After it come keys and values by turns, until {@link #readEnd}. */
    public void beginMap() throws MalformedValueException {
        expect(JsonbType.MAP);
        at++;
    }

    /** Whether the map ends here; if so, goes behind it. */
    public boolean readEnd() throws MalformedValueException {
        if (peek() != JsonbType.END) {
            return false;
        }
        at++;
        return true;
    }

    /** Goes behind a string; returns where its characters begin. They end at {@link #position}. */
    private int takeString() throws MalformedValueException {
        expect(JsonbType.STRING);
        encoding = byteAt(at++);
        return take(encoding < Tag.STRING ? encoding - Tag.SHORT_STRING : readLength());
    }

    public String readString() throws MalformedValueException {
        int begin = takeString();
        return JsonbText.decode(in, encoding, begin, at);
    }

    /**
     * Appends a string as UTF-8.
     *
     * @param json  whether as JSON, but without the quotes around it
     * @param limit the buffer may not become longer than this
     */
    public void copyString(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        int begin = takeString();
        JsonbText.copy(in, encoding, begin, at, out, json, limit);
    }

    /** The name that begins there. */
    public String name(int position) throws MalformedValueException {
        int resume = at;
        at = position;
        String name = readString();
        at = resume;
        return name;
    }

    /** Appends the name or string that begins there as UTF-8. */
    public void copyName(int position, ByteBuf out) throws MalformedValueException {
        int resume = at;
        at = position;
        copyString(out, false, Integer.MAX_VALUE);
        at = resume;
    }

    /** Whether the string there is this ASCII text. */
    boolean isString(int position, String text) throws MalformedValueException {
        int resume = at;
        at = position;
        int begin = takeString();
        boolean equal = encoding <= Tag.STRING_UTF8 && at - begin == text.length();
        for (int i = 0; equal && i < text.length(); i++) {
            equal = in.getByte(begin + i) == text.charAt(i);
        }
        at = resume;
        return equal;
    }

    /** Goes behind a value. */
    public void skip() throws MalformedValueException {
        skip(0);
    }

    private void skip(int depth) throws MalformedValueException {
        if (peek() == JsonbType.TYPED) {
            readType();
        }
        switch (peek()) {
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
        if (peek() == JsonbType.SYMBOL) {
            readFieldName();
        } else {
            skip(depth);
        }
    }

    /** Goes behind a value that holds no others. */
    void skipScalar() throws MalformedValueException {
        switch (peek()) {
            case NULL, BOOLEAN -> at++;
            case WHOLE -> readWhole();
            case FLOAT -> readFloat();
            case DOUBLE -> readDouble();
            case BIG_INTEGER -> readBigInteger();
            case DECIMAL -> readDecimal();
            case STRING -> takeString();
            case CHAR -> readChar();
            case BINARY -> readBinary();
            case TIME -> skipTime();
            case REFERENCE -> {
                at++;
                takeString();
            }
            default -> throw malformed(peek() + " where a value is expected");
        }
    }

    private void skipTime() throws MalformedValueException {
        switch (byteAt(at++)) {
            case Tag.LOCAL_DATE -> take(4);
            case Tag.LOCAL_TIME -> {
                take(3);
                readInt();
            }
            case Tag.LOCAL_DATE_TIME -> {
                take(7);
                readInt();
            }
            case Tag.TIMESTAMP_WITH_ZONE -> {
                take(7);
                readInt();
                takeString();
            }
            case Tag.TIMESTAMP_MILLIS -> take(Long.BYTES);
            case Tag.TIMESTAMP -> {
                readWhole();
                readInt();
            }
            default -> take(Integer.BYTES);
        }
    }

    void requireDepth(int depth) throws MalformedValueException {
        if (depth >= MAX_DEPTH) {
            throw malformed("more than " + MAX_DEPTH + " values in each other");
        }
    }
}
