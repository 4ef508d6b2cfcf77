package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.MalformedFrameException;

import java.util.Arrays;

/**
 * Finds what the references within a value mean. Each is the path of a value that was written before, as {@code $.items[0].owner},
 * or {@code #-1} for the same path as that of the reference before it. Paths are compared by a hash of their text, which is made
 * along with the walk through the value. Nothing is done before the first reference comes.
 */
final class JsonbReferences {
    private static final String PREVIOUS = "#-1";
    /** What fastjson2 writes a backslash in front of. */
    private static final String ESCAPED = "/:;`.~!@#%^&*[]<>?()-+=\\\"',";

    /** Of FNV-1a with 64 bits. */
    private static final long FIRST_HASH = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;

    private static final long ROOT = hash(FIRST_HASH, "$");
    /** The list or map that the reference stands in. */
    private static final long PARENT = hash(FIRST_HASH, "..");

    private static final int FIRST_CAPACITY = 16;

    private final JsonbReader reader;
    private int root;
    private boolean walked;
    /** Where the references with a path of their own stand, in ascending order. */
    private int[] positions;
    /** Their paths. */
    private long[] paths;

    private int count;
    /** Their paths again, in ascending order; null until they are all known. */
    private long[] sorted;
    /** Where the values begin that have these paths; 0, where no value but the root can begin, for those not found. */
    private int[] targets;

    JsonbReferences(JsonbReader reader) {
        this.reader = reader;
    }

    /** Begins the value that begins there. */
    void reset(int root) {
        this.root = root;
        walked = false;
        positions = null;
        paths = null;
        sorted = null;
        targets = null;
    }

    /** Reads a reference; returns where the value begins that it means. */
    int read() throws MalformedFrameException {
        if (!walked) {
            int resume = reader.position();
            walk();
            reader.seek(resume);
        }
        int position = reader.position();
        String text = readText();
        long path = text.equals(PREVIOUS) ? pathBefore(position) : hash(FIRST_HASH, text);
        if (path == ROOT || path == PARENT) {
            throw withinItself();
        }
        int found = Arrays.binarySearch(sorted, path);
        if (found < 0 || targets[found] == 0) {
            throw reader.malformed("a reference to nothing");
        }
        return targets[found];
    }

    static MalformedFrameException withinItself() {
        return new MalformedFrameException("a value that contains itself");
    }

    private String readText() throws MalformedFrameException {
        reader.expect(JsonbType.REFERENCE);
        reader.take(1);
        return reader.readString();
    }

    private long pathBefore(int position) throws MalformedFrameException {
        int next = -1 - Arrays.binarySearch(positions, 0, count, position);
        if (next == 0) {
            throw reader.malformed("a reference that repeats none");
        }
        return paths[next - 1];
    }

    /** Goes through the whole value, first for the references, then for what they mean. */
    private void walk() throws MalformedFrameException {
        positions = new int[FIRST_CAPACITY];
        paths = new long[FIRST_CAPACITY];
        count = 0;
        reader.seek(root);
        walk(ROOT, 0);
        sorted = Arrays.copyOf(paths, count);
        Arrays.sort(sorted);
        targets = new int[count];
        reader.seek(root);
        walk(ROOT, 0);
        walked = true;
    }

    private void walk(long path, int depth) throws MalformedFrameException {
        // What is referred to stands where it is itself, so that no reference leads to another, or back to itself.
        if (sorted != null && reader.peek() != JsonbType.REFERENCE) {
            int found = Arrays.binarySearch(sorted, path);
            if (found >= 0 && targets[found] == 0) {
                targets[found] = reader.position();
            }
        }
        if (reader.peek() == JsonbType.TYPED) {
            reader.readType();
        }
        switch (reader.peek()) {
            case LIST -> {
                reader.requireDepth(depth);
                int length = reader.beginList();
                for (int i = 0; i < length; i++) {
                    walk(element(path, i), depth + 1);
                }
            }
            case MAP -> {
                reader.requireDepth(depth);
                reader.beginMap();
                for (int i = 0; !reader.readEnd(); i++) {
                    walk(walkKey(path, i, depth + 1), depth + 1);
                }
            }
            case REFERENCE -> walkReference();
            default -> reader.skipScalar();
        }
    }

    private void walkReference() throws MalformedFrameException {
        int position = reader.position();
        String text = readText();
        if (sorted != null || text.equals(PREVIOUS)) {
            return;
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            paths = Arrays.copyOf(paths, 2 * count);
        }
        positions[count] = position;
        paths[count++] = hash(FIRST_HASH, text);
    }

    /** Goes behind the key of an entry; returns the path of its value. Keys that are no scalars count as the entry's number. */
    private long walkKey(long path, int entry, int depth) throws MalformedFrameException {
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
        switch (type) {
            case STRING -> {
                return member(path, reader.readString());
            }
            case WHOLE -> {
                return member(path, Long.toString(reader.readWhole()));
            }
            case CHAR -> {
                return member(path, String.valueOf(reader.readChar()));
            }
            case BOOLEAN -> {
                return member(path, String.valueOf(reader.readBoolean()));
            }
            default -> {
                long element = element(path, entry);
                walk(member(element, "key"), depth);
                return element;
            }
        }
    }

    private static long member(long path, String name) {
        long hash = hash(path, '.');
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (ESCAPED.indexOf(c) >= 0) {
                hash = hash(hash, '\\');
            }
            hash = hash(hash, c);
        }
        return hash;
    }

    private static long element(long path, int index) {
        return hash(hash(hash(path, '['), Integer.toString(index)), ']');
    }

    private static long hash(long hash, String text) {
        long next = hash;
        for (int i = 0; i < text.length(); i++) {
            next = hash(next, text.charAt(i));
        }
        return next;
    }

    private static long hash(long hash, char c) {
        return (hash ^ c) * PRIME;
    }
}
