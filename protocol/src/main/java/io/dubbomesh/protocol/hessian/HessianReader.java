package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;

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
public final class HessianReader extends HessianClassCursor {
    /** How deep values may lie in each other. */
    public static final int MAX_DEPTH = 256;

    /** More than any result has whose JSON is not too long; each takes four bytes here. */
    private static final int MAX_TARGETS = 1 << 21;

    private int[] targets = new int[INITIAL_TABLE];
    private int targetCount;

    /** Begins the stream {@code in[offset, offset + length)}, which may change nothing while it is read. */
    public HessianReader reset(ByteBuf in, int offset, int length) {
        begin(in, offset, length);
        targetCount = 0;
        if (targets.length > MAX_KEPT_TABLE) {
            targets = new int[INITIAL_TABLE];
        }
        return this;
    }

    /**
     * Begins a list, whose values follow.
     *
     * @return how many, or -1 if {@link #readEnd} tells when it is over
     */
    public int beginList() throws MalformedValueException {
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
    public void beginMap() throws MalformedValueException {
        expect(HessianType.MAP);
        register();
        if (byteAt(at++) == 'M') {
            skipType();
        }
    }

    /** Reads the end of a map or of a list without a length if it comes next. */
    public boolean readEnd() throws MalformedValueException {
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
    public int beginObject() throws MalformedValueException {
        expect(HessianType.OBJECT);
        register();
        int tag = byteAt(at++);
        return checkedDefinition(tag == 'O' ? readNumber() : tag - Tag.OBJECT);
    }

    /** Reads a reference: returns where its target begins, which {@link #seek} takes. */
    public int readReference() throws MalformedValueException {
        expect(HessianType.REFERENCE);
        at++;
        int number = readNumber();
        if (number < 0 || number >= targetCount) {
            throw malformed("reference to value " + number + ", of " + targetCount);
        }
        return targets[number];
    }

    private void register() throws MalformedValueException {
        if (at < frontier) {
            return;
        }
        frontier = at + 1;
        if (targetCount == MAX_TARGETS) {
            throw malformed("more than " + MAX_TARGETS + " lists, maps and objects");
        }
        if (targetCount == targets.length) {
            targets = Arrays.copyOf(targets, targets.length * 2);
        }
        targets[targetCount++] = at;
    }

    /** Passes over one value with everything in it; a reference is not followed. */
    public void skip() throws MalformedValueException {
        skip(0);
    }

    private void skip(int depth) throws MalformedValueException {
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

    static MalformedValueException tooDeep() {
        return new MalformedValueException("more than " + MAX_DEPTH + " values in each other");
    }
}
