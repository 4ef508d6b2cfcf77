package io.dubbomesh.acceptance.compatibility;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON in the one form that all documents with the same values have: no blanks, members sorted, numbers digit by digit
 * as they are.
 */
final class CanonicalJson {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private CanonicalJson() {}

    /** @throws IOException if it is not one JSON value and nothing else, or has a member twice */
    static String of(String text) throws IOException {
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() == null) {
                throw new IOException("no JSON: nothing");
            }
            String value = value(json);
            if (json.nextToken() != null) {
                throw new IOException("more behind the JSON");
            }
            return value;
        }
    }

    /** The members of an object, each in this form. */
    static Map<String, String> members(String text) throws IOException {
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no JSON object");
            }
            return members(json);
        }
    }

    /** The value of a string, or null if the text is not one. */
    static String string(String text) throws IOException {
        try (JsonParser json = JSON.createParser(text)) {
            return json.nextToken() == JsonToken.VALUE_STRING ? json.getText() : null;
        }
    }

    /** The text of each element of an array, as it stands there. */
    static List<String> elements(String text) throws IOException {
        List<String> elements = new ArrayList<>();
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw new IOException("no JSON array");
            }
            while (json.nextToken() != JsonToken.END_ARRAY) {
                int begin = (int) json.currentTokenLocation().getCharOffset();
                json.skipChildren();
                json.finishToken();
                elements.add(text.substring(begin, (int) json.currentLocation().getCharOffset()));
            }
        }
        return elements;
    }

    private static String value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(members(json));
            case START_ARRAY -> {
                StringBuilder array = new StringBuilder("[");
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    array.append(array.length() == 1 ? "" : ",").append(value(json));
                }
                yield array.append(']').toString();
            }
            case VALUE_STRING -> quoted(json.getText());
            default -> json.getText();
        };
    }

    private static Map<String, String> members(JsonParser json) throws IOException {
        Map<String, String> members = new TreeMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            members.put(name, value(json));
        }
        return members;
    }

    private static String object(Map<String, String> members) throws IOException {
        StringBuilder object = new StringBuilder("{");
        for (Map.Entry<String, String> member : members.entrySet()) {
            object.append(object.length() == 1 ? "" : ",")
                    .append(quoted(member.getKey()))
                    .append(':')
                    .append(member.getValue());
        }
        return object.append('}').toString();
    }

    private static String quoted(String text) throws IOException {
        StringWriter quoted = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(quoted)) {
            json.writeString(text);
        }
        return quoted.toString();
    }
}
