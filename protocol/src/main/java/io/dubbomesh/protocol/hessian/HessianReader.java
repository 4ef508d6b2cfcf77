package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads Hessian 2 value by value, in place and by absolute index, as {@link #peek} and then the read method that fits. Every
 * index is checked, every declared length is compared with the bytes that are there before it is believed, and no class is
 * loaded.
 *
 * <p>Objects, lists and maps are numbered as they come by, so that a later reference can be answered with the place where its
 * target stands; {@link #seek} goes there to read it once more. Whatever stands before the furthest place reached so far has its
 * number already and does not get another.
 *
 * <p>Scalars cost no allocation. Reused from stream to stream; owned by one event loop, and the buffer stays its caller's.
 */
public final class HessianReader {
    /** How deep values may lie in each other. */
    public static final int MAX_DEPTH = 256;

    private static final int INITIAL_TABLE = 16;
    /** A larger table is not kept for the next stream. */
    private static final int MAX_KEPT_TABLE = 1024;

    /** A class definition in the table: where its name is, where its fields' names are, how many, and its {@link Shape}. */
    private static final int DEFINITION_SIZE = 4;

    private ByteBuf in;
    private int begin;
    private int at;
    private int end;
    private int frontier;

    private int[] targets = new int[INITIAL_TABLE];
    private int targetCount;
    private int[] definitions = new int[INITIAL_TABLE];
    private int definitionCount;

    /** Begins the stream {@code in[offset, offset + length)}, which may change nothing while it is read. */
    public HessianReader reset(ByteBuf in, int offset, int length) {
        if (offset < 0 || length < 0 || length > in.writerIndex() - offset) {
            throw new IndexOutOfBoundsException("offset " + offset + ", length " + length);
        }
        this.in = in;
        begin = offset;
        at = offset;
        end = offset + length;
        frontier = offset;
        targetCount = 0;
        definitionCount = 0;
        if (targets.length > MAX_KEPT_TABLE) {
            targets = new int[INITIAL_TABLE];
        }
        if (definitions.length > MAX_KEPT_TABLE) {
            definitions = new int[INITIAL_TABLE];
        }
        return this;
    }

    /** The absolute index of the next byte. */
    public int position() {
        return at;
    }

    /** Goes to the beginning of a value that was read or skipped before, or of the first one that was not. */
    public void seek(int position) {
        at = position;
    }

    public boolean isAtEnd() {
        return at == end;
    }

    /** What comes next; any class definitions in front of it are taken in. */
    public HessianType peek() throws HessianException {
        while (true) {
            int tag = byteAt(at);
            HessianType type = HessianType.of(tag);
            if (type == null) {
                throw malformed("no value begins with byte 0x" + Integer.toHexString(tag));
            }
            if (type != HessianType.DEFINITION) {
                return type;
            }
            readDefinition();
        }
    }

    private void readDefinition() throws HessianException {
        int definition = at++;
        int name = at;
        skipName();
        // A field's name takes at least a byte.
        int fields = readLength();
        int firstField = at;
        for (int i = 0; i < fields; i++) {
            skipName();
        }
        if (definition < frontier) {
            return;
        }
        frontier = at;
        int entry = definitionCount++ * DEFINITION_SIZE;
        if (entry == definitions.length) {
            definitions = Arrays.copyOf(definitions, definitions.length * 2);
        }
        definitions[entry] = name;
        definitions[entry + 1] = firstField;
        definitions[entry + 2] = fields;
        definitions[entry + 3] = Shape.of(this, name, firstField, fields).ordinal();
    }

    private void skipName() throws HessianException {
        if (HessianType.of(byteAt(at)) != HessianType.STRING) {
            throw malformed("no string where a name is expected");
        }
        skipString();
    }

    public void readNull() throws HessianException {
        expect(HessianType.NULL);
        at++;
    }

    public boolean readBoolean() throws HessianException {
        expect(HessianType.BOOLEAN);
        return byteAt(at++) == 'T';
    }

    public int readInt() throws HessianException {
        expect(HessianType.INT);
        return readIntHere();
    }

    private int readIntHere() throws HessianException {
        int tag = byteAt(at);
        int value;
        if (tag == 'I') {
            value = in.getInt(checked(at + 1, Integer.BYTES));
            at += 5;
        } else if (tag < 0xc0) {
            value = tag - Tag.INT_1_ZERO;
            at += 1;
        } else if (tag < 0xd0) {
            value = (tag - Tag.INT_2_ZERO) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            value = (tag - Tag.INT_3_ZERO) * 0x10000 + in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        return value;
    }

    /** Reads a number that no class definition may stand in front of. */
    private int readNumber() throws HessianException {
        if (HessianType.of(byteAt(at)) != HessianType.INT) {
            throw malformed("no int where a number is expected");
        }
        return readIntHere();
    }

    /** Reads how many things follow, of which each takes at least a byte. */
    private int readLength() throws HessianException {
        int length = readNumber();
        if (length < 0 || length > end - at) {
            throw malformed("length " + length + ", but " + (end - at) + " bytes left");
        }
        return length;
    }

    /** Reads a long, or an int as one. */
    public long readLong() throws HessianException {
        if (peek() == HessianType.INT) {
            return readIntHere();
        }
        expect(HessianType.LONG);
        int tag = byteAt(at);
        long value;
        if (tag == 'L') {
            value = in.getLong(checked(at + 1, Long.BYTES));
            at += 9;
        } else if (tag == Tag.LONG_4) {
            value = in.getInt(checked(at + 1, Integer.BYTES));
            at += 5;
        } else if (tag < 0x40) {
            value = (tag - Tag.LONG_3_ZERO) * 0x10000 + in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        } else if (tag < 0xf0) {
            value = tag - Tag.LONG_1_ZERO;
            at += 1;
        } else {
            value = (tag - Tag.LONG_2_ZERO) * 0x100 + byteAt(at + 1);
            at += 2;
        }
        return value;
    }

    public double readDouble() throws HessianException {
        expect(HessianType.DOUBLE);
        int tag = byteAt(at);
        double value;
        switch (tag) {
            case Tag.DOUBLE_ZERO, Tag.DOUBLE_ONE -> {
                value = tag - Tag.DOUBLE_ZERO;
                at += 1;
            }
            case Tag.DOUBLE_BYTE -> {
                value = (byte) byteAt(at + 1);
                at += 2;
            }
            case Tag.DOUBLE_SHORT -> {
                value = in.getShort(checked(at + 1, Short.BYTES));
                at += 3;
            }
            case Tag.DOUBLE_MILL -> {
                // Not divided by 1000: the result must be the one that the writer compared with.
                value = 0.001 * in.getInt(checked(at + 1, Integer.BYTES));
                at += 5;
            }
            default -> {
                value = in.getDouble(checked(at + 1, Double.BYTES));
                at += 9;
            }
        }
        return value;
    }

    /** Reads a date as milliseconds since 1970-01-01T00:00Z. */
    public long readDate() throws HessianException {
        expect(HessianType.DATE);
        long value;
        if (byteAt(at) == Tag.DATE_MINUTES) {
            value = in.getInt(checked(at + 1, Integer.BYTES)) * 60_000L;
            at += 5;
        } else {
            value = in.getLong(checked(at + 1, Long.BYTES));
            at += 9;
        }
        return value;
    }

    /** Reads a string of any length; where it has more than {@code maxChars} chars, the rest is left out. */
    public String readString(int maxChars) throws HessianException {
        expect(HessianType.STRING);
        StringBuilder text = new StringBuilder();
        boolean last;
        do {
            last = isLastChunk();
            for (int chars = readStringHead(); chars > 0; chars--) {
                int c = readChar();
                if (text.length() < maxChars) {
                    text.append((char) c);
                }
            }
        } while (!last);
        return text.toString();
    }

    /** Whether the chunk of a string or of binary data that comes next is its last one. */
    boolean isLastChunk() throws HessianException {
        int tag = byteAt(at);
        return tag != 'R' && tag != 'A';
    }

    /** Appends a string to {@code out} as UTF-8; a surrogate without its other half becomes U+FFFD. */
    public void readString(ByteBuf out) throws HessianException {
        copyString(out, false, Integer.MAX_VALUE);
    }

    /**
     * As {@link #readString(ByteBuf)}.
     *
     * @param json  whether to escape what JSON wants escaped
     * @param limit the highest index that may be written to; checked often, not at every byte
     */
    void copyString(ByteBuf out, boolean json, int limit) throws HessianException {
        expect(HessianType.STRING);
        int high = 0;
        boolean last;
        do {
            last = isLastChunk();
            int chars = readStringHead();
            while (chars > 0) {
                int runEnd = at + Math.min(chars, end - at);
                int run = (json ? JsonText.plainEnd(in, at, runEnd) : HessianText.asciiEnd(in, at, runEnd)) - at;
                if (out.writerIndex() > limit - run) {
                    throw new HessianException("more text than is allowed");
                }
                if (run > 0) {
                    writeLone(out, high);
                    high = 0;
                    out.writeBytes(in, at, run);
                    at += run;
                    chars -= run;
                    continue;
                }
                int c = readChar();
                chars--;
                if (high != 0 && Character.isLowSurrogate((char) c)) {
                    JsonText.writeUtf8(out, Character.toCodePoint((char) high, (char) c));
                    high = 0;
                    continue;
                }
                writeLone(out, high);
                high = 0;
                if (Character.isHighSurrogate((char) c)) {
                    high = c;
                } else if (json) {
                    JsonText.writeCharacter(out, c);
                } else {
                    JsonText.writeUtf8(out, c);
                }
            }
        } while (!last);
        writeLone(out, high);
    }

    private static void writeLone(ByteBuf out, int high) {
        if (high != 0) {
            JsonText.writeUtf8(out, high);
        }
    }

    /**
     * Reads the head of a string's chunk, after which its chars follow.
     *
     * @return how many
     */
    private int readStringHead() throws HessianException {
        int tag = byteAt(at);
        if (HessianType.of(tag) != HessianType.STRING) {
            throw malformed("no further chunk of a string");
        }
        int chars;
        if (tag <= Tag.MAX_SHORT_STRING) {
            chars = tag;
            at += 1;
        } else if (tag < Tag.MEDIUM_BINARY) {
            chars = (tag - Tag.MEDIUM_STRING) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            chars = in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        checked(at, chars);
        return chars;
    }

    /** Reads one char of one to three bytes; those of four are not Hessian, which has a pair of surrogates instead. */
    private int readChar() throws HessianException {
        int first = byteAt(at);
        if (first < 0x80) {
            at += 1;
            return first;
        }
        if (first < 0xe0) {
            int c = (first & 0x1f) << 6 | continuation(at + 1);
            if (first >= 0xc2) {
                at += 2;
                return c;
            }
        } else if (first < 0xf0) {
            int c = (first & 0xf) << 12 | continuation(at + 1) << 6 | continuation(at + 2);
            if (c >= 0x800) {
                at += 3;
                return c;
            }
        }
        throw malformed("no char begins with byte 0x" + Integer.toHexString(first));
    }

    private int continuation(int index) throws HessianException {
        int value = byteAt(index) ^ 0x80;
        if (value > 0x3f) {
            throw malformed("a char with a byte missing");
        }
        return value;
    }

    int readByte() throws HessianException {
        return byteAt(at++);
    }

    private void skipString() throws HessianException {
        boolean last;
        do {
            last = isLastChunk();
            int chars = readStringHead();
            while (chars > 0) {
                int run = HessianText.asciiEnd(in, at, at + Math.min(chars, end - at)) - at;
                at += run;
                chars -= run;
                if (chars > 0) {
                    readChar();
                    chars--;
                }
            }
        } while (!last);
    }

    /**
     * Reads the head of a chunk of binary data, which follows as it is.
     *
     * @return how many bytes
     */
    int readBinaryHead() throws HessianException {
        int tag = byteAt(at);
        if (HessianType.of(tag) != HessianType.BINARY) {
            throw malformed("no further chunk of binary data");
        }
        int length;
        if (tag <= Tag.SHORT_BINARY + Tag.MAX_SHORT_BINARY) {
            length = tag - Tag.SHORT_BINARY;
            at += 1;
        } else if (tag < 0x38) {
            length = (tag - Tag.MEDIUM_BINARY) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            length = in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        checked(at, length);
        return length;
    }

    private void skipBinary() throws HessianException {
        boolean last;
        do {
            last = isLastChunk();
            int length = readBinaryHead();
            at += length;
        } while (!last);
    }

    /**
     * Begins a list, whose values follow.
     *
     * @return how many, or -1 if {@link #readEnd} tells when it is over
     */
    public int beginList() throws HessianException {
        expect(HessianType.LIST);
        register();
        int tag = byteAt(at++);
        if (tag == 'U' || tag == 'V' || tag >= Tag.SHORT_TYPED_LIST && tag < Tag.SHORT_LIST) {
            skipType();
        }
        if (tag == 'U' || tag == 'W') {
            return -1;
        }
        if (tag == 'V' || tag == 'X') {
            return readLength();
        }
        int length = tag & 7;
        checked(at, length);
        return length;
    }

    /** Begins a map, whose keys and values follow by turns until {@link #readEnd}. */
    public void beginMap() throws HessianException {
        expect(HessianType.MAP);
        register();
        if (byteAt(at++) == 'M') {
            skipType();
        }
    }

    /** Types say how Java holds a list or map; whether it does is no matter here. */
    private void skipType() throws HessianException {
        if (HessianType.of(byteAt(at)) == HessianType.INT) {
            if (readIntHere() < 0) {
                throw malformed("a negative reference to a type");
            }
        } else {
            skipName();
        }
    }

    /** Reads the end of a map or of a list without a length if it comes next. */
    public boolean readEnd() throws HessianException {
        if (byteAt(at) != 'Z') {
            return false;
        }
        at++;
        return true;
    }

    /**
     * Begins an object, whose fields' values follow in the order of their names.
     *
     * @return the number of its class definition
     */
    public int beginObject() throws HessianException {
        expect(HessianType.OBJECT);
        register();
        int tag = byteAt(at++);
        int definition = tag == 'O' ? readNumber() : tag - Tag.OBJECT;
        if (definition < 0 || definition >= definitionCount) {
            throw malformed("object of class " + definition + ", of " + definitionCount);
        }
        return definition;
    }

    /** The first {@code maxChars} chars of the class's name. */
    public String className(int definition, int maxChars) throws HessianException {
        int resume = at;
        at = nameOf(definition);
        String name = readString(maxChars);
        at = resume;
        return name;
    }

    /** The fields' names, in order, cut to {@code maxChars} chars each. */
    public List<String> fieldNames(int definition, int maxChars) throws HessianException {
        int resume = at;
        at = firstFieldOf(definition);
        List<String> names = new ArrayList<>();
        for (int i = fieldCount(definition); i > 0; i--) {
            names.add(readString(maxChars));
        }
        at = resume;
        return names;
    }

    int nameOf(int definition) {
        return definitions[definition * DEFINITION_SIZE];
    }

    int firstFieldOf(int definition) {
        return definitions[definition * DEFINITION_SIZE + 1];
    }

    int fieldCount(int definition) {
        return definitions[definition * DEFINITION_SIZE + 2];
    }

    Shape shapeOf(int definition) {
        return Shape.of(definitions[definition * DEFINITION_SIZE + 3]);
    }

    /** Reads a reference: returns where its target begins, which {@link #seek} takes. */
    public int readReference() throws HessianException {
        expect(HessianType.REFERENCE);
        at++;
        int number = readNumber();
        if (number < 0 || number >= targetCount) {
            throw malformed("reference to value " + number + ", of " + targetCount);
        }
        return targets[number];
    }

    private void register() {
        if (at < frontier) {
            return;
        }
        frontier = at + 1;
        if (targetCount == targets.length) {
            targets = Arrays.copyOf(targets, targets.length * 2);
        }
        targets[targetCount++] = at;
    }

    /** Passes over one value with everything in it; a reference is not followed. */
    public void skip() throws HessianException {
        skip(0);
    }

    private void skip(int depth) throws HessianException {
        if (depth > MAX_DEPTH) {
            throw tooDeep();
        }
        switch (peek()) {
            case NULL, BOOLEAN -> at++;
            case INT -> readIntHere();
            case LONG -> readLong();
            case DOUBLE -> readDouble();
            case DATE -> readDate();
            case STRING -> skipString();
            case BINARY -> skipBinary();
            case REFERENCE -> readReference();
            case LIST -> {
                int length = beginList();
                for (int i = 0; length < 0 ? !readEnd() : i < length; i++) {
                    skip(depth + 1);
                }
            }
            case MAP -> {
                beginMap();
                while (!readEnd()) {
                    skip(depth + 1);
                    skip(depth + 1);
                }
            }
            case OBJECT -> {
                for (int i = fieldCount(beginObject()); i > 0; i--) {
                    skip(depth + 1);
                }
            }
            default -> throw malformed("an end where a value is expected");
        }
    }

    /** Whether the single-chunk string at {@code index}, read before, is this ASCII text. */
    boolean nameEquals(int index, String text) {
        return in.getByte(index) == text.length() && nameMatches(index + 1, text);
    }

    boolean nameStartsWith(int index, String text) {
        int tag = in.getByte(index);
        int first = index + (tag <= Tag.MAX_SHORT_STRING ? 1 : 2);
        return nameMatches(first, text);
    }

    private boolean nameMatches(int index, String text) {
        if (end - index < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (in.getByte(index + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void expect(HessianType type) throws HessianException {
        HessianType found = peek();
        if (found != type) {
            throw malformed(found + " where " + type + " is expected");
        }
    }

    private int byteAt(int index) throws HessianException {
        if (index >= end) {
            throw truncated();
        }
        return in.getUnsignedByte(index);
    }

    private int checked(int index, int length) throws HessianException {
        if (length > end - index) {
            throw truncated();
        }
        return index;
    }

    private static HessianException truncated() {
        return new HessianException("ends within a value");
    }

    static HessianException tooDeep() {
        return new HessianException("more than " + MAX_DEPTH + " values in each other");
    }

    HessianException malformed(String detail) {
        return new HessianException("at byte " + (at - begin) + ": " + detail);
    }
}
