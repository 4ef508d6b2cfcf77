package io.dubbomesh.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Small JSON documents as Java values: an object is a map in the order of its members, an array a list, a number a
 * Long, BigInteger or BigDecimal. A record is written as an object of its components, without those that are null: the
 * names of the components are the contract.
 */
public final class Json {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The part of a message of the parser that is about the parser. */
    private static final Pattern OF_PARSER =
            Pattern.compile(" \\([^()]* at \\[Source: .*|, from `[^`]*`|: enable `[^`]*` to allow");

    private Json() {}

    /** @throws IllegalArgumentException for a value of any other type */
    public static String write(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof String || value instanceof Enum<?>) {
            json.writeString(value.toString());
        } else if (value instanceof Boolean bool) {
            json.writeBoolean(bool);
        } else if (value instanceof Number number) {
            write(json, number);
        } else if (value instanceof Iterable<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                write(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                json.writeFieldName(member.getKey().toString());
                write(json, member.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof Record record) {
            write(json, record);
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void write(JsonGenerator json, Number number) throws IOException {
        if (number instanceof Double || number instanceof Float) {
            json.writeNumber(number.doubleValue());
        } else if (number instanceof BigDecimal decimal) {
            json.writeNumber(decimal);
        } else if (number instanceof BigInteger integer) {
            json.writeNumber(integer);
        } else {
            json.writeNumber(number.longValue());
        }
    }

    private static void write(JsonGenerator json, Record record) throws IOException {
        json.writeStartObject();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = value(record, component);
            if (value != null) {
                json.writeFieldName(component.getName());
                write(json, value);
            }
        }
        json.writeEndObject();
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            // The record's package may keep it for itself.
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component.toString(), e);
        }
    }

    /** @throws IllegalArgumentException if it is not one JSON value; the message says where */
    public static Object read(String text) {
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() == null) {
                throw new IllegalArgumentException("nothing (expected: a JSON value)");
            }
            Object value = value(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("more than one JSON value");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(reason(e), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a record of an object that was read: the counterpart of {@link #write}. Members that the record does not
     * have are ignored. A component without a member, or with null, is an empty text, list or map, 0, false, or a
     * record without members; an Optional is empty. A component of the type Object is the value as {@link #read} has
     * it.
     *
     * @throws IllegalArgumentException if a member has a value of another type; the message names it
     */
    public static <T extends Record> T toRecord(Map<?, ?> object, Class<T> type) {
        return RecordReader.read(object, type);
    }

    private static String reason(JsonProcessingException e) {
        // What is nested too deep, or has too many digits, has no location.
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return "malformed JSON" + where + ": "
                + OF_PARSER.matcher(e.getOriginalMessage()).replaceAll("");
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT ->
                json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? json.getBigIntegerValue()
                        : (Object) json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalStateException(json.currentToken().toString());
        };
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            object.put(name, value(json));
        }
        return object;
    }

    private static List<Object> array(JsonParser json) throws IOException {
        List<Object> array = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(json));
        }
        return array;
    }
}
