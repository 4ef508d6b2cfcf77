package io.dubbomesh.protocol.fastjson;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.PathIndex;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes the values of fastjson as JSON: references as what they mean, and maps with keys that are no strings as lists of
 * {@code [key, value]} pairs. The same bytes read again and again, and the text that comes of it, are bounded. Reused; owned by
 * one event loop.
 */
public final class FastjsonToJson {
    /** What may be read a second time for each byte of output that is allowed. */
    private static final int REREADS = 4;

    private static final String CLASS = "\"class\":\"";
    private static final long ROOT = PathIndex.hash(PathIndex.ROOT);

    private final FastjsonScanner scanner = new FastjsonScanner();
    private final PathIndex index = new PathIndex();
    private final int maxOutput;
    /** Where the values that are being written begin, outermost first. */
    private final int[] open = new int[FastjsonScanner.MAX_DEPTH];

    private ByteBuf in;
    private ByteBuf out;
    private int root;
    private int limit;
    private long rereads;
    private boolean classKeys;

    /** @param maxOutput no value may become longer than this, in bytes */
    public FastjsonToJson(int maxOutput) {
        this.maxOutput = maxOutput;
    }

    /**
     * Appends the value that is the whole of {@code in[offset, offset + length)}.
     *
     * @param classKeys whether the key {@code class}, which tells an object's class in the result of a generic call, stays
     */
    public void write(ByteBuf in, int offset, int length, ByteBuf out, boolean classKeys)
            throws MalformedValueException {
        this.in = in;
        this.out = out;
        this.classKeys = classKeys;
        root = offset;
        limit = (int) Math.min(Integer.MAX_VALUE, (long) out.writerIndex() + maxOutput);
        rereads = (long) maxOutput * REREADS;
        index.reset();
        scanner.begin(in, offset, length);
        writeValue(0);
        if (!scanner.isAtEnd()) {
            throw scanner.malformed("not one value");
        }
    }

    private void writeValue(int depth) throws MalformedValueException {
        int begin = scanner.position();
        switch (scanner.peek()) {
            case '[' -> {
                open(begin, depth);
                writeList(depth);
            }
            case '{' -> {
                String path = readReference();
                if (path != null) {
                    writeReference(path, depth);
                } else {
                    open(begin, depth);
                    writeMap(depth);
                }
            }
            default -> copyScalar();
        }
    }

    private void open(int begin, int depth) throws MalformedValueException {
        scanner.requireDepth(depth);
        open[depth] = begin;
    }

    private void copyScalar() throws MalformedValueException {
        int begin = scanner.position();
        scanner.skipScalar();
        int length = scanner.position() - begin;
        if (out.writerIndex() > limit - length) {
            throw new MalformedValueException("more than " + maxOutput + " bytes of text");
        }
        out.writeBytes(in, begin, length);
    }

    private void writeList(int depth) throws MalformedValueException {
        scanner.expect('[');
        out.writeByte('[');
        for (boolean more = false; !scanner.skip(']'); more = true) {
            separate(more);
            writeValue(depth + 1);
        }
        out.writeByte(']');
    }

    /** Goes behind the comma in front of all elements or entries but the first, and writes it. */
    private void separate(boolean more) throws MalformedValueException {
        if (more) {
            scanner.expect(',');
            out.writeByte(',');
        }
    }

    private void writeMap(int depth) throws MalformedValueException {
        int begin = out.writerIndex();
        int first = scanner.position();
        scanner.expect('{');
        out.writeByte('{');
        boolean written = false;
        for (boolean more = false; !scanner.skip('}'); more = true) {
            if (more) {
                scanner.expect(',');
            }
            if (!classKeys && skipClass()) {
                continue;
            }
            if (scanner.peek() != '"') {
                charge(scanner.position() - first);
                scanner.seek(first);
                out.writerIndex(begin);
                writePairs(depth);
                return;
            }
            if (written) {
                out.writeByte(',');
            }
            written = true;
            copyScalar();
            scanner.expect(':');
            out.writeByte(':');
            writeValue(depth + 1);
        }
        out.writeByte('}');
    }

    /** Goes behind the entry that names the class of an object, if it comes next. */
    private boolean skipClass() throws MalformedValueException {
        if (!scanner.skip(CLASS)) {
            return false;
        }
        scanner.seek(scanner.position() - 1);
        scanner.skipString();
        return true;
    }

    private void writePairs(int depth) throws MalformedValueException {
        scanner.expect('{');
        out.writeByte('[');
        for (boolean more = false; !scanner.skip('}'); more = true) {
            separate(more);
            out.writeByte('[');
            writeValue(depth + 1);
            scanner.expect(':');
            out.writeByte(',');
            writeValue(depth + 1);
            out.writeByte(']');
        }
        out.writeByte(']');
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

    private void writeReference(String path, int depth) throws MalformedValueException {
        // The others mean the whole value, or one that the reference stands in.
        if (!path.startsWith("$.") && !path.startsWith("$[")) {
            throw withinItself();
        }
        int resume = scanner.position();
        if (!index.isComplete()) {
            walk();
        }
        int target = index.target(PathIndex.hash(path));
        if (target == 0) {
            throw scanner.malformed("a reference to no one value");
        }
        for (int i = 0; i < depth; i++) {
            if (open[i] == target) {
                throw withinItself();
            }
        }
        scanner.seek(target);
        writeValue(depth);
        charge(scanner.position() - target);
        scanner.seek(resume);
    }

    private static MalformedValueException withinItself() {
        return new MalformedValueException("a value that contains itself");
    }

    /** So many bytes were read that had been read before. */
    private void charge(int bytes) throws MalformedValueException {
        rereads -= bytes;
        if (rereads < 0) {
            throw new MalformedValueException("values that repeat each other without bounds");
        }
    }

    /** Goes through the whole value, first for the references, then for what they mean. */
    private void walk() throws MalformedValueException {
        scanner.seek(root);
        walk(ROOT, 0);
        index.complete();
        scanner.seek(root);
        walk(ROOT, 0);
    }

    private void walk(long path, int depth) throws MalformedValueException {
        int begin = scanner.position();
        char first = scanner.peek();
        if (first != '{' && first != '[') {
            scanner.skipScalar();
            return;
        }
        scanner.requireDepth(depth);
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

    /** Goes behind a key; returns the path of its value, in which no character is escaped. An int counts as an index. */
    private long walkKey(long path, int depth) throws MalformedValueException {
        int begin = scanner.position();
        long member;
        if (scanner.peek() == '"') {
            member = PathIndex.append(PathIndex.append(path, '.'), scanner.readString());
        } else {
            walk(PathIndex.append(path, '?'), depth);
            String key = in.toString(begin, scanner.position() - begin, UTF_8);
            member = isInt(key)
                    ? PathIndex.element(path, Integer.parseInt(key))
                    : PathIndex.append(PathIndex.append(path, '.'), key);
        }
        scanner.expect(':');
        return member;
    }

    private static boolean isInt(String key) {
        try {
            return Integer.toString(Integer.parseInt(key)).equals(key);
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
