package io.dubbomesh.protocol.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.dubbomesh.protocol.Quoted;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.math.BigDecimal;

/** Copies JSON to another format, token by token. */
public final class JsonValues {
    private static final JsonFactory JSON = JsonFactory.builder()
            // Names come from clients: they must not fill a table that outlives the request.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(JsonWriter.MAX_DEPTH)
                    .build())
            .build();

    /** The member that names the class of an object, in JSON and in the arguments and results of generic calls. */
    public static final String CLASS = "class";

    private JsonValues() {}

    /**
     * Returns a parser of the UTF-8 text {@code in[offset, offset + length)}, which is copied if it is not on the heap.
     */
    public static JsonParser parser(ByteBuf in, int offset, int length) throws IOException {
        // The parser itself takes a NUL as a sign of UTF-16 or UTF-32 and accepts some malformed UTF-8.
        for (int i = 0; i < Math.min(length, 2); i++) {
            if (in.getByte(offset + i) == 0) {
                throw notUtf8();
            }
        }
        try {
            Utf8.require(in, offset, length);
        } catch (MalformedValueException e) {
            throw notUtf8();
        }
        return checkedParser(in, offset, length);
    }

    /** Returns a parser of a text, or of a part of one, for which there has been a {@link #parser}. */
    static JsonParser checkedParser(ByteBuf in, int offset, int length) throws IOException {
        if (in.hasArray()) {
            return JSON.createParser(in.array(), in.arrayOffset() + offset, length);
        }
        byte[] bytes = new byte[length];
        in.getBytes(offset, bytes);
        return JSON.createParser(bytes, 0, length);
    }

    private static JsonParseException notUtf8() {
        return new JsonParseException(null, "text that is not UTF-8");
    }

    /**
     * Writes the value whose first token is the parser's current one, up to its last token. Whole numbers become int,
     * long or BigInteger, whichever is the first to hold them; others become a double if that has all their digits,
     * else a BigDecimal: 1.5 is a double and 1.50 is not.
     */
    public static void copy(JsonParser json, ValueWriter out) throws IOException {
        copy(json, out, true);
    }

    /**
     * Copies a value like {@link #copy(JsonParser, ValueWriter)}, for a provider that makes objects of the classes that
     * it names.
     *
     * @throws IllegalArgumentException if an object names its class
     */
    public static void copyWithoutClasses(JsonParser json, ValueWriter out) throws IOException {
        copy(json, out, false);
    }

    private static void copy(JsonParser json, ValueWriter out, boolean classes) throws IOException {
        JsonToken token = json.currentToken();
        if (token == null) {
            throw new JsonParseException(json, "a value is missing");
        }
        switch (token) {
            case VALUE_NULL -> out.writeNull();
            case VALUE_TRUE -> out.writeBoolean(true);
            case VALUE_FALSE -> out.writeBoolean(false);
            case VALUE_STRING -> out.writeString(json.getText());
            case VALUE_NUMBER_INT -> copyWhole(json, out);
            case VALUE_NUMBER_FLOAT -> copyDecimal(json, out);
            case START_ARRAY -> {
                int begin = out.beginList();
                int length = 0;
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    copy(json, out, classes);
                    length++;
                }
                out.endList(begin, length);
            }
            case START_OBJECT -> {
                out.beginMap();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    if (!classes && name.equals(CLASS)) {
                        requireNoClassName(json);
                    }
                    out.writeKey(name);
                    copy(json, out, classes);
                }
                out.endMap();
            }
            default -> throw new JsonParseException(json, "no value begins with " + token);
        }
    }

    /**
     * Some providers instantiate any class that the member {@code class} of a map names, whose value is the current
     * one.
     */
    public static void requireNoClassName(JsonParser json) throws IOException {
        if (isClassName(json)) {
            throw new IllegalArgumentException("class " + Quoted.text(json.getText())
                    + " (expected: none, since only the provider knows this type: name its class files)");
        }
    }

    /** Returns whether the current value can be the name of a class: a text with a dot. */
    public static boolean isClassName(JsonParser json) throws IOException {
        return json.currentToken() == JsonToken.VALUE_STRING && isClassName(json.getText());
    }

    /** Returns whether a text can be the name of a class: whether it has a dot. */
    public static boolean isClassName(String text) {
        return text.indexOf('.') >= 0;
    }

    private static void copyWhole(JsonParser json, ValueWriter out) throws IOException {
        switch (json.getNumberType()) {
            case INT -> out.writeInt(json.getIntValue());
            case LONG -> out.writeLong(json.getLongValue());
            default -> out.writeBigInteger(json.getBigIntegerValue());
        }
    }

    private static void copyDecimal(JsonParser json, ValueWriter out) throws IOException {
        BigDecimal decimal;
        try {
            decimal = json.getDecimalValue();
        } catch (NumberFormatException e) {
            throw new JsonParseException(json, "a number whose exponent is out of range");
        }
        // A BigDecimal has no -0.0.
        boolean negative = json.getTextCharacters()[json.getTextOffset()] == '-';
        double value = decimal.signum() == 0 && negative ? -0.0 : decimal.doubleValue();
        BigDecimal exact = Double.isFinite(value) ? BigDecimal.valueOf(value) : null;
        if (exact != null && exact.compareTo(decimal) == 0 && decimal.scale() <= exact.scale()) {
            out.writeDouble(value);
        } else {
            out.writeBigDecimal(decimal);
        }
    }
}
