package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.type.JavaType;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.stream.Collectors;

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

    private static final BigDecimal MOST_FLOAT = new BigDecimal("3.4028235e38");
    /** About the largest numbers that are rounded to the largest float and double, and not to infinity. */
    private static final BigDecimal MOST_ROUNDED_FLOAT = new BigDecimal("340282356779733661637539395458142568447.9");

    private static final BigDecimal MOST_ROUNDED_DOUBLE = new BigDecimal("1.797693134862315807e308");
    /** The codes that the JDK knows, as a regular expression: other texts of three letters are refused. */
    private static final String CURRENCIES = Currency.getAvailableCurrencies().stream()
            .map(Currency::getCurrencyCode)
            .sorted()
            .collect(Collectors.joining("|", "^(", ")$"));

    private static final String DECIMAL = "[+-]?([0-9]{1,%1$d}([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,%2$d})?";

    /** Returns the ways in which a result is written. */
    static List<ScalarSchema> ofResult(JavaType type, SchemaForms forms) {
        ScalarSchema usual = switch (type.kind()) {
            case CHAR -> new ScalarSchema("string", "\"minLength\":1,\"maxLength\":1");
            case BYTES -> new ScalarSchema("string", BASE64);
            case TIME -> new ScalarSchema("string", formatOfTime(type.className()));
            default -> usual(type, ValueLimits.NONE, forms);
        };
        boolean isFloat = type.kind() == JavaType.Kind.FLOAT || type.kind() == JavaType.Kind.DOUBLE;
        return isFloat && forms == SchemaForms.ALL ? List.of(usual, NOT_FINITE) : List.of(usual);
    }

    /** Returns the ways in which an argument may be written. */
    static List<ScalarSchema> ofArgument(JavaType type, SchemaForms forms, ValueLimits limits) {
        List<ScalarSchema> schemas = new ArrayList<>(List.of(usual(type, limits, forms)));
        if (forms == SchemaForms.ALL) {
            addOthers(type, limits, schemas);
        }
        return schemas;
    }

    /** Returns the schema of a byte, which may be without a sign, or of a char in an array of such. */
    static ScalarSchema ofElement(JavaType array) {
        return array.kind() == JavaType.Kind.BYTES
                ? whole("int16", Byte.MIN_VALUE, 2 * Byte.MAX_VALUE + 1, ValueLimits.NONE)
                : new ScalarSchema("string", ONE_CHARACTER);
    }

    /** Returns the ways in which the key of a map may be written as text; none if it cannot. */
    static List<ScalarSchema> ofKey(JavaType type) {
        return switch (type.kind()) {
            case STRING, CHAR -> List.of(usual(type, ValueLimits.NONE, SchemaForms.ALL));
            case BOOLEAN -> List.of(text("^(true|false)$"));
            default ->
                ofArgument(type, SchemaForms.ALL, ValueLimits.NONE).stream()
                        .filter(schema -> schema.type.equals("string")
                                && type.kind() != JavaType.Kind.BYTES
                                && type.kind() != JavaType.Kind.CHARS)
                        .toList();
        };
    }

    private static ScalarSchema usual(JavaType type, ValueLimits limits, SchemaForms forms) {
        return switch (type.kind()) {
            case CHAR -> new ScalarSchema("string", ONE_CHARACTER);
            case BOOLEAN -> new ScalarSchema("boolean", "");
            case BYTE -> whole("int8", Byte.MIN_VALUE, Byte.MAX_VALUE, limits);
            case SHORT -> whole("int16", Short.MIN_VALUE, Short.MAX_VALUE, limits);
            case INT -> whole("int32", Integer.MIN_VALUE, Integer.MAX_VALUE, limits);
            case LONG -> whole("int64", Long.MIN_VALUE, Long.MAX_VALUE, limits);
            case FLOAT ->
                number(
                        "number",
                        "\"format\":\"float\"",
                        limits.membersOfNumber(forms == SchemaForms.ALL ? MOST_ROUNDED_FLOAT : MOST_FLOAT));
            // Generators that compute examples between these bounds fail at a difference that no double can have.
            case DOUBLE ->
                number(
                        "number",
                        "\"format\":\"double\"",
                        limits.membersOfNumber(forms == SchemaForms.ALL ? MOST_ROUNDED_DOUBLE : null));
            case BIG_INTEGER -> number("integer", "\"format\":\"big-integer\"", limits.membersOfNumber(null));
            case BIG_DECIMAL -> number("number", "\"format\":\"decimal\"", limits.membersOfNumber(null));
            case STRING -> new ScalarSchema("string", limits.membersOfText());
            case DATE -> new ScalarSchema("string", DATE_TIME);
            case TIME -> time(type.className());
            case TEXT -> textOfJdk(type.className(), forms);
            case BYTES -> new ScalarSchema("string", BASE64 + ',' + BASE64_PATTERN);
            default -> new ScalarSchema("string", "");
        };
    }

    private static ScalarSchema whole(String format, long least, long greatest, ValueLimits limits) {
        return new ScalarSchema(
                "integer",
                "\"format\":\"" + format + "\",\"minimum\":" + limits.least(BigInteger.valueOf(least)) + ",\"maximum\":"
                        + limits.greatest(BigInteger.valueOf(greatest)));
    }

    private static ScalarSchema number(String type, String format, String bounds) {
        return new ScalarSchema(type, bounds.isEmpty() ? format : format + ',' + bounds);
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

    private static ScalarSchema textOfJdk(String className, SchemaForms forms) {
        return switch (className) {
            case "java.util.UUID" -> new ScalarSchema("string", UUID_FORMAT);
            case "java.util.Locale" -> text(LOCALE);
            case "java.util.Currency" -> text(CURRENCIES);
            // Java takes letters of all languages.
            case "java.net.URI" ->
                new ScalarSchema(
                        "string",
                        forms == SchemaForms.ALL ? "\"format\":\"iri-reference\"" : "\"format\":\"uri-reference\"");
            default -> new ScalarSchema("string", "");
        };
    }

    private static ScalarSchema text(String pattern) {
        return new ScalarSchema("string", pattern(pattern));
    }

    private static String pattern(String pattern) {
        return SchemaText.pattern(pattern);
    }

    private static void addOthers(JavaType type, ValueLimits limits, List<ScalarSchema> schemas) {
        switch (type.kind()) {
            case BOOLEAN -> {
                schemas.add(new ScalarSchema("integer", "\"enum\":[0,1]"));
                schemas.add(text("^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|[01])$"));
            }
            case BYTE -> addWhole(Byte.MIN_VALUE, Byte.MAX_VALUE, limits, schemas);
            case SHORT -> addWhole(Short.MIN_VALUE, Short.MAX_VALUE, limits, schemas);
            case INT -> addWhole(Integer.MIN_VALUE, Integer.MAX_VALUE, limits, schemas);
            case LONG -> addWhole(Long.MIN_VALUE, Long.MAX_VALUE, limits, schemas);
            case BIG_INTEGER -> addNumbers("[+-]?[0-9]+", limits, schemas);
            case BIG_DECIMAL -> addNumbers(String.format(DECIMAL, 900, 9), limits, schemas);
            // Only some numbers with a larger exponent fit.
            case FLOAT -> {
                addNumbers(String.format(DECIMAL, 28, 1), limits, schemas);
                schemas.add(NOT_FINITE);
            }
            case DOUBLE -> {
                addNumbers(String.format(DECIMAL, 200, 2), limits, schemas);
                schemas.add(NOT_FINITE);
            }
            case DATE -> {
                schemas.add(text(TimePatterns.otherMoments(type.className())));
                schemas.add(whole("int64", Long.MIN_VALUE, Long.MAX_VALUE, ValueLimits.NONE));
            }
            case TIME -> addTimes(type.className(), schemas);
            case CHARS, BYTES, STRING, CHAR, TEXT -> {}
            default -> throw new IllegalArgumentException(type.kind().toString());
        }
    }

    private static void addWhole(long ofType, long toType, ValueLimits limits, List<ScalarSchema> schemas) {
        BigInteger least = limits.least(BigInteger.valueOf(ofType));
        BigInteger greatest = limits.greatest(BigInteger.valueOf(toType));
        if (least.compareTo(greatest) <= 0) {
            schemas.add(
                    new ScalarSchema("string", LONGEST_NUMBER + pattern(WholeNumberPattern.between(least, greatest))));
        }
    }

    /** A pattern does not tell whether the number in a text keeps to bounds, so that none is described then. */
    private static void addNumbers(String pattern, ValueLimits limits, List<ScalarSchema> schemas) {
        if (!limits.areOfNumber()) {
            schemas.add(new ScalarSchema("string", LONGEST_NUMBER + pattern('^' + pattern + '$')));
        }
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
