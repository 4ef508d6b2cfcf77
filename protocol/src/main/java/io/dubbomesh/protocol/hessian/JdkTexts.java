package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;

/** Reads objects of the JDK that represent one text. */
final class JdkTexts {
    private static final int MAX_NAME = 32;
    /** The time of an object with the table of its fields, in nanoseconds. */
    private static final int NS_PER_OBJECT = 200;

    private final HessianReader reader;
    private final int maxChars;

    JdkTexts(HessianReader reader, int maxChars) {
        this.reader = reader;
        this.maxChars = maxChars;
    }

    /** Reads the fields of an object of this class definition. */
    String read(int definition) throws MalformedValueException {
        reader.time.charge(NS_PER_OBJECT);
        int name = reader.classes.nameOf(definition);
        Map<String, Object> fields = readFields(definition);
        if (reader.classes.nameEquals(name, Shape.URL)) {
            return url(fields);
        }
        if (reader.classes.nameEquals(name, Shape.UUID_CLASS)) {
            return new UUID(number(fields, "mostSigBits"), number(fields, "leastSigBits")).toString();
        }
        return reader.classes.nameEquals(name, Shape.LOCALE) ? locale(fields) : chars(fields);
    }

    private Map<String, Object> readFields(int definition) throws MalformedValueException {
        Map<String, Object> fields = new HashMap<>();
        for (String name : reader.fieldNames(definition, MAX_NAME)) {
            switch (reader.peek()) {
                case STRING -> fields.put(name, reader.readString(maxChars));
                case INT, LONG -> fields.put(name, reader.readLong());
                case BINARY -> {
                    ByteBuf bytes = Unpooled.buffer();
                    reader.readBinary(bytes);
                    fields.put(name, bytes);
                }
                default -> reader.skip();
            }
        }
        return fields;
    }

    private static String url(Map<String, Object> fields) {
        String authority = text(fields, "authority");
        String ref = text(fields, "ref");
        return text(fields, "protocol")
                + ':'
                + (authority.isEmpty() ? "" : "//" + authority)
                + text(fields, "file")
                + (ref.isEmpty() ? "" : '#' + ref);
    }

    private static String locale(Map<String, Object> fields) {
        String variant = text(fields, "variant");
        String country = text(fields, "country");
        String end = variant.isEmpty() ? "" : '_' + variant;
        return text(fields, "language") + (country.isEmpty() && end.isEmpty() ? "" : '_' + country + end);
    }

    /**
     * A StringBuilder's or StringBuffer's: chars on JDK 8, bytes later; in both cases the array can be longer than the
     * text.
     */
    private String chars(Map<String, Object> fields) throws MalformedValueException {
        String all;
        if (fields.get("value") instanceof ByteBuf bytes) {
            // UTF-16 in the byte order of the provider's processor, which is little-endian on all that are common.
            all = bytes.toString(number(fields, "coder") == 0 ? ISO_8859_1 : UTF_16LE);
        } else {
            all = text(fields, "value");
        }
        long count = number(fields, "count");
        if (count < 0 || count > all.length()) {
            throw reader.cursor.malformed("a text of " + count + " chars, of " + all.length());
        }
        return all.substring(0, (int) count);
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    private long number(Map<String, Object> fields, String name) throws MalformedValueException {
        if (fields.get(name) instanceof Long number) {
            return number;
        }
        throw reader.cursor.malformed("no number " + name);
    }
}
