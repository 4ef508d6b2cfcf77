package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.value.ValueWriter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.Base64;

/**
 * Values that hold no others, from JSON or, as keys of a map and in forms, from text; bytes, chars and constants may be
 * more than one token.
 */
final class ScalarJson {
    private static final int MAX_UNSIGNED_BYTE = 0xff;

    private ScalarJson() {}

    /**
     * Writes the parser's current value, which is not null, and no constant of an enum; returns false if it does not
     * fit the type.
     *
     * @throws IllegalArgumentException if the writer's format has no such value
     */
    static boolean write(ValueWriter out, JavaType type, JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        boolean isText = token == JsonToken.VALUE_STRING;
        return switch (type.kind()) {
            case STRING -> isText && writeString(out, json.getText());
            case CHAR -> isText && ScalarText.write(out, type.kind(), json.getText());
            case BOOLEAN -> token.isScalarValue() && writeBoolean(out, withoutFraction(json));
            case DATE -> isText ? writeDate(out, type, json.getText()) : writeMillis(out, type, json);
            case TIME ->
                isYear(type, token)
                        ? writeTime(out, type, ScalarText.withoutFraction(json.getText()))
                        : isText && writeTime(out, type, json.getText());
            case TEXT -> isText && writeText(out, type.className(), json.getText());
            case BYTES -> isText ? writeBytes(out, json.getText()) : writeByteList(out, json);
            case CHARS -> isText ? writeString(out, json.getText()) : writeChars(out, json);
            default -> token.isScalarValue() && !token.isBoolean() && writeNumber(out, type.kind(), json);
        };
    }

    /** Returns the type that was expected of a value, with its range or its forms. */
    static String expected(JavaType type) {
        return type.name()
                + switch (type.kind()) {
                    case DATE ->
                        switch (type.className()) {
                                    case "java.sql.Date" -> ", as 2026-11-21";
                                    case "java.sql.Time" -> ", as 10:00:00";
                                    default -> "";
                                }
                                + ", as 2026-11-21T10:00:00Z, as 2026-11-21 10:00:00, or in milliseconds since 1970";
                    case TIME -> ", as " + TimeText.example(type.className());
                    case TEXT -> ", as " + JdkText.example(type.className());
                    case ENUM ->
                        ", one of " + String.join(", ", type.definition().constants());
                    case BYTES -> ", as base64 or a list of numbers";
                    case BYTE -> range(Byte.MIN_VALUE, Byte.MAX_VALUE);
                    case SHORT -> range(Short.MIN_VALUE, Short.MAX_VALUE);
                    case INT -> range(Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case LONG -> range(Long.MIN_VALUE, Long.MAX_VALUE);
                    default -> "";
                };
    }

    private static String range(long least, long greatest) {
        return ", " + least + " to " + greatest;
    }

    /** Writes a text without quotes, such as a key of a map, as {@link #write} writes a string. */
    static boolean writeText(ValueWriter out, JavaType type, String text) {
        return switch (type.kind()) {
            case DATE -> writeDate(out, type, text);
            case TIME -> writeTime(out, type, text);
            case TEXT -> writeText(out, type.className(), text);
            default -> type.kind().isText() && ScalarText.write(out, type.kind(), text);
        };
    }

    private static boolean writeText(ValueWriter out, String className, String text) {
        String value = JdkText.parse(className, text);
        if (value != null) {
            out.writeText(className, value);
        }
        return value != null;
    }

    private static boolean writeString(ValueWriter out, String text) {
        out.writeString(text);
        return true;
    }

    /**
     * Writes a text that Dubbo itself converts, in any case and from 1 and 0, but nothing else: it takes every other
     * text for false.
     */
    private static boolean writeBoolean(ValueWriter out, String text) {
        boolean value = text.equalsIgnoreCase("true") || text.equals("1");
        if (!value && !text.equalsIgnoreCase("false") && !text.equals("0")) {
            return false;
        }
        out.writeBoolean(value);
        return true;
    }

    /** Returns the text of a scalar, of a number without a fraction of zero. */
    private static String withoutFraction(JsonParser json) throws IOException {
        return json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
                ? ScalarText.withoutFraction(json.getText())
                : json.getText();
    }

    /** Programs that know only one type of number write 7.0 for 7. */
    private static boolean writeNumber(ValueWriter out, JavaType.Kind kind, JsonParser json) throws IOException {
        boolean isWhole = json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT && kind.isWhole();
        return ScalarText.write(out, kind, isWhole ? ScalarText.withoutFraction(json.getText()) : json.getText());
    }

    /** Milliseconds since 1970-01-01T00:00Z. */
    private static boolean writeMillis(ValueWriter out, JavaType type, JsonParser json) throws IOException {
        if (!json.currentToken().isNumeric()) {
            return false;
        }
        try {
            out.writeDate(type.className(), Long.parseLong(ScalarText.withoutFraction(json.getText())));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean writeDate(ValueWriter out, JavaType type, String text) {
        try {
            out.writeDate(
                    type.className(), TimeText.moment(type.className(), text).toEpochMilli());
            return true;
        } catch (DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    private static boolean isYear(JavaType type, JsonToken token) {
        return token.isNumeric() && type.className().equals("java.time.Year");
    }

    private static boolean writeTime(ValueWriter out, JavaType type, String text) {
        if (TimeText.isNull(type.className(), text)) {
            out.writeNull();
            return true;
        }
        Object time = TimeText.parse(type.className(), text);
        if (time != null) {
            out.writeTime(time);
        }
        return time != null;
    }

    /**
     * Returns the name of an enum's constant: text, or as the provider accepts it in a generic call an object whose one
     * member it is; else null.
     */
    static String constant(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        if (json.currentToken() != JsonToken.START_OBJECT
                || json.nextToken() != JsonToken.FIELD_NAME
                || !json.currentName().equals("name")
                || json.nextToken() != JsonToken.VALUE_STRING) {
            return null;
        }
        String constant = json.getText();
        return json.nextToken() == JsonToken.END_OBJECT ? constant : null;
    }

    private static boolean writeBytes(ValueWriter out, String text) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
        out.writeBinary(bytes);
        return true;
    }

    /** Writes a list of bytes as the provider takes them in a generic call, signed or not. */
    private static boolean writeByteList(ValueWriter out, JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return false;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            int value = whole(json);
            if (value < Byte.MIN_VALUE || value > MAX_UNSIGNED_BYTE) {
                return false;
            }
            bytes.write(value);
        }
        out.writeBinary(bytes.toByteArray());
        return true;
    }

    /** Returns the current value, which may have a fraction of zero; the largest int if it is no int. */
    private static int whole(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return json.getNumberType() == JsonParser.NumberType.INT ? json.getIntValue() : Integer.MAX_VALUE;
        }
        try {
            return json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
                    ? Integer.parseInt(withoutFraction(json))
                    : Integer.MAX_VALUE;
        } catch (NumberFormatException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** A list of single characters; Hessian has only text for {@code char[]}. */
    private static boolean writeChars(ValueWriter out, JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return false;
        }
        StringBuilder text = new StringBuilder();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_STRING || json.getTextLength() != 1) {
                return false;
            }
            text.append(json.getText());
        }
        return writeString(out, text.toString());
    }
}
