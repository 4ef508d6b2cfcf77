package io.dubbomesh.consumer.openapi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.client.method.ServiceDescription;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.schema.ArgumentSchemas;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.schema.SchemaNames;
import io.dubbomesh.protocol.type.DeclaredType;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes an OpenAPI 3.1 document of services: docs/use/openapi.md. Used once, by one thread. */
final class OpenApiDocument {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String VERSION = "3.1.0";
    private static final String HEX = "0123456789ABCDEF";
    private static final List<String> STREAMS = List.of("text/event-stream", "application/x-ndjson");
    private static final String MESSAGES =
            "The messages as they come, each in JSON, and the status of the stream as its end";
    private static final String ABOUT = """
            Calls of Dubbo services by HTTP. The body of a request is the only argument, if that is an object of a \
            class, an object of several arguments by the names of the parameters, or else the array of the arguments.

            `int64` numbers have all their digits in JSON. Programs that read every number as a double, as JavaScript \
            does, must parse those beyond 2^53 otherwise, for example with a parser that keeps them as BigInt or text; \
            as an argument such a number may be a text.

            Where a value may be of a subclass, an argument has the class's name as a member, `class`; a \
            result has it if the request has `X-Dubbo-Class-Names: true`.""";

    private final OpenApiSettings settings;
    private final SchemaForms forms;
    /** The names of types, methods and fields, of which descriptions have the same ones many times. */
    private final Map<String, String> names = new HashMap<>();

    private ServiceTexts texts;
    private JsonGenerator json;
    private SharedParts shared;

    OpenApiDocument(OpenApiSettings settings, SchemaForms forms, ServiceTexts texts) {
        this.settings = settings;
        this.forms = forms;
        this.texts = texts;
    }

    /**
     * Writes the document.
     *
     * @param services in order; those without a description are listed
     * @param revision of the document
     */
    void write(List<Described> services, String revision, OutputStream out) throws IOException {
        // Methods are most of a description: they are read again when they are written.
        List<ServiceDescription> described = new ArrayList<>();
        Map<String, byte[]> descriptions = new HashMap<>();
        List<Described> missing = new ArrayList<>();
        for (Described service : services) {
            if (service.document() == null) {
                missing.add(service);
            } else {
                ServiceDescription description = read(service.document()).withoutMethods();
                described.add(description);
                descriptions.put(description.service(), service.document());
            }
        }
        texts = texts.over(ServiceTexts.of(
                described.stream().map(service -> service.definition().texts()).toList()));
        SchemaNames tags = new SchemaNames(
                "",
                Set.of(),
                described.stream().map(ServiceDescription::service).toList());
        try (JsonGenerator generator = JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            json = generator;
            shared = new SharedParts(json, settings, forms);
            List<TypeScope> scopes = TypeScope.of(described, tags, forms, json, texts);
            json.writeStartObject();
            json.writeStringField("openapi", VERSION);
            writeInfo(described, revision, tags);
            json.writeArrayFieldStart("servers");
            json.writeStartObject();
            json.writeStringField("url", "/");
            json.writeEndObject();
            json.writeEndArray();
            shared.writeSecurity();
            writeTags(described, tags);
            json.writeObjectFieldStart("paths");
            for (TypeScope scope : scopes) {
                for (ServiceDescription service : scope.services()) {
                    String tag = tags.of(service.service());
                    writePaths(read(descriptions.get(service.service())), tag, scope);
                }
            }
            json.writeEndObject();
            writeComponents(scopes);
            writeMissing(missing);
            json.writeEndObject();
        }
    }

    private ServiceDescription read(byte[] description) throws IOException {
        return ServiceDescription.read(description, name -> {
            String known = names.putIfAbsent(name, name);
            return known == null ? name : known;
        });
    }

    private void writeInfo(List<ServiceDescription> described, String revision, SchemaNames tags) throws IOException {
        json.writeObjectFieldStart("info");
        json.writeStringField(
                "title", described.size() == 1 ? tags.of(described.get(0).service()) : "Dubbo services");
        json.writeStringField("version", revision);
        json.writeStringField("description", ABOUT);
        json.writeEndObject();
    }

    private void writeTags(List<ServiceDescription> described, SchemaNames tags) throws IOException {
        json.writeArrayFieldStart("tags");
        for (ServiceDescription service : described) {
            json.writeStartObject();
            json.writeStringField("name", tags.of(service.service()));
            String description = texts.ofService(service.service()).description();
            json.writeStringField(
                    "description",
                    (description == null ? "" : description + "\n\n")
                            + service.service()
                            + (service.version().isEmpty() ? "" : ", version " + service.version())
                            + (service.group().isEmpty() ? "" : ", group " + service.group())
                            + ". The types are known from: "
                            + service.definition().source());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writePaths(ServiceDescription service, String tag, TypeScope scope) throws IOException {
        Map<String, List<MethodDefinition>> methods = new TreeMap<>();
        for (MethodDefinition method : service.definition().methods()) {
            if (method.streaming() == Streaming.CLIENT) {
                // It cannot be called.
                continue;
            }
            methods.computeIfAbsent(method.name(), absent -> new ArrayList<>()).add(method);
        }
        Set<String> operations = new HashSet<>();
        for (Map.Entry<String, List<MethodDefinition>> method : methods.entrySet()) {
            json.writeObjectFieldStart('/' + encoded(service.service()) + '/' + encoded(method.getKey()));
            json.writeArrayFieldStart("parameters");
            shared.referToParameters();
            writeVariant("version", service.version());
            writeVariant("group", service.group());
            json.writeEndArray();
            json.writeObjectFieldStart("post");
            String name = tag + '_' + SchemaNames.simple(method.getKey());
            String operation = name;
            for (int i = 2; !operations.add(operation); i++) {
                operation = name + '-' + i;
            }
            json.writeStringField("operationId", operation);
            json.writeArrayFieldStart("tags");
            json.writeString(tag);
            json.writeEndArray();
            writeOperation(
                    distinct(method.getValue()),
                    texts.ofMethod(service.service(), method.getKey()),
                    service.validated().contains(method.getKey()),
                    scope);
            json.writeEndObject();
            if (forms == SchemaForms.ALL) {
                writeDescription(operation, tag);
            }
            json.writeEndObject();
        }
    }

    /** Writes the operation that describes a method, for which typed clients have no use. */
    private void writeDescription(String operation, String tag) throws IOException {
        json.writeObjectFieldStart("get");
        json.writeStringField("operationId", operation + "-description");
        json.writeArrayFieldStart("tags");
        json.writeString(tag);
        json.writeEndArray();
        json.writeStringField("summary", "The parameters and the result of the method");
        json.writeObjectFieldStart("responses");
        json.writeObjectFieldStart("200");
        json.writeStringField("description", "The description");
        beginSchema();
        json.writeRawValue("{\"type\":\"object\"}");
        endSchema();
        json.writeEndObject();
        shared.referToResponses(false);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Returns the methods without those that are overridden by one with the same parameters. */
    private static List<MethodDefinition> distinct(List<MethodDefinition> overloaded) {
        Map<List<String>, MethodDefinition> byTypes =
                new TreeMap<>((first, second) -> String.join(",", first).compareTo(String.join(",", second)));
        overloaded.forEach(method -> byTypes.putIfAbsent(method.parameterTypes(), method));
        return List.copyOf(byTypes.values());
    }

    private void writeVariant(String name, String value) throws IOException {
        if (value.isEmpty()) {
            return;
        }
        json.writeStartObject();
        json.writeStringField("name", name);
        json.writeStringField("in", "query");
        json.writeBooleanField("required", true);
        json.writeObjectFieldStart("schema");
        json.writeStringField("type", "string");
        json.writeArrayFieldStart("enum");
        json.writeString(value);
        json.writeEndArray();
        json.writeStringField("default", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** @param checked whether arguments that certainly violate constraints are refused */
    private void writeOperation(List<MethodDefinition> methods, OfMethod written, boolean checked, TypeScope scope)
            throws IOException {
        json.writeStringField("summary", summary(methods));
        if (written.description() != null) {
            json.writeStringField("description", written.description());
        }
        if (methods.size() > 1) {
            json.writeArrayFieldStart("parameters");
            shared.writeParameterTypes(methods);
            json.writeEndArray();
        }
        boolean hasArguments =
                methods.stream().anyMatch(method -> !method.parameterTypes().isEmpty());
        boolean needsArguments =
                methods.stream().noneMatch(method -> method.parameterTypes().isEmpty());
        if (hasArguments || forms == SchemaForms.ALL) {
            json.writeObjectFieldStart("requestBody");
            json.writeBooleanField("required", needsArguments);
            if (!written.parameters().isEmpty()) {
                json.writeStringField("description", list(written.parameters()));
            }
            beginSchema();
            writeArguments(methods, checked, scope);
            endSchema();
            json.writeEndObject();
        }
        json.writeObjectFieldStart("responses");
        writeResult(methods, written.result(), scope);
        shared.referToResponses(hasArguments);
        json.writeEndObject();
    }

    private void writeArguments(List<MethodDefinition> methods, boolean checked, TypeScope scope) throws IOException {
        ArgumentSchemas arguments = new ArgumentSchemas(scope.schemas(), forms, json);
        if (methods.size() == 1) {
            arguments.write(methods.get(0), checked);
            return;
        }
        json.writeStartObject();
        if (forms == SchemaForms.CANONICAL) {
            // No generator makes types of arrays that differ in their elements.
            json.writeStringField("type", "array");
            json.writeObjectFieldStart("items");
            json.writeEndObject();
            json.writeArrayFieldStart("x-dubbo-overloads");
        } else {
            json.writeArrayFieldStart("anyOf");
        }
        for (MethodDefinition method : methods) {
            arguments.write(method, checked);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** @param text about the result; null for none */
    private void writeResult(List<MethodDefinition> methods, String text, TypeScope scope) throws IOException {
        List<String> types = results(methods, Streaming.NONE);
        List<String> messages = results(methods, Streaming.SERVER);
        json.writeObjectFieldStart("200");
        json.writeStringField("description", text != null ? text : types.isEmpty() ? MESSAGES : "The result");
        // The type of null alone is one of no language: a client that expects nothing does not read the body.
        boolean hasResult =
                forms == SchemaForms.ALL ? !types.isEmpty() : !types.stream().allMatch(OpenApiDocument::isNothing);
        if (hasResult || !messages.isEmpty()) {
            json.writeObjectFieldStart("content");
            if (hasResult) {
                json.writeObjectFieldStart("application/json");
                json.writeFieldName("schema");
                writeResults(types, scope);
                json.writeEndObject();
            }
            for (String mediaType : messages.isEmpty() ? List.<String>of() : STREAMS) {
                writeStream(mediaType, messages, scope);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static List<String> results(List<MethodDefinition> methods, Streaming streaming) {
        return methods.stream()
                .filter(method -> method.streaming() == streaming)
                .map(MethodDefinition::messageType)
                .distinct()
                .toList();
    }

    /** Writes a form of a stream: a text, of which OpenAPI 3.1 cannot say what its parts are. */
    private void writeStream(String mediaType, List<String> messages, TypeScope scope) throws IOException {
        json.writeObjectFieldStart(mediaType);
        json.writeObjectFieldStart("schema");
        json.writeStringField("type", "string");
        json.writeEndObject();
        if (forms == SchemaForms.ALL) {
            json.writeFieldName("x-dubbo-message");
            writeResults(messages, scope);
        }
        json.writeEndObject();
    }

    private static boolean isNothing(String type) {
        return type.equals("void") || DeclaredType.value(type).equals("java.lang.Void");
    }

    /** Returns a list in Markdown. */
    private static String list(Map<String, String> texts) {
        StringBuilder list = new StringBuilder();
        texts.forEach((name, text) ->
                list.append("- `").append(name).append("`: ").append(text).append('\n'));
        return list.toString();
    }

    private static String summary(List<MethodDefinition> methods) {
        MethodDefinition first = methods.get(0);
        return methods.size() == 1
                ? (first.streaming() == Streaming.SERVER ? "stream " : "")
                        + first.messageType()
                        + ' '
                        + first.signature()
                : methods.size() + " methods of the name " + first.name();
    }

    private void writeResults(List<String> types, TypeScope scope) throws IOException {
        if (types.size() == 1) {
            scope.schemas().writeResult(types.get(0));
            return;
        }
        json.writeStartObject();
        json.writeArrayFieldStart("anyOf");
        for (String type : types) {
            scope.schemas().writeResult(type);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void beginSchema() throws IOException {
        json.writeObjectFieldStart("content");
        json.writeObjectFieldStart("application/json");
        json.writeFieldName("schema");
    }

    private void endSchema() throws IOException {
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeComponents(List<TypeScope> scopes) throws IOException {
        json.writeObjectFieldStart("components");
        json.writeObjectFieldStart("schemas");
        for (TypeScope scope : scopes) {
            scope.schemas().writeClasses();
        }
        shared.writeProblem();
        json.writeEndObject();
        shared.writeParameters();
        shared.writeResponses();
        shared.writeSecuritySchemes();
        json.writeEndObject();
    }

    private void writeMissing(List<Described> missing) throws IOException {
        if (missing.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("x-dubbo-undescribed");
        for (Described service : missing) {
            json.writeStringField(service.name().service(), service.reason());
        }
        json.writeEndObject();
    }

    /** Returns a segment of a path, in which braces would stand for a parameter. */
    private static String encoded(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(UTF_8)) {
            boolean isPlain = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9';
            if (isPlain || "._$-".indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.charAt(b >> 4 & 0xf)).append(HEX.charAt(b & 0xf));
            }
        }
        return encoded.toString();
    }
}
