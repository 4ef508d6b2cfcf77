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
public final class HessianReader extends HessianTextCursor {
    /** How deep values may lie in each other. */
    public static final int MAX_DEPTH = 256;

    private static final int INITIAL_TABLE = 16;
    /** A larger table is not kept for the next stream. */
    private static final int MAX_KEPT_TABLE = 1024;

    /** A class definition in the table: where its name is, where its fields' names are, how many, and its {@link Shape}. */
    private static final int DEFINITION_SIZE = 4;

    private int frontier;

    private int[] targets = new int[INITIAL_TABLE];
    private int targetCount;
    private int[] definitions = new int[INITIAL_TABLE];
    private int definitionCount;

    /** Begins the stream {@code in[offset, offset + length)}, which may change nothing while it is read. */
    public HessianReader reset(ByteBuf in, int offset, int length) {
        begin(in, offset, length);
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

    /** What comes next; any class definitions in front of it are taken in. */
    @Override
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

    static HessianException tooDeep() {
        return new HessianException("more than " + MAX_DEPTH + " values in each other");
    }
}
