package io.dubbomesh.protocol.fastjson;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.PathIndex;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.Utf8;
import io.dubbomesh.protocol.value.ValueReader;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The values of fastjson 1, which are JSON with references and with keys of any type; objects are maps. */
public final class FastjsonValues implements ValueReader {
    private static final long ROOT = PathIndex.hash(PathIndex.ROOT);
    /** The time that a walk takes for each value, and for each byte of a key, which may have other keys in it. */
    private static final int NS_PER_VALUE = 30;

    private static final int NS_PER_KEY_BYTE = 6;
    /** The digits of the longest int, and of the longest long. */
    private static final int MAX_DIGITS = 10;

    private static final int MAX_WHOLE_DIGITS = 18;

    private final FastjsonScanner scanner = new FastjsonScanner();
    private final PathIndex index = new PathIndex();
    private final ReadingTime time;

    private ByteBuf in;
    private int root;
    /** The path of the reference that {@link #peek} has found, and where it begins and ends. */
    private String path;

    private int pathBegin = -1;
    private int pathEnd;

    /** @param time is charged for what takes long to be read */
    public FastjsonValues(ReadingTime time) {
        this.time = time;
    }

    @Override
    public void reset(ByteBuf in, int offset, int length) throws MalformedValueException {
        this.in = in;
        scanner.begin(in, offset, length);
        beginValue();
    }

    @Override
    public boolean isAtEnd() {
        return scanner.isAtEnd();
    }

    @Override
    public Token peek() throws MalformedValueException {
        char first = scanner.peek();
        return switch (first) {
            case '[' -> Token.LIST;
            case '{' -> isReference() ? Token.REFERENCE : Token.MAP;
            case '"' -> Token.TEXT;
            case 'n' -> Token.NULL;
            case 't', 'f' -> Token.BOOLEAN;
            default -> scanner.isWhole(MAX_WHOLE_DIGITS) ? Token.WHOLE : Token.NUMBER;
        };
    }

    private boolean isReference() throws MalformedValueException {
        int begin = scanner.position();
        if (begin == pathBegin) {
            return path != null;
        }
        path = readReferencePath();
        pathBegin = begin;
        pathEnd = scanner.position();
        scanner.seek(begin);
        return path != null;
    }

    /** Reads a reference if one comes next, else nothing; returns its text. */
    private String readReferencePath() throws MalformedValueException {
        int begin = scanner.position();
        if (scanner.skip(FastjsonScanner.REFERENCE) && scanner.peek() == '"') {
            String text = scanner.readString();
            boolean isPath = text.equals("@") || text.equals("..") || text.startsWith(PathIndex.ROOT);
            if (isPath && scanner.skip('}')) {
                return text;
            }
        }
        scanner.seek(begin);
        return null;
    }

    @Override
    public int position() {
        return scanner.position();
    }

    @Override
    public void seek(int position) {
        scanner.seek(position);
    }

    @Override
    public void beginValue() {
        root = scanner.position();
        index.reset();
        pathBegin = -1;
    }

    @Override
    public void skip() throws MalformedValueException {
        scanner.skipValue();
    }

    @Override
    public String className() {
        return null;
    }

    @Override
    public boolean namesClasses() {
        return false;
    }

    @Override
    public void writeScalar(JsonWriter json) throws MalformedValueException {
        if (scanner.peek() == '"' && !json.escapes()) {
            json.writeText(scanner.readString());
            return;
        }
        int begin = scanner.position();
        scanner.skipScalar();
        json.writeToken(in, begin, scanner.position() - begin);
        if (scanner.skippedSurrogate()) {
            json.replaceLoneSurrogates(scanner.position() - begin);
        }
    }

    @Override
    public long readWhole() throws MalformedValueException {
        if (!scanner.isWhole(MAX_WHOLE_DIGITS)) {
            throw malformed("no whole number where one is expected");
        }
        int begin = scanner.position();
        scanner.skipScalar();
        boolean isNegative = in.getByte(begin) == '-';
        long value = 0;
        for (int i = isNegative ? begin + 1 : begin; i < scanner.position(); i++) {
            value = value * 10 + in.getByte(i) - '0';
        }
        return isNegative ? -value : value;
    }

    @Override
    public double readDouble() throws MalformedValueException {
        int begin = scanner.position();
        scanner.skipScalar();
        return Double.parseDouble(in.toString(begin, scanner.position() - begin, UTF_8));
    }

    @Override
    public String readText(int maxChars) throws MalformedValueException {
        return scanner.readString();
    }

    @Override
    public String readTime(JsonWriter json) throws MalformedValueException {
        return scanner.readString();
    }

    @Override
    public void copyText(ByteBuf out) throws MalformedValueException {
        scanner.readString().codePoints().forEach(character -> Utf8.write(out, character));
    }

    @Override
    public void copyBinary(ByteBuf out) throws MalformedValueException {
        throw malformed("no binary data where it is expected");
    }

    @Override
    public boolean isText(String ascii) {
        int begin = scanner.position();
        boolean equal = scanner.skip('"' + ascii + '"');
        scanner.seek(begin);
        return equal;
    }

    @Override
    public int beginList() throws MalformedValueException {
        scanner.expect('[');
        return 0;
    }

    @Override
    public boolean hasElement(int index, int list) throws MalformedValueException {
        return hasNext(index, ']');
    }

    private boolean hasNext(int index, char end) throws MalformedValueException {
        if (scanner.skip(end)) {
            return false;
        }
        if (index > 0) {
            scanner.expect(',');
        }
        return true;
    }

    @Override
    public void beginMap() throws MalformedValueException {
        scanner.expect('{');
    }

    @Override
    public boolean hasEntry(int index) throws MalformedValueException {
        return hasNext(index, '}');
    }

    @Override
    public void endKey() throws MalformedValueException {
        scanner.expect(':');
    }

    @Override
    public int readReference() throws MalformedValueException {
        if (!isReference()) {
            throw malformed("no reference where one is expected");
        }
        String text = path;
        int end = pathEnd;
        // The others refer to the whole value, or to one that the reference is in.
        if (!text.startsWith("$.") && !text.startsWith("$[")) {
            throw JsonWriter.containsItself();
        }
        if (!index.isComplete()) {
            walk();
        }
        int target = index.target(PathIndex.hash(text));
        if (target == 0) {
            throw malformed("a reference to no value or to several");
        }
        scanner.seek(end);
        return target;
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
        String reference = first == '{' ? readReferencePath() : null;
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
        for (int i = 0; hasNext(i, last); i++) {
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

    @Override
    public ReadingTime time() {
        return time;
    }

    @Override
    public MalformedValueException malformed(String detail) {
        return scanner.malformed(detail);
    }
}
