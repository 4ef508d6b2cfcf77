package io.dubbomesh.protocol.fastjson;

import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.PathIndex;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes the values of fastjson as JSON: references as the values they refer to, and maps with keys that are not
 * strings as lists of {@code [key, value]} pairs. What is written again by reference, and the text in total, are
 * bounded. Reused; owned by one event loop.
 */
public final class FastjsonToJson {
    private static final String CLASS = "\"class\":\"";
    private static final long ROOT = PathIndex.hash(PathIndex.ROOT);
    /** What a walk takes with each value, and with each byte of a key, which may have other keys in it. */
    private static final int NS_PER_VALUE = 30;

    private static final int NS_PER_KEY_BYTE = 6;
    /** Of an int. */
    private static final int MAX_DIGITS = 10;

    private final FastjsonScanner scanner = new FastjsonScanner();
    private final PathIndex index = new PathIndex();
    private final JsonWriter json;
    private final ReadingTime time;

    private ByteBuf in;
    private int root;
    private ClassNames classNames;

    /**
     * @param maxOutput no value may become longer than this, in bytes
     * @param time      is charged for what takes long to be read
     */
    public FastjsonToJson(int maxOutput, ReadingTime time) {
        json = new JsonWriter(maxOutput, time);
        this.time = time;
    }

    /**
     * Appends the value that is all of {@code in[offset, offset + length)}; after a failure, the caller removes what
     * was written. Fastjson names classes only where they are keys of maps.
     */
    public void writeJson(ByteBuf in, int offset, int length, ByteBuf out, ClassNames classNames)
            throws MalformedValueException {
        begin(in, offset, length);
        writePart(offset, out, classNames);
        if (!scanner.isAtEnd()) {
            throw scanner.malformed("not exactly one value");
        }
    }

    /**
     * Begins a value that is all of {@code in[offset, offset + length)}, of which parts are written.
     *
     * @throws MalformedValueException if it is not UTF-8
     */
    public void begin(ByteBuf in, int offset, int length) throws MalformedValueException {
        this.in = in;
        root = offset;
        index.reset();
        scanner.begin(in, offset, length);
    }

    /** As {@link #writeJson}, of the value at {@code part} alone, which may have references to others. */
    public void writePart(int part, ByteBuf out, ClassNames classNames) throws MalformedValueException {
        this.classNames = classNames;
        scanner.seek(part);
        json.begin(out, false);
        writeValue();
        json.end();
    }

    private void writeValue() throws MalformedValueException {
        switch (scanner.peek()) {
            case '[' -> writeList();
            case '{' -> {
                int begin = scanner.position();
                String path = readReference();
                if (path != null) {
                    writeReference(path);
                } else {
                    writeMap(begin);
                }
            }
            default -> copyScalar();
        }
    }

    private void copyScalar() throws MalformedValueException {
        int begin = scanner.position();
        scanner.skipScalar();
        json.writeToken(in, begin, scanner.position() - begin);
        if (scanner.skippedSurrogate()) {
            json.replaceLoneSurrogates(scanner.position() - begin);
        }
    }

    private void writeList() throws MalformedValueException {
        json.open(scanner.position());
        scanner.expect('[');
        json.beginArray();
        for (boolean more = false; !scanner.skip(']'); more = true) {
            skipComma(more);
            writeValue();
        }
        json.endArray();
        json.close();
    }

    /** Skips the comma in front of all elements or entries but the first. */
    private void skipComma(boolean more) throws MalformedValueException {
        if (more) {
            scanner.expect(',');
        }
    }

    private void writeMap(int begin) throws MalformedValueException {
        json.open(begin);
        scanner.expect('{');
        int object = json.beginObject();
        for (boolean more = false; !scanner.skip('}'); more = true) {
            skipComma(more);
            if (classNames == ClassNames.REMOVE && skipClass()) {
                continue;
            }
            if (scanner.peek() != '"') {
                json.chargeReread(scanner.position() - begin);
                scanner.seek(begin);
                json.restartAsArray(object);
                writePairs();
                json.close();
                return;
            }
            copyScalar();
            scanner.expect(':');
            json.endKey();
            writeValue();
        }
        json.endObject();
        json.close();
    }

    /** Skips the entry that names the class of an object, if it comes next. */
    private boolean skipClass() throws MalformedValueException {
        if (!scanner.skip(CLASS)) {
            return false;
        }
        scanner.seek(scanner.position() - 1);
        scanner.skipString();
        return true;
    }

    /** Writes the entries of a map as elements of the array that was begun. */
    private void writePairs() throws MalformedValueException {
        scanner.expect('{');
        for (boolean more = false; !scanner.skip('}'); more = true) {
            skipComma(more);
            json.beginArray();
            writeValue();
            scanner.expect(':');
            writeValue();
            json.endArray();
        }
        json.endArray();
    }

    /** Reads a reference if one comes next, else nothing; returns its text. */
    private String readReference() throws MalformedValueException {
        int begin = scanner.position();
        if (scanner.skip(FastjsonScanner.REFERENCE) && scanner.peek() == '"') {
            String text = scanner.readString();
            boolean path = text.equals("@") || text.equals("..") || text.startsWith(PathIndex.ROOT);
            if (path && scanner.skip('}')) {
                return text;
            }
        }
        scanner.seek(begin);
        return null;
    }

    private void writeReference(String path) throws MalformedValueException {
        // The others refer to the whole value, or to one that the reference is in.
        if (!path.startsWith("$.") && !path.startsWith("$[")) {
            throw JsonWriter.containsItself();
        }
        int resume = scanner.position();
        if (!index.isComplete()) {
            walk();
        }
        int target = index.target(PathIndex.hash(path));
        if (target == 0) {
            throw scanner.malformed("a reference to no value or to several");
        }
        json.requireNotOpen(target);
        scanner.seek(target);
        json.beginReference();
        writeValue();
        json.endReference(scanner.position() - target);
        scanner.seek(resume);
    }

    /** Goes through the whole value twice: first for the references, then for the values that they refer to. */
    private void walk() throws MalformedValueException {
        index.begin();
        scanner.seek(root);
        walk(ROOT, 0);
        index.complete();
        scanner.seek(root);
        walk(ROOT, 0);
    }

    private void walk(long path, int depth) throws MalformedValueException {
        time.charge(NS_PER_VALUE);
        int begin = scanner.position();
        char first = scanner.peek();
        if (first != '{' && first != '[') {
            scanner.skipScalar();
            return;
        }
        FastjsonScanner.requireDepth(depth);
        String reference = first == '{' ? readReference() : null;
        if (reference != null) {
            if (!index.isComplete()) {
                index.add(PathIndex.hash(reference));
            }
            return;
        }
        if (index.isComplete()) {
            index.found(path, begin);
        }
        scanner.expect(first);
        char last = first == '{' ? '}' : ']';
        for (int i = 0; !scanner.skip(last); i++) {
            if (i > 0) {
                scanner.expect(',');
            }
            walk(first == '{' ? walkKey(path, depth + 1) : PathIndex.element(path, i), depth + 1);
        }
    }

    /** Skips a key; returns the path of its value, in which no character is escaped. An int is an index. */
    private long walkKey(long path, int depth) throws MalformedValueException {
        int begin = scanner.position();
        long member;
        if (scanner.peek() == '"') {
            member = PathIndex.append(PathIndex.append(path, '.'), scanner.readString());
        } else {
            walk(PathIndex.append(path, '?'), depth);
            time.charge((long) (scanner.position() - begin) * NS_PER_KEY_BYTE);
            String key = in.toString(begin, scanner.position() - begin, UTF_8);
            member = isInt(key)
                    ? PathIndex.element(path, Integer.parseInt(key))
                    : PathIndex.append(PathIndex.append(path, '.'), key);
        }
        scanner.expect(':');
        return member;
    }

    private static boolean isInt(String key) {
        int digits = key.startsWith("-") ? key.length() - 1 : key.length();
        for (int i = key.length() - digits; i < key.length(); i++) {
            if (key.charAt(i) < '0' || key.charAt(i) > '9') {
                return false;
            }
        }
        if (digits == 0 || digits > MAX_DIGITS) {
            return false;
        }
        long value = Long.parseLong(key);
        return value == (int) value && Long.toString(value).length() == key.length();
    }
}
