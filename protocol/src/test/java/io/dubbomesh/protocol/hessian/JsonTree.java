package io.dubbomesh.protocol.hessian;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A JSON text as maps, lists, strings, booleans, nulls and numbers, which are BigDecimals without zeros at their end.
 */
final class JsonTree {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonTree() {}

    /** @throws IOException if it is not wholly one JSON value */
    static Object of(ByteBuf text) throws IOException {
        try (JsonParser json = JSON.createParser(text.toString(UTF_8))) {
            Object value = read(json, json.nextToken());
            if (json.nextToken() != null) {
                throw new IOException("more behind the value");
            }
            return value;
        }
    }

    private static Object read(JsonParser json, JsonToken token) throws IOException {
        if (token == null) {
            throw new IOException("no value");
        }
        return switch (token) {
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(json.getDecimalValue());
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                    list.add(read(json, next));
                }
                yield list;
            }
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String key = json.currentName();
                    map.put(key, read(json, json.nextToken()));
                }
                yield map;
            }
            default -> throw new IOException("no value begins with " + token);
        };
    }

    static BigDecimal number(BigDecimal value) {
        return value.stripTrailingZeros();
    }
}
