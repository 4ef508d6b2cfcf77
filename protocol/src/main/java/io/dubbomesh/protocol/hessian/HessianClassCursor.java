package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Class definitions, which may stand in front of any value, and the names of types. */
abstract class HessianClassCursor extends HessianTextCursor {
    static final int INITIAL_TABLE = 16;
    /** A larger table is not kept for the next stream. */
    static final int MAX_KEPT_TABLE = 1024;

    /** A class definition in the table: where its name is, where its fields' names are, how many, {@link Shape} and {@link TimeHandle}. */
    private static final int DEFINITION_SIZE = 5;
    /** More than any result has: three bytes define a class, whose entry takes twenty. */
    private static final int MAX_DEFINITIONS = 1 << 16;

    /** The names of the fields of a class whose shape is other than {@link Shape#PLAIN} take no more bytes. */
    private static final int MAX_SPECIAL_NAMES = 256;

    private static final int MAX_NAMED_FIELDS = 1024;

    /** Whatever stands before it has its number already. */
    int frontier;

    private int[] definitions = new int[INITIAL_TABLE * DEFINITION_SIZE];
    private int definitionCount;
    private int typeCount;

    HessianClassCursor() {}

    @Override
    void begin(ByteBuf in, int offset, int length) {
        super.begin(in, offset, length);
        frontier = offset;
        typeCount = 0;
        definitionCount = 0;
        if (definitions.length > MAX_KEPT_TABLE * DEFINITION_SIZE) {
            definitions = new int[INITIAL_TABLE * DEFINITION_SIZE];
        }
    }

    /** What comes next; any class definitions in front of it are taken in. */
    @Override
    public final HessianType peek() throws MalformedValueException {
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

    private void readDefinition() throws MalformedValueException {
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
        if (definitionCount == MAX_DEFINITIONS) {
            throw malformed("more than " + MAX_DEFINITIONS + " class definitions");
        }
        int entry = definitionCount++ * DEFINITION_SIZE;
        if (entry == definitions.length) {
            definitions = Arrays.copyOf(definitions, definitions.length * 2);
        }
        definitions[entry] = name;
        definitions[entry + 1] = firstField;
        definitions[entry + 2] = fields;
        // Such names are read again with each object, so that they must not be long.
        boolean special = at - firstField <= MAX_SPECIAL_NAMES;
        TimeHandle time = special ? TimeHandle.of(this, name) : null;
        Shape shape = special ? Shape.of(this, name, firstField, fields) : Shape.PLAIN;
        definitions[entry + 3] = (time == null ? shape : Shape.TIME).ordinal();
        definitions[entry + 4] = time == null ? -1 : time.ordinal();
    }

    private void skipName() throws MalformedValueException {
        if (HessianType.of(byteAt(at)) != HessianType.STRING) {
            throw malformed("no string where a name is expected");
        }
        skipString();
    }

    /** Types say how Java holds a list or map; whether it does is no matter here. */
    final void skipType() throws MalformedValueException {
        if (HessianType.of(byteAt(at)) == HessianType.INT) {
            int number = readIntHere();
            if (number < 0 || number >= typeCount) {
                throw malformed("reference to type " + number + ", of " + typeCount);
            }
            return;
        }
        int type = at;
        skipName();
        if (type >= frontier) {
            frontier = at;
            typeCount++;
        }
    }

    /** The number of a class that must have been defined. */
    final int checkedDefinition(int number) throws MalformedValueException {
        if (number < 0 || number >= definitionCount) {
            throw malformed("object of class " + number + ", of " + definitionCount);
        }
        return number;
    }

    /** The first {@code maxChars} chars of the class's name. */
    public final String className(int definition, int maxChars) throws MalformedValueException {
        int resume = at;
        at = nameOf(definition);
        String name = readString(maxChars);
        at = resume;
        return name;
    }

    /**
     * The fields' names, in order, cut to {@code maxChars} chars each.
     *
     * @throws MalformedValueException if there are more than 1,024
     */
    public final List<String> fieldNames(int definition, int maxChars) throws MalformedValueException {
        if (fieldCount(definition) > MAX_NAMED_FIELDS) {
            throw malformed("object of " + fieldCount(definition) + " fields");
        }
        int resume = at;
        at = firstFieldOf(definition);
        List<String> names = new ArrayList<>();
        for (int i = fieldCount(definition); i > 0; i--) {
            names.add(readString(maxChars));
        }
        at = resume;
        return names;
    }

    final int nameOf(int definition) {
        return definitions[definition * DEFINITION_SIZE];
    }

    final int firstFieldOf(int definition) {
        return definitions[definition * DEFINITION_SIZE + 1];
    }

    /** Where the name of the field behind this one begins. */
    final int fieldBehind(int field) throws MalformedValueException {
        int resume = at;
        at = field;
        skipString();
        int next = at;
        at = resume;
        return next;
    }

    final int fieldCount(int definition) {
        return definitions[definition * DEFINITION_SIZE + 2];
    }

    final Shape shapeOf(int definition) {
        return Shape.of(definitions[definition * DEFINITION_SIZE + 3]);
    }

    /** Of a class whose shape is {@link Shape#TIME}. */
    final TimeHandle timeOf(int definition) {
        return TimeHandle.of(definitions[definition * DEFINITION_SIZE + 4]);
    }

    /** Whether the string at {@code index}, read before, is this ASCII text, in its shortest form. */
    final boolean nameEquals(int index, String text) {
        int length = text.length();
        if (length <= Tag.MAX_SHORT_STRING) {
            return in.getByte(index) == length && nameMatches(index + 1, text);
        }
        return in.getByte(index) == Tag.MEDIUM_STRING + (length >> 8)
                && in.getByte(index + 1) == (byte) length
                && nameMatches(index + 2, text);
    }

    final boolean nameStartsWith(int index, String text) {
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
}
