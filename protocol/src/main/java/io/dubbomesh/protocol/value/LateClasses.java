package io.dubbomesh.protocol.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.util.Arrays;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Finds the classes that objects in a JSON text name in another member than their first, as the members of an object
 * have no order. The text is read ahead once, and only if it may have such a member. Takes eight bytes for each of
 * them; used again for the next text. Owned by one event loop.
 */
public final class LateClasses {
    private static final byte[] QUOTED = {'"', 'c', 'l', 'a', 's', 's', '"'};
    private static final int FIRST_PLACES = 16;

    /** The text; null between two texts. */
    private ByteBuf in;

    private int offset;
    private int length;
    /**
     * The objects, in order: the place of the first member's name in the upper half, that of the class in the lower
     * one. Null as long as the text has not been read.
     */
    private long[] places;

    private int count;

    /**
     * The member that names a class.
     *
     * @param className null if the value is no text
     * @param other     the value if it is no text; else null
     */
    public record Member(String className, String other) {}

    /** Begins a text, which the caller does not change until {@link #end}. */
    public void begin(ByteBuf in, int offset, int length) {
        this.in = in;
        this.offset = offset;
        this.length = length;
    }

    /** Ends the text; what was found in it is forgotten. */
    public void end() {
        in = null;
        places = null;
        count = 0;
    }

    /**
     * Finds the member of an object.
     *
     * @param json a parser of the text, at the name of the object's first member, which is another one
     * @return null if there is none
     */
    public Member find(JsonParser json) throws IOException {
        if (places == null) {
            read();
        }
        if (count == 0) {
            return null;
        }
        long first = json.currentTokenLocation().getByteOffset();
        int place = -Arrays.binarySearch(places, 0, count, first << Integer.SIZE) - 1;
        if (place == count || places[place] >>> Integer.SIZE != first) {
            return null;
        }
        int at = offset + (int) places[place];
        return in.getByte(at) == '"' ? text(at) : new Member(null, other(at));
    }

    private Member text(int at) throws IOException {
        try (JsonParser value = JsonValues.checkedParser(in, at, offset + length - at)) {
            value.nextToken();
            return new Member(value.getText(), null);
        }
    }

    /** Returns what is no text: a number, a literal, or that it is an object or an array. */
    private String other(int at) {
        int end = at;
        while (",}] \t\r\n".indexOf(in.getByte(end)) < 0) {
            end++;
        }
        return switch (in.getByte(at)) {
            case '{' -> "{...}";
            case '[' -> "[...]";
            default -> in.toString(at, end - at, US_ASCII);
        };
    }

    private void read() throws IOException {
        places = new long[0];
        if (!mayHaveAny()) {
            return;
        }
        if (!in.hasArray()) {
            in = Unpooled.wrappedBuffer(ByteBufUtil.getBytes(in, offset, length));
            offset = 0;
        }
        try (JsonParser json = JsonValues.checkedParser(in, offset, length)) {
            read(json);
        }
        Arrays.sort(places, 0, count);
    }

    /** Returns false of a text that has no member of this name, however it is written. */
    private boolean mayHaveAny() {
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            byte b = in.getByte(i);
            if (b == '\\' && i + 1 < end && in.getByte(i + 1) == 'u' || b == '"' && isQuoted(i, end)) {
                return true;
            }
        }
        return false;
    }

    private boolean isQuoted(int at, int end) {
        if (end - at < QUOTED.length) {
            return false;
        }
        for (int i = 1; i < QUOTED.length; i++) {
            if (in.getByte(at + i) != QUOTED[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads all tokens; the parser bounds how deep objects are within each other. */
    private void read(JsonParser json) throws IOException {
        // For each object around the current token, where its first member is; -1 when its class was found.
        long[] firsts = new long[JsonWriter.MAX_DEPTH + 1];
        int depth = 0;
        JsonToken before = null;
        for (JsonToken token = json.nextToken(); token != null; before = token, token = json.nextToken()) {
            if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                firsts[depth++] = -1;
            } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
                depth--;
            } else if (token == JsonToken.FIELD_NAME) {
                boolean isClass = json.currentName().equals(JsonValues.CLASS);
                if (before == JsonToken.START_OBJECT && !isClass) {
                    firsts[depth - 1] = json.currentTokenLocation().getByteOffset();
                } else if (isClass && firsts[depth - 1] >= 0) {
                    token = json.nextToken();
                    add(firsts[depth - 1], json.currentTokenLocation().getByteOffset());
                    firsts[depth - 1] = -1;
                    if (token.isStructStart()) {
                        firsts[depth++] = -1;
                    }
                }
            }
        }
    }

    private void add(long first, long place) {
        if (count == places.length) {
            places = Arrays.copyOf(places, Math.max(FIRST_PLACES, 2 * count));
        }
        places[count++] = first << Integer.SIZE | place;
    }
}
