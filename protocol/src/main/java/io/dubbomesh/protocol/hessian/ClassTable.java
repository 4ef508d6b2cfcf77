package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.CostlyValueException;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ObjectReader;
import io.dubbomesh.protocol.value.ReadingTime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The class definitions of a stream, which may come before any value, and the names of types. */
final class ClassTable {
    /**
     * A class definition in the table: where its name is, where its fields' names are, how many, {@link Shape} and
     * {@link TimeHandle}.
     */
    private static final int DEFINITION_SIZE = 5;
    /** More than any result has: three bytes define a class, whose entry takes twenty. */
    private static final int MAX_DEFINITIONS = 1 << 16;

    /** The most bytes for the names of the fields of a class whose shape is not {@link Shape#PLAIN}. */
    private static final int MAX_SPECIAL_NAMES = 256;

    private static final int MAX_NAMED_FIELDS = 1024;
    /** The time of making a name a String, and looking it up, for each byte. */
    private static final int NS_PER_NAME_BYTE = 5;
    /** The time of comparing a name with another one that belongs to the same place. */
    private static final int NS_PER_COLLISION = 8;

    private final HessianCursor cursor;
    private final ChunkReader chunks;
    private final ReadingTime time;
    private final NameSet names = new NameSet();
    private int[] definitions = new int[HessianReader.INITIAL_TABLE * DEFINITION_SIZE];
    private int definitionCount;
    private int typeCount;

    ClassTable(HessianCursor cursor, ChunkReader chunks, ReadingTime time) {
        this.cursor = cursor;
        this.chunks = chunks;
        this.time = time;
    }

    /** Begins a stream. */
    void reset() {
        typeCount = 0;
        definitionCount = 0;
        if (definitions.length > HessianReader.MAX_KEPT_TABLE * DEFINITION_SIZE) {
            definitions = new int[HessianReader.INITIAL_TABLE * DEFINITION_SIZE];
        }
    }

    /** Reads a class definition, which must come next; one that was read before is skipped. */
    void readDefinition() throws MalformedValueException {
        int definition = cursor.at++;
        int name = cursor.at;
        skipName();
        // A field's name takes at least a byte.
        int fields = cursor.readLength();
        int firstField = cursor.at;
        boolean isKnown = definition < cursor.frontier;
        boolean hasOuterObject = false;
        names.begin(isKnown ? 0 : fields);
        for (int i = 0; i < fields; i++) {
            int field = cursor.at;
            skipName();
            if (!isKnown) {
                hasOuterObject |= nameStartsWith(field, ObjectReader.OUTER_OBJECT);
                addName(field);
            }
        }
        if (isKnown) {
            return;
        }
        cursor.frontier = cursor.at;
        if (definitionCount == MAX_DEFINITIONS) {
            throw cursor.malformed("more than " + MAX_DEFINITIONS + " class definitions");
        }
        int entry = definitionCount++ * DEFINITION_SIZE;
        if (entry == definitions.length) {
            definitions = Arrays.copyOf(definitions, definitions.length * 2);
        }
        definitions[entry] = name;
        definitions[entry + 1] = firstField;
        definitions[entry + 2] = fields;
        // Such names are read again with each object, so they must not be long.
        boolean special = cursor.at - firstField <= MAX_SPECIAL_NAMES;
        TimeHandle time = special ? TimeHandle.of(this, name) : null;
        Shape shape = Shape.of(this, name, firstField, fields, special);
        if (shape == Shape.PLAIN && (hasOuterObject || names.hasTwice())) {
            shape = Shape.HIDING;
        }
        definitions[entry + 3] = (time == null ? shape : Shape.TIME).ordinal();
        definitions[entry + 4] = time == null ? -1 : time.ordinal();
    }

    /** Adds the name that ends here. */
    private void addName(int field) throws CostlyValueException {
        int collisions = names.add(cursor.in, field, cursor.at);
        if (collisions > 0) {
            time.charge((long) collisions * NS_PER_COLLISION);
        }
    }

    private void skipName() throws MalformedValueException {
        if (HessianType.of(cursor.byteAt(cursor.at)) != HessianType.STRING) {
            throw cursor.malformed("no string where a name is expected");
        }
        chunks.skipString();
    }

    /** A type is the Java class of a list or map, which has no meaning here. */
    void skipType() throws MalformedValueException {
        if (HessianType.of(cursor.byteAt(cursor.at)) == HessianType.INT) {
            int number = cursor.readInt();
            if (number < 0 || number >= typeCount) {
                throw cursor.malformed("reference to type " + number + ", of " + typeCount);
            }
            return;
        }
        int type = cursor.at;
        skipName();
        if (type >= cursor.frontier) {
            cursor.frontier = cursor.at;
            typeCount++;
        }
    }

    /** Returns the number of a class that must have been defined. */
    int checkedDefinition(int number) throws MalformedValueException {
        if (number < 0 || number >= definitionCount) {
            throw cursor.malformed("object of class " + number + ", of " + definitionCount);
        }
        return number;
    }

    /** Returns the first {@code maxChars} chars of the class's name. */
    String className(int definition, int maxChars) throws MalformedValueException {
        int resume = cursor.at;
        cursor.at = nameOf(definition);
        String name = readName(maxChars);
        cursor.at = resume;
        return name;
    }

    /**
     * Returns the fields' names, in order, cut to {@code maxChars} chars each.
     *
     * @throws MalformedValueException if there are more than 1,024
     */
    List<String> fieldNames(int definition, int maxChars) throws MalformedValueException {
        if (fieldCount(definition) > MAX_NAMED_FIELDS) {
            throw cursor.malformed("object of " + fieldCount(definition) + " fields");
        }
        int resume = cursor.at;
        cursor.at = firstFieldOf(definition);
        List<String> names = new ArrayList<>();
        for (int i = fieldCount(definition); i > 0; i--) {
            names.add(readName(maxChars));
        }
        cursor.at = resume;
        return names;
    }

    /** A name may be read for each object. */
    private String readName(int maxChars) throws MalformedValueException {
        int begin = cursor.at;
        String name = chunks.readString(maxChars);
        time.charge((long) (cursor.at - begin) * NS_PER_NAME_BYTE);
        return name;
    }

    int nameOf(int definition) {
        return definitions[definition * DEFINITION_SIZE];
    }

    int firstFieldOf(int definition) {
        return definitions[definition * DEFINITION_SIZE + 1];
    }

    /** Returns the position of the next field's name. */
    int fieldBehind(int field) throws MalformedValueException {
        int resume = cursor.at;
        cursor.at = field;
        chunks.skipString();
        int next = cursor.at;
        cursor.at = resume;
        return next;
    }

    int fieldCount(int definition) {
        return definitions[definition * DEFINITION_SIZE + 2];
    }

    Shape shapeOf(int definition) {
        return Shape.of(definitions[definition * DEFINITION_SIZE + 3]);
    }

    /** Returns the handle of a class whose shape is {@link Shape#TIME}. */
    TimeHandle timeOf(int definition) {
        return TimeHandle.of(definitions[definition * DEFINITION_SIZE + 4]);
    }

    /** Returns whether the string at {@code index}, read before, is this ASCII text, in its shortest form. */
    boolean nameEquals(int index, String text) {
        int length = text.length();
        if (length <= HessianTag.MAX_SHORT_STRING) {
            return cursor.in.getByte(index) == length && nameMatches(index + 1, text);
        }
        return cursor.in.getByte(index) == HessianTag.MEDIUM_STRING + (length >> 8)
                && cursor.in.getByte(index + 1) == (byte) length
                && nameMatches(index + 2, text);
    }

    boolean nameStartsWith(int index, String text) {
        int tag = cursor.in.getByte(index);
        int first = index + (tag <= HessianTag.MAX_SHORT_STRING ? 1 : 2);
        return nameMatches(first, text);
    }

    boolean nameEndsWith(int index, String text) {
        int tag = cursor.in.getByte(index);
        boolean isShort = tag <= HessianTag.MAX_SHORT_STRING;
        int length = isShort ? tag : (tag - HessianTag.MEDIUM_STRING << 8) + cursor.in.getUnsignedByte(index + 1);
        return length >= text.length() && nameMatches(index + (isShort ? 1 : 2) + length - text.length(), text);
    }

    /** Returns whether one of the fields, whose names are short and were read before, is this one. */
    boolean hasField(int firstField, int fields, String name) throws MalformedValueException {
        int field = firstField;
        for (int i = fields; i > 0; i--) {
            if (nameEquals(field, name)) {
                return true;
            }
            field = fieldBehind(field);
        }
        return false;
    }

    private boolean nameMatches(int index, String text) {
        if (cursor.end - index < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (cursor.in.getByte(index + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
