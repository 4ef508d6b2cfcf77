package io.dubbomesh.acceptance.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Random values around the bounds of a schema: most fit it or would, but for one part that is replaced by what is near
 * the bound, of another type, missing, or too much.
 */
final class RandomJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int MAX_DEPTH = 6;

    /** Texts that are something for some type: numbers, dates, bytes, and what is nearly one. */
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "a",
            "ab",
            "true",
            "FALSE",
            "0",
            "7",
            "-0",
            "+7",
            "007",
            "7.0",
            "7.5",
            "1e5",
            ".5",
            "5.",
            "1f",
            "0x1",
            "NaN",
            "-Infinity",
            "nan",
            "127",
            "128",
            "-129",
            "32767",
            "32768",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "RED",
            "red",
            "BLUE",
            "AAE=",
            "AAE",
            "A",
            "A-_=",
            "2026-11-21",
            "2026-1-1",
            "2026-02-29",
            "2024-02-29",
            "2026-04-31",
            "10:00:00",
            "10:00",
            "24:00",
            "23:59:59.999999999",
            "2026-11-21T10:00:00",
            "2026-11-21 10:00:00",
            "2026-11-21T10:00:00Z",
            "2026-11-21T10:00:00+02:00",
            "2026-11-21T10:00:00+02:00[Europe/Paris]",
            "2026-02-30T10:00:00Z",
            "PT5M",
            "P1D",
            "P1Y2M",
            "P",
            "-PT0.5S",
            "2026",
            "2026-11",
            "--11-21",
            "--02-30",
            "+01:00",
            "Z",
            "0f8fad5b-d9cb-469f-a165-70867728950e",
            "0f8fad5b-d9cb-469f-a165-7086772895",
            "EUR",
            "en_US",
            "en-US",
            "io.dubbomesh.demo.conformance.Person",
            "io.dubbomesh.demo.conformance.Employee",
            "io.dubbomesh.demo.conformance.Item",
            "java.lang.Object",
            "\u20ac",
            "\ud83d\ude00",
            "\u0000",
            "\n",
            "x".repeat(300));

    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "-1",
            "7",
            "7.0",
            "7e0",
            "7.5",
            "-0",
            "-0.0",
            "0.1",
            "1.10",
            "127",
            "128",
            "-128",
            "-129",
            "255",
            "256",
            "32767",
            "32768",
            "-32769",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "123456789012345678901234567890",
            "3.4028235e38",
            "3.5e38",
            "1e39",
            "1.7976931348623157e308",
            "1e-400",
            "1795255200000");

    private final Random random;
    private final JsonNode definitions;

    /** @param document with its {@code $defs} */
    RandomJson(long seed, JsonNode document) {
        random = new Random(seed);
        definitions = document.path("$defs");
    }

    /** Returns a value that mostly fits, or nearly does. */
    JsonNode around(JsonNode schema) {
        JsonNode value = fitting(schema, 0);
        int changes = random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            value = changed(value);
        }
        return value;
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private JsonNode fitting(JsonNode schema, int depth) {
        if (schema.has("$ref")) {
            String place = schema.get("$ref").asText();
            return fitting(definitions.get(place.substring(place.lastIndexOf('/') + 1)), depth);
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        for (String keyword : List.of("anyOf", "oneOf", "allOf")) {
            if (schema.path(keyword).size() > 0) {
                JsonNode variants = schema.get(keyword);
                // Deep down the last one, which is null or has no parts more often than others.
                int chosen = depth > MAX_DEPTH ? variants.size() - 1 : random.nextInt(variants.size());
                return fitting(variants.get(chosen), depth + 1);
            }
        }
        return switch (type(schema, depth)) {
            case "null" -> JSON.nullNode();
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "integer", "number" -> number(schema);
            case "string" -> text(schema);
            case "array" -> array(schema, depth);
            case "object" -> object(schema, depth);
            default -> any(depth);
        };
    }

    private String type(JsonNode schema, int depth) {
        JsonNode type = schema.path("type");
        if (type.isTextual()) {
            return type.asText();
        }
        List<String> names = new ArrayList<>();
        type.forEach(name -> names.add(name.asText()));
        if (names.isEmpty()) {
            return schema.has("prefixItems") || schema.has("items")
                    ? "array"
                    : schema.has("properties") ? "object" : schema.has("pattern") ? "string" : "any";
        }
        return depth > MAX_DEPTH && names.contains("null") ? "null" : oneOf(names);
    }

    private JsonNode number(JsonNode schema) {
        List<JsonNode> bounds = new ArrayList<>();
        for (String keyword : List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")) {
            if (schema.has(keyword)) {
                bounds.add(schema.get(keyword));
            }
        }
        if (!bounds.isEmpty() && random.nextInt(3) == 0) {
            BigDecimal bound = oneOf(bounds).decimalValue();
            return JSON.numberNode(bound.add(BigDecimal.valueOf(random.nextInt(3) - 1L)));
        }
        if (schema.path("type").asText().equals("integer") || random.nextBoolean()) {
            return JSON.numberNode(BigInteger.valueOf(random.nextInt(200) - 100L));
        }
        return JSON.numberNode(new BigDecimal(oneOf(NUMBERS)));
    }

    /** Returns one of the texts that fit, if there is one. */
    private JsonNode text(JsonNode schema) {
        Pattern pattern =
                schema.has("pattern") ? Pattern.compile(schema.get("pattern").asText()) : null;
        List<String> fitting = TEXTS.stream()
                .filter(text -> pattern == null || pattern.matcher(text).find())
                .filter(text -> !schema.has("format")
                        || isOfFormat(text, schema.get("format").asText()))
                .toList();
        if (schema.has("minLength") || schema.has("maxLength")) {
            int length = schema.path(random.nextBoolean() ? "minLength" : "maxLength")
                    .asInt(3);
            return JSON.textNode("x".repeat(Math.max(0, Math.min(length, 1000) + random.nextInt(3) - 1)));
        }
        return JSON.textNode(fitting.isEmpty() ? oneOf(TEXTS) : oneOf(fitting));
    }

    private static boolean isOfFormat(String text, String format) {
        return switch (format) {
            case "date-time" -> text.contains("T1");
            case "date" -> text.startsWith("20");
            case "uuid" -> text.length() > 30;
            default -> true;
        };
    }

    private JsonNode array(JsonNode schema, int depth) {
        ArrayNode array = JSON.arrayNode();
        schema.path("prefixItems").forEach(item -> array.add(fitting(item, depth + 1)));
        int least = schema.path("minItems").asInt(0);
        int most = Math.min(schema.path("maxItems").asInt(Integer.MAX_VALUE), least + 2);
        int length = depth > MAX_DEPTH ? least : least + random.nextInt(Math.max(1, most - least + 1));
        while (array.size() < length) {
            array.add(schema.path("items").isObject() ? fitting(schema.get("items"), depth + 1) : any(depth));
        }
        return array;
    }

    private JsonNode object(JsonNode schema, int depth) {
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        List<Map.Entry<String, JsonNode>> properties = new ArrayList<>();
        schema.path("properties").properties().forEach(properties::add);
        // The members of an object have no order.
        Collections.shuffle(properties, random);
        ObjectNode object = JSON.objectNode();
        for (Map.Entry<String, JsonNode> property : properties) {
            boolean isGiven = depth <= MAX_DEPTH && random.nextInt(3) > 0;
            if ((isGiven || required.contains(property.getKey())) && !isNothing(property.getValue())) {
                object.set(property.getKey(), fitting(property.getValue(), depth + 1));
            }
        }
        if (schema.path("additionalProperties").isObject() && depth <= MAX_DEPTH) {
            int count = random.nextInt(3);
            for (int i = 0; i < count; i++) {
                object.set(key(schema.path("propertyNames")), fitting(schema.get("additionalProperties"), depth + 1));
            }
        }
        return object;
    }

    private static boolean isNothing(JsonNode schema) {
        return schema.isBoolean() && !schema.asBoolean();
    }

    private String key(JsonNode schema) {
        JsonNode key = schema.isObject() && random.nextInt(4) > 0 ? fitting(schema, 0) : JSON.textNode(oneOf(TEXTS));
        return key.asText();
    }

    private JsonNode any(int depth) {
        return switch (random.nextInt(depth > MAX_DEPTH ? 4 : 6)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.booleanNode(random.nextBoolean());
            case 2 -> JSON.numberNode(new BigDecimal(oneOf(NUMBERS)));
            case 3 -> JSON.textNode(oneOf(TEXTS));
            case 4 -> {
                ArrayNode array = JSON.arrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    array.add(any(depth + 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = JSON.objectNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    object.set(oneOf(TEXTS), any(depth + 1));
                }
                yield object;
            }
        };
    }

    /** Returns the value with one part of it replaced, removed, doubled or added; may change the value itself. */
    private JsonNode changed(JsonNode value) {
        if (value.isEmpty() || random.nextInt(4) == 0) {
            return random.nextInt(3) == 0 ? any(MAX_DEPTH) : near(value);
        }
        if (value instanceof ArrayNode array) {
            int at = random.nextInt(array.size());
            switch (random.nextInt(8)) {
                case 0 -> array.remove(at);
                case 1 -> array.add(array.get(at).deepCopy());
                default -> array.set(at, changed(array.get(at)));
            }
            return array;
        }
        ObjectNode object = (ObjectNode) value;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        String name = oneOf(names);
        switch (random.nextInt(8)) {
            case 0 -> object.remove(name);
            case 1 -> object.set("unknown", any(MAX_DEPTH));
            case 2 -> object.set(capitalized(name), object.get(name));
            default -> object.set(name, changed(object.get(name)));
        }
        return object;
    }

    private static String capitalized(String name) {
        return name.isEmpty() ? name : Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Returns a value beside this one. */
    private JsonNode near(JsonNode value) {
        if (value.isNumber()) {
            return switch (random.nextInt(3)) {
                case 0 -> JSON.textNode(value.asText());
                case 1 -> JSON.numberNode(value.decimalValue().add(new BigDecimal(random.nextBoolean() ? "1" : "0.5")));
                default -> JSON.numberNode(new BigDecimal(oneOf(NUMBERS)));
            };
        }
        if (value.isTextual()) {
            return JSON.textNode(random.nextBoolean() ? oneOf(TEXTS) : value.asText() + ' ');
        }
        return switch (random.nextInt(4)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.textNode(oneOf(TEXTS));
            case 2 -> JSON.arrayNode().add(value);
            default -> JSON.objectNode();
        };
    }
}
