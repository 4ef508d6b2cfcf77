package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.value.JsonValues;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The properties of a JSON value that can be seen without its type.
 *
 * @param className that an object names; null if it names none, and for other values
 * @param elements  the different shapes of an array's elements, some of them if they are many; empty for other values,
 *     and for arrays that are deeper within others than the types of methods are
 */
public record JsonShape(Form form, String className, Set<JsonShape> elements) {
    /** Numbers are told by the smallest Java type of a literal that holds them. */
    enum Form {
        NULL,
        BOOLEAN,
        INT,
        LONG,
        BIG_INTEGER,
        FRACTION,
        TEXT,
        ARRAY,
        OBJECT
    }

    /** The depth to which a caller's nested arrays are compared in a time that grows with their length alone. */
    private static final int MAX_DEPTH = 4;

    private static final int MAX_ELEMENTS = 16;

    static final JsonShape TEXT = new JsonShape(Form.TEXT);

    JsonShape(Form form) {
        this(form, null, Set.of());
    }

    /** Reads the value whose first token is the parser's current one, up to its last token. */
    static JsonShape read(JsonParser json) throws IOException {
        return read(json, 1);
    }

    private static JsonShape read(JsonParser json, int depth) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_NULL -> new JsonShape(Form.NULL);
            case VALUE_TRUE, VALUE_FALSE -> new JsonShape(Form.BOOLEAN);
            case VALUE_NUMBER_FLOAT -> new JsonShape(Form.FRACTION);
            case VALUE_NUMBER_INT ->
                new JsonShape(
                        switch (json.getNumberType()) {
                            case INT -> Form.INT;
                            case LONG -> Form.LONG;
                            default -> Form.BIG_INTEGER;
                        });
            case START_ARRAY -> new JsonShape(Form.ARRAY, null, elements(json, depth));
            case START_OBJECT -> new JsonShape(Form.OBJECT, className(json), Set.of());
            default -> TEXT;
        };
    }

    private static Set<JsonShape> elements(JsonParser json, int depth) throws IOException {
        Set<JsonShape> elements = new LinkedHashSet<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (depth == MAX_DEPTH || elements.size() == MAX_ELEMENTS) {
                json.skipChildren();
            } else {
                elements.add(read(json, depth + 1));
            }
        }
        return elements;
    }

    /** Returns the class that a member names; reads the object to its end. */
    private static String className(JsonParser json) throws IOException {
        String name = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            boolean names = name == null && json.currentName().equals(JsonValues.CLASS);
            if (json.nextToken() == JsonToken.VALUE_STRING && names) {
                name = json.getText();
            }
            json.skipChildren();
        }
        return name;
    }
}
