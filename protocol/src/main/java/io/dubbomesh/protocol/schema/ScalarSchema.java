package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.type.JavaType;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * One way in which the value of a scalar can be written.
 *
 * @param type    in the terms of JSON Schema
 * @param members what else there is to say, as JSON without the braces around it; empty for nothing
 */
record ScalarSchema(String type, String members) {
    private static final ScalarSchema NOT_FINITE =
            new ScalarSchema("string", "\"enum\":[\"NaN\",\"Infinity\",\"-Infinity\"]");
    private static final String UUID_FORMAT = "\"format\":\"uuid\"";
    private static final String DATE_TIME = "\"format\":\"date-time\"";
    private static final String BASE64 = "\"format\":\"byte\",\"contentEncoding\":\"base64\"";
    private static final String BASE64_PATTERN =
            "\"pattern\":\"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$\"";
    private static final String ONE_CHARACTER =
            "\"minLength\":1,\"maxLength\":1,\"pattern\":\"^[\\\\u0000-\\\\uFFFF]$\"";
    private static final String LOCALE = "^([a-zA-Z]{2,8})?([_-]([a-zA-Z]{2}|[0-9]{3})?([_-][A-Za-z0-9_]+)?)?$";
    /** The text of a longer number is refused. */
    private static final String LONGEST_NUMBER = "\"maxLength\":1000,";

    private static final String DECIMAL = "[+-]?([0-9]{1,%1$d}([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,%2$d})?";

    /** Returns the ways in which a result is written. */
    static List<ScalarSchema> ofResult(JavaType type, SchemaForms forms) {
        ScalarSchema usual = switch (type.kind()) {
            case CHAR -> new ScalarSchema("string", "\"minLength\":1,\"maxLength\":1");
            case BYTES -> new ScalarSchema("string", BASE64);
            case TIME -> new ScalarSchema("string", formatOfTime(type.className()));
            default -> canonical(type);
        };
        boolean isFloat = type.kind() == JavaType.Kind.FLOAT || type.kind() == JavaType.Kind.DOUBLE;
        return isFloat && forms == SchemaForms.ALL ? List.of(usual, NOT_FINITE) : List.of(usual);
    }

    /** Returns the ways in which an argument may be written. */
    static List<ScalarSchema> ofArgument(JavaType type, SchemaForms forms) {
        List<ScalarSchema> schemas = new ArrayList<>(List.of(canonical(type)));
        if (forms == SchemaForms.ALL) {
            addOthers(type, schemas);
        }
        return schemas;
    }

    /** Returns the schema of a byte, which may be without a sign, or of a char in an array of such. */
    static ScalarSchema ofElement(JavaType array) {
        return array.kind() == JavaType.Kind.BYTES
                ? whole("int16", Byte.MIN_VALUE, 2 * Byte.MAX_VALUE + 1)
                : new ScalarSchema("string", ONE_CHARACTER);
    }

    /** Returns the ways in which the key of a map may be written as text; none if it cannot. */
    static List<ScalarSchema> ofKey(JavaType type) {
        return switch (type.kind()) {
            case STRING, CHAR -> List.of(canonical(type));
            case BOOLEAN -> List.of(text("^(true|false)$"));
            default ->
                ofArgument(type, SchemaForms.ALL).stream()
                        .filter(schema -> schema.type.equals("string")
                                && type.kind() != JavaType.Kind.BYTES
                                && type.kind() != JavaType.Kind.CHARS)
                        .toList();
        };
    }

    private static ScalarSchema canonical(JavaType type) {
        return switch (type.kind()) {
            case CHAR -> new ScalarSchema("string", ONE_CHARACTER);
            case BOOLEAN -> new ScalarSchema("boolean", "");
            case BYTE -> whole("int8", Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SHORT -> whole("int16", Short.MIN_VALUE, Short.MAX_VALUE);
            case INT -> whole("int32", Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> whole("int64", Long.MIN_VALUE, Long.MAX_VALUE);
            case FLOAT ->
                new ScalarSchema("number", "\"format\":\"float\",\"minimum\":-3.4028235e38,\"maximum\":3.4028235e38");
            case DOUBLE ->
                new ScalarSchema(
                        "number",
                        "\"format\":\"double\",\"minimum\":-1.7976931348623157e308,\"maximum\":1.7976931348623157e308");
            case BIG_INTEGER -> new ScalarSchema("integer", "");
            case BIG_DECIMAL -> new ScalarSchema("number", "\"format\":\"decimal\"");
            case DATE -> new ScalarSchema("string", DATE_TIME);
            case TIME -> time(type.className());
            case TEXT -> textOfJdk(type.className());
            case BYTES -> new ScalarSchema("string", BASE64 + ',' + BASE64_PATTERN);
            default -> new ScalarSchema("string", "");
        };
    }

    private static ScalarSchema whole(String format, long least, long greatest) {
        return new ScalarSchema(
                "integer", "\"format\":\"" + format + "\",\"minimum\":" + least + ",\"maximum\":" + greatest);
    }

    private static ScalarSchema time(String className) {
        String format = formatOfTime(className);
        String pattern = TimePatterns.of(className);
        return new ScalarSchema("string", !format.isEmpty() || pattern == null ? format : pattern(pattern));
    }

    /** Returns the format that a text of this class always has. */
    private static String formatOfTime(String className) {
        return switch (className) {
            case "java.time.Instant" -> DATE_TIME;
            case "java.time.LocalDate" -> "\"format\":\"date\"";
            default -> "";
        };
    }

    private static ScalarSchema textOfJdk(String className) {
        return switch (className) {
            case "java.util.UUID" -> new ScalarSchema("string", UUID_FORMAT);
            case "java.util.Locale" -> text(LOCALE);
            case "java.util.Currency" -> text("^[A-Z]{3}$");
            case "java.net.URI" -> new ScalarSchema("string", "\"format\":\"uri-reference\"");
            default -> new ScalarSchema("string", "");
        };
    }

    private static ScalarSchema text(String pattern) {
        return new ScalarSchema("string", pattern(pattern));
    }

    private static String pattern(String pattern) {
        return "\"pattern\":\"" + pattern.replace("\\", "\\\\") + '"';
    }

    private static void addOthers(JavaType type, List<ScalarSchema> schemas) {
        switch (type.kind()) {
            case BOOLEAN -> {
                schemas.add(new ScalarSchema("integer", "\"enum\":[0,1]"));
                schemas.add(text("^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|[01])$"));
            }
            case BYTE -> schemas.add(wholeText(Byte.MIN_VALUE, Byte.MAX_VALUE));
            case SHORT -> schemas.add(wholeText(Short.MIN_VALUE, Short.MAX_VALUE));
            case INT -> schemas.add(wholeText(Integer.MIN_VALUE, Integer.MAX_VALUE));
            case LONG -> schemas.add(wholeText(Long.MIN_VALUE, Long.MAX_VALUE));
            case BIG_INTEGER -> schemas.add(numberText("[+-]?[0-9]+"));
            case BIG_DECIMAL -> schemas.add(numberText(String.format(DECIMAL, 900, 9)));
            // Only some numbers with a larger exponent fit.
            case FLOAT -> addDecimals(schemas, 28, 1);
            case DOUBLE -> addDecimals(schemas, 200, 2);
            case DATE -> {
                schemas.add(text(TimePatterns.otherMoments(type.className())));
                schemas.add(whole("int64", Long.MIN_VALUE, Long.MAX_VALUE));
            }
            case TIME -> addTimes(type.className(), schemas);
            case CHARS, BYTES, STRING, CHAR, TEXT -> {}
            default -> throw new IllegalArgumentException(type.kind().toString());
        }
    }

    private static void addDecimals(List<ScalarSchema> schemas, int digits, int exponentDigits) {
        schemas.add(numberText(String.format(DECIMAL, digits, exponentDigits)));
        schemas.add(NOT_FINITE);
    }

    private static ScalarSchema wholeText(long least, long greatest) {
        String pattern = WholeNumberPattern.between(BigInteger.valueOf(least), BigInteger.valueOf(greatest));
        return new ScalarSchema("string", LONGEST_NUMBER + pattern(pattern));
    }

    private static ScalarSchema numberText(String pattern) {
        return new ScalarSchema("string", LONGEST_NUMBER + pattern('^' + pattern + '$'));
    }

    private static void addTimes(String className, List<ScalarSchema> schemas) {
        String pattern = TimePatterns.of(className);
        if (!formatOfTime(className).isEmpty()) {
            schemas.add(text(pattern));
        }
        String others = TimePatterns.otherForms(className);
        if (others != null) {
            schemas.add(text(others));
        }
        if (className.equals("java.time.Year")) {
            schemas.add(new ScalarSchema("integer", "\"minimum\":-999999999,\"maximum\":999999999"));
        }
    }

    /** Writes the schema with null as another type, if that is possible. */
    void write(JsonGenerator json, boolean nullable) throws IOException {
        String types = nullable ? "[\"" + type + "\",\"null\"]" : '"' + type + '"';
        json.writeRawValue("{\"type\":" + types + (members.isEmpty() ? "" : ',' + members) + '}');
    }
}
