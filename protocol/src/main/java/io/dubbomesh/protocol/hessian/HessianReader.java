package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;
import java.util.List;

/**
 * Reads Hessian 2 value by value, in place and by absolute index, with {@link #peek} and then the read method of that
 * type. Every index is checked, every declared length is compared with the bytes that are there before it is used, and
 * no class is loaded.
 *
 * <p>Objects, lists and maps are numbered in the order of the stream, so that a later reference can be resolved to the
 * position of its target; {@link #seek} goes there to read it again. Everything before the furthest position so far has
 * its number already and does not get another.
 *
 * <p>Reading scalars allocates nothing. Reused from stream to stream; owned by one event loop, and its caller releases
 * the buffer.
 */
public final class HessianReader {
    static final int INITIAL_TABLE = 16;
    /** A larger table is not kept for the next stream. */
    static final int MAX_KEPT_TABLE = 1024;

    /** More than any result has whose JSON is not too long; each takes four bytes here. */
    private static final int MAX_TARGETS = 1 << 21;

    final HessianCursor cursor = new HessianCursor();
    final ChunkReader chunks = new ChunkReader(cursor);
    final ReadingTime time;
    final ClassTable classes;

    private int[] targets = new int[INITIAL_TABLE];
    private int targetCount;

    public HessianReader() {
        this(ReadingTime.unlimited());
    }

    /** @param time is charged for what takes long to be read, here and by the writer of its JSON */
    public HessianReader(ReadingTime time) {
        this.time = time;
        classes = new ClassTable(cursor, chunks, time);
    }

    /** Begins the stream {@code in[offset, offset + length)}, which must not change while it is read. */
    public HessianReader reset(ByteBuf in, int offset, int length) {
        cursor.begin(in, offset, length);
        classes.reset();
        targetCount = 0;
        if (targets.length > MAX_KEPT_TABLE) {
            targets = new int[INITIAL_TABLE];
        }
        return this;
    }

    /** Returns the type of the next value; reads any class definitions before it. */
    public HessianType peek() throws MalformedValueException {
        HessianCursor cursor = this.cursor;
        while (true) {
            HessianType type = cursor.type();
            if (type != HessianType.DEFINITION) {
                return type;
            }
            classes.readDefinition();
        }
    }

    private void expect(HessianType type) throws MalformedValueException {
        HessianType found = peek();
        if (found != type) {
            throw cursor.malformed(found + " where " + type + " is expected");
        }
    }

    /** Returns the absolute index of the next byte. */
    public int position() {
        return cursor.at;
    }

    /** Goes to the beginning of a value that was read or skipped before, or of the first one that was not. */
    public void seek(int position) {
        cursor.at = position;
    }

    public boolean isAtEnd() {
        return cursor.at == cursor.end;
    }

    public void readNull() throws MalformedValueException {
        expect(HessianType.NULL);
        cursor.at++;
    }

    public boolean readBoolean() throws MalformedValueException {
        expect(HessianType.BOOLEAN);
        return cursor.byteAt(cursor.at++) == 'T';
    }

    public int readInt() throws MalformedValueException {
        expect(HessianType.INT);
        return cursor.readInt();
    }

    /** Reads a long, or an int as one. */
    public long readLong() throws MalformedValueException {
        if (peek() == HessianType.INT) {
            return cursor.readInt();
        }
        expect(HessianType.LONG);
        return cursor.readLong();
    }

    public double readDouble() throws MalformedValueException {
        expect(HessianType.DOUBLE);
        return cursor.readDouble();
    }

    /** Reads a date as milliseconds since 1970-01-01T00:00Z. */
    public long readDate() throws MalformedValueException {
        expect(HessianType.DATE);
        return cursor.readDate();
    }

    /** Reads a string of any length; where it has more than {@code maxChars} chars, the rest is left out. */
    public String readString(int maxChars) throws MalformedValueException {
        expect(HessianType.STRING);
        return chunks.readString(maxChars);
    }

    /** Appends a string to {@code out} as UTF-8; a surrogate without its other half becomes U+FFFD. */
    public void readString(ByteBuf out) throws MalformedValueException {
        expect(HessianType.STRING);
        chunks.copyString(out, false, Integer.MAX_VALUE);
    }

    /** Appends binary data of any length to {@code out}. */
    public void readBinary(ByteBuf out) throws MalformedValueException {
        expect(HessianType.BINARY);
        chunks.readBinary(out);
    }

    /** Returns the first {@code maxChars} chars of the class's name. */
    public String className(int definition, int maxChars) throws MalformedValueException {
        return classes.className(definition, maxChars);
    }

    /**
     * Returns the names of a class's fields, in order, cut to {@code maxChars} chars each.
     *
     * @throws MalformedValueException if there are more than 1,024
     */
    public List<String> fieldNames(int definition, int maxChars) throws MalformedValueException {
        return classes.fieldNames(definition, maxChars);
    }

    /**
     * Begins a list, whose values follow.
     *
     * @return how many, or -1 if {@link #readEnd} says where it ends
     */
    public int beginList() throws MalformedValueException {
        expect(HessianType.LIST);
        register();
        int tag = cursor.byteAt(cursor.at++);
        if (tag == 'U' || tag == 'V' || tag >= HessianTag.SHORT_TYPED_LIST && tag < HessianTag.SHORT_LIST) {
            classes.skipType();
        }
        if (tag == 'U' || tag == 'W') {
            return -1;
        }
        if (tag == 'V' || tag == 'X') {
            return cursor.readLength();
        }
        int length = tag & 7;
        cursor.checked(cursor.at, length);
        return length;
    }

    /** Begins a map, whose keys and values follow in turn until {@link #readEnd}. */
    public void beginMap() throws MalformedValueException {
        expect(HessianType.MAP);
        register();
        if (cursor.byteAt(cursor.at++) == 'M') {
            classes.skipType();
        }
    }

    /** Reads the end of a map or of a list without a length if it comes next. */
    public boolean readEnd() throws MalformedValueException {
        HessianCursor cursor = this.cursor;
        if (cursor.byteAt(cursor.at) != 'Z') {
            return false;
        }
        cursor.at++;
        return true;
    }

    /**
     * Begins an object, whose fields' values follow in the order of their names.
     *
     * @return the number of its class definition
     */
    public int beginObject() throws MalformedValueException {
        expect(HessianType.OBJECT);
        register();
        int tag = cursor.byteAt(cursor.at++);
        return classes.checkedDefinition(tag == 'O' ? cursor.readNumber() : tag - HessianTag.OBJECT);
    }

    /** Returns the number of the class definition of the object that comes next (see {@link #peek}). */
    int peekObject() throws MalformedValueException {
        int resume = cursor.at;
        int tag = cursor.byteAt(cursor.at++);
        int definition = classes.checkedDefinition(tag == 'O' ? cursor.readNumber() : tag - HessianTag.OBJECT);
        cursor.at = resume;
        return definition;
    }

    /** Reads a reference: returns where its target begins, which {@link #seek} takes. */
    public int readReference() throws MalformedValueException {
        expect(HessianType.REFERENCE);
        cursor.at++;
        int number = cursor.readNumber();
        if (number < 0 || number >= targetCount) {
            throw cursor.malformed("reference to value " + number + ", of " + targetCount);
        }
        return targets[number];
    }

    private void register() throws MalformedValueException {
        HessianCursor cursor = this.cursor;
        if (cursor.at < cursor.frontier) {
            return;
        }
        cursor.frontier = cursor.at + 1;
        if (targetCount == MAX_TARGETS) {
            throw cursor.malformed("more than " + MAX_TARGETS + " lists, maps and objects");
        }
        if (targetCount == targets.length) {
            targets = Arrays.copyOf(targets, targets.length * 2);
        }
        targets[targetCount++] = cursor.at;
    }

    /** Skips one value with its parts; a reference is not followed. */
    public void skip() throws MalformedValueException {
        skip(0);
    }

    private void skip(int depth) throws MalformedValueException {
        if (depth > JsonWriter.MAX_DEPTH) {
            throw JsonWriter.tooDeep();
        }
        switch (peek()) {
            case NULL, BOOLEAN -> cursor.at++;
            case INT -> cursor.readInt();
            case LONG -> cursor.readLong();
            case DOUBLE -> cursor.readDouble();
            case DATE -> cursor.readDate();
            case STRING -> chunks.skipString();
            case BINARY -> chunks.skipBinary();
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
                for (int i = classes.fieldCount(beginObject()); i > 0; i--) {
                    skip(depth + 1);
                }
            }
            default -> throw cursor.malformed("an end where a value is expected");
        }
    }
}
