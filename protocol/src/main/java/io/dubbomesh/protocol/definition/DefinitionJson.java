package io.dubbomesh.protocol.definition;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.dubbomesh.protocol.MalformedJson;

import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The JSON by which Dubbo's metadata service and metadata centers describe a service: {@code ServiceDefinition} or
 * {@code FullServiceDefinition} of {@code org.apache.dubbo.metadata.definition.model}. In 2.7 the type of a field is an
 * object like those in {@code types}, or, as fastjson writes an object that it has written before, a reference to it
 * ({@code {"$ref":"$.types[0]"}}); in 3.x it is the type's name.
 */
public final class DefinitionJson {
    private static final int MAX_LENGTH = 8 * 1024 * 1024;
    private static final int MAX_DEPTH = 200;
    private static final int MAX_ELEMENTS = 100_000;
    private static final int MAX_METHODS = 10_000;

    private static final Set<String> NEEDED = Set.of("canonicalName", "methods", "types");

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private final JsonParser json;
    private final DefinitionTypes types = new DefinitionTypes();
    private final List<RawMethod> methods = new ArrayList<>();
    private int elements;

    private DefinitionJson(JsonParser json) {
        this.json = json;
    }

    /**
     * Reads such a text, of at most 8 Mi characters, 10,000 methods and as many classes; its author may mean harm. A
     * class is left out if it is of the JDK or has fields without a type: those of generic classes.
     *
     * @throws MalformedDefinitionException if it is not JSON or does not say what the methods are
     */
    public static ServiceDefinition parse(String text) throws MalformedDefinitionException {
        if (text.length() > MAX_LENGTH) {
            throw new MalformedDefinitionException(
                    "definition of " + text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        try (JsonParser json = JSON.createParser(text)) {
            return new DefinitionJson(json).service();
        } catch (JsonProcessingException e) {
            throw new MalformedDefinitionException("definition: " + MalformedJson.reason(e));
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    /**
     * Returns the same without what {@link #parse} does not need. So it has no token of the service, which Dubbo writes
     * among the parameters of its URL.
     *
     * @param text which can be parsed
     */
    public static String compact(String text) {
        StringWriter essence = new StringWriter();
        try (JsonParser from = JSON.createParser(text);
                JsonGenerator to = JSON.createGenerator(essence)) {
            from.nextToken();
            to.writeStartObject();
            while (from.nextToken() == JsonToken.FIELD_NAME) {
                boolean needed = NEEDED.contains(from.currentName());
                from.nextToken();
                if (needed) {
                    to.writeFieldName(from.currentName());
                    to.copyCurrentStructure(from);
                } else {
                    from.skipChildren();
                }
            }
            to.writeEndObject();
        } catch (IOException e) {
            throw new IllegalArgumentException("definition", e);
        }
        return essence.toString();
    }

    private ServiceDefinition service() throws IOException, MalformedDefinitionException {
        require(json.nextToken(), JsonToken.START_OBJECT, "definition");
        while (nextElement() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            switch (name) {
                case "canonicalName" -> types.addName(text(name));
                case "methods" -> {
                    require(value, JsonToken.START_ARRAY, name);
                    while (nextElement() != JsonToken.END_ARRAY) {
                        if (methods.size() == MAX_METHODS) {
                            throw new MalformedDefinitionException("definition: more than " + MAX_METHODS + " methods");
                        }
                        methods.add(method());
                    }
                }
                case "types" -> types.addAll(nodes(name));
                default -> json.skipChildren();
            }
        }
        if (json.nextToken() != null) {
            throw new MalformedDefinitionException("definition: text after its end");
        }
        if (methods.isEmpty()) {
            throw new MalformedDefinitionException("definition: without methods");
        }
        List<MethodDefinition> resolved = new ArrayList<>();
        for (RawMethod method : methods) {
            resolved.add(new MethodDefinition(
                    method.name, types.resolveAll(method.parameterTypes), types.resolve(method.returnType)));
        }
        return new ServiceDefinition(resolved, types.definitions());
    }

    private RawMethod method() throws IOException, MalformedDefinitionException {
        String path = "methods[" + methods.size() + "]";
        require(json.currentToken(), JsonToken.START_OBJECT, path);
        RawMethod method = new RawMethod();
        while (nextElement() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "name" -> method.name = text(path);
                case "parameterTypes" -> method.parameterTypes = texts(path);
                case "returnType" -> method.returnType = text(path);
                default -> json.skipChildren();
            }
        }
        if (method.name == null || method.returnType == null) {
            throw new MalformedDefinitionException(path + ": without name or returnType");
        }
        return method;
    }

    private List<DefinitionTypes.Node> nodes(String path) throws IOException, MalformedDefinitionException {
        require(json.currentToken(), JsonToken.START_ARRAY, path);
        List<DefinitionTypes.Node> nodes = new ArrayList<>();
        while (nextElement() != JsonToken.END_ARRAY) {
            nodes.add(node(path));
        }
        return nodes;
    }

    private DefinitionTypes.Node node(String path) throws IOException, MalformedDefinitionException {
        DefinitionTypes.Node node = new DefinitionTypes.Node();
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            node.type = json.getText();
            return node;
        }
        require(json.currentToken(), JsonToken.START_OBJECT, path);
        while (nextElement() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                continue;
            }
            switch (name) {
                case "type" -> node.type = text(name);
                case "$ref" -> node.reference = text(name);
                case "enum", "enums" -> node.constants = texts(name);
                case "items" -> node.items = nodes(name);
                case "properties" -> {
                    require(value, JsonToken.START_OBJECT, name);
                    while (nextElement() != JsonToken.END_OBJECT) {
                        String property = json.currentName();
                        json.nextToken();
                        node.properties.put(property, node(name));
                    }
                }
                default -> json.skipChildren();
            }
        }
        return node;
    }

    private List<String> texts(String path) throws IOException, MalformedDefinitionException {
        require(json.currentToken(), JsonToken.START_ARRAY, path);
        List<String> texts = new ArrayList<>();
        while (nextElement() != JsonToken.END_ARRAY) {
            texts.add(text(path));
        }
        return texts;
    }

    private String text(String path) throws IOException, MalformedDefinitionException {
        require(json.currentToken(), JsonToken.VALUE_STRING, path);
        return json.getText();
    }

    /** Returns the next element of the array or object that is being read. */
    private JsonToken nextElement() throws IOException, MalformedDefinitionException {
        if (++elements > MAX_ELEMENTS) {
            throw new MalformedDefinitionException("definition: more than " + MAX_ELEMENTS + " elements");
        }
        return json.nextToken();
    }

    private static void require(JsonToken token, JsonToken expected, String path) throws MalformedDefinitionException {
        if (token != expected) {
            throw new MalformedDefinitionException(path + ": " + token + " (expected: " + expected + ")");
        }
    }

    private static final class RawMethod {
        private String name;
        private List<String> parameterTypes = List.of();
        private String returnType;
    }
}
