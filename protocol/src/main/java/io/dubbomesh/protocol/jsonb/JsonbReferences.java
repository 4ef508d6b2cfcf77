package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.PathIndex;

import java.util.Arrays;

/**
 * Resolves the references within a value. Each is the path of a value that was written before, or {@code #-1} for the
 * same path as that of the reference before it. Nothing is done before the first reference.
 */
final class JsonbReferences {
    private static final String PREVIOUS = "#-1";
    /** The characters that fastjson2 escapes with a backslash. */
    private static final String ESCAPED = "/:;`.~!@#%^&*[]<>?()-+=\\\"',";

    private static final long ROOT = PathIndex.hash(PathIndex.ROOT);
    /** The list or map that the reference is in. */
    private static final long PARENT = PathIndex.hash("..");

    /** The time that a walk takes for each value, and for each char of the names in front of it. */
    private static final int NS_PER_VALUE = 20;

    private static final int NS_PER_CHAR = 6;
    private static final int FIRST_CAPACITY = 16;
    /** A reference of a few bytes takes two dozen bytes here. */
    private static final int MAX_REFERENCES = 1 << 18;

    private final JsonbReader reader;
    private final PathIndex index = new PathIndex();
    private int root;
    /** The positions of the references with a path of their own, in ascending order. */
    private int[] positions;
    /** Their paths. */
    private long[] paths;

    private int count;

    JsonbReferences(JsonbReader reader) {
        this.reader = reader;
    }

    /** Begins the value at this position. */
    void reset(int root) {
        this.root = root;
        index.reset();
        positions = null;
        paths = null;
        count = 0;
    }

    /** Reads a reference; returns where the value that it refers to begins. */
    int read() throws MalformedValueException {
        if (!index.isComplete()) {
            int resume = reader.position();
            walk();
            reader.seek(resume);
        }
        int position = reader.position();
        String text = readText();
        long path = text.equals(PREVIOUS) ? pathBefore(position) : PathIndex.hash(text);
        if (path == ROOT || path == PARENT) {
            throw JsonWriter.containsItself();
        }
        int target = index.target(path);
        if (target == 0) {
            throw reader.cursor.malformed("a reference to no value or to several");
        }
        return target;
    }

    private String readText() throws MalformedValueException {
        reader.cursor.expect(JsonbType.REFERENCE);
        reader.cursor.take(1);
        return reader.readString();
    }

    private long pathBefore(int position) throws MalformedValueException {
        int next = -1 - Arrays.binarySearch(positions, 0, count, position);
        if (next == 0) {
            throw reader.cursor.malformed("a repeated reference without one before it");
        }
        return paths[next - 1];
    }

    /** Goes through the whole value twice: first for the references, then for the values that they refer to. */
    private void walk() throws MalformedValueException {
        index.begin();
        positions = new int[FIRST_CAPACITY];
        paths = new long[FIRST_CAPACITY];
        reader.seek(root);
        walk(ROOT, 0);
        index.complete();
        reader.seek(root);
        walk(ROOT, 0);
    }

    private void walk(long path, int depth) throws MalformedValueException {
        reader.time.charge(NS_PER_VALUE);
        // A reference is no target, so that no reference leads to another or back to itself.
        if (index.isComplete() && reader.peek() != JsonbType.REFERENCE) {
            index.found(path, reader.position());
        }
        if (reader.peek() == JsonbType.TYPED) {
            reader.readType();
        }
        switch (reader.peek()) {
            case LIST -> {
                JsonbReader.requireDepth(depth);
                int length = reader.beginList();
                for (int i = 0; i < length; i++) {
                    walk(PathIndex.element(path, i), depth + 1);
                }
            }
            case MAP -> {
                JsonbReader.requireDepth(depth);
                reader.beginMap();
                for (int i = 0; !reader.readEnd(); i++) {
                    walk(walkKey(path, i, depth + 1), depth + 1);
                }
            }
            case REFERENCE -> walkReference();
            default -> reader.skipScalar();
        }
    }

    private void walkReference() throws MalformedValueException {
        int position = reader.position();
        String text = readText();
        if (index.isComplete() || text.equals(PREVIOUS)) {
            return;
        }
        if (count == MAX_REFERENCES) {
            throw reader.cursor.malformed("more than " + MAX_REFERENCES + " references");
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            paths = Arrays.copyOf(paths, 2 * count);
        }
        positions[count] = position;
        paths[count] = PathIndex.hash(text);
        index.add(paths[count++]);
    }

    /**
     * Skips the key of an entry; returns the path of its value. The path of a key that is not a scalar is the entry's
     * number.
     */
    private long walkKey(long path, int entry, int depth) throws MalformedValueException {
        JsonbType type = reader.peek();
        if (type == JsonbType.SYMBOL) {
            return member(path, reader.name(reader.readFieldName()));
        }
        if (type == JsonbType.TYPED) {
            int resume = reader.position();
            reader.readType();
            type = reader.peek();
            if (type != JsonbType.STRING) {
                reader.seek(resume);
            }
        }
        return switch (type) {
            case STRING -> member(path, reader.readString());
            case WHOLE -> member(path, Long.toString(reader.cursor.readWhole()));
            case CHAR -> member(path, String.valueOf(reader.cursor.readChar()));
            case BOOLEAN -> member(path, String.valueOf(reader.cursor.readBoolean()));
            default -> {
                long element = PathIndex.element(path, entry);
                walk(member(element, "key"), depth);
                yield element;
            }
        };
    }

    private long member(long path, String name) throws MalformedValueException {
        reader.time.charge((long) name.length() * NS_PER_CHAR);
        long hash = PathIndex.append(path, '.');
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (ESCAPED.indexOf(c) >= 0) {
                hash = PathIndex.append(hash, '\\');
            }
            hash = PathIndex.append(hash, c);
        }
        return hash;
    }
}
