package io.dubbomesh.client.method;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.type.TypeNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Writes the JSON document that describes a service, its methods and the classes that they use: docs/use/http.md. */
public final class ServiceDescriptionWriter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String DESCRIPTION = "description";

    private ServiceDescriptionWriter() {}

    /** Writes the description of a service whose provider alone validates arguments. */
    public static void write(ByteBuf out, MethodName name, ServiceDefinition service) {
        write(out, name, service, method -> false);
    }

    /** @param validated whether a method's arguments are checked against its constraints, by its name */
    public static void write(ByteBuf out, MethodName name, ServiceDefinition service, Predicate<String> validated) {
        try (OutputStream bytes = new ByteBufOutputStream(out);
                JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("interface", name.service());
            json.writeStringField("version", name.version());
            json.writeStringField("group", name.group());
            json.writeStringField("source", service.source().toString());
            writeText(
                    json, DESCRIPTION, service.texts().ofService(name.service()).description());
            json.writeArrayFieldStart("methods");
            for (MethodDefinition method : service.methods()) {
                json.writeStartObject();
                writeMethod(json, method, validated.test(method.name()));
                writeTexts(json, service.texts().ofMethod(name.service(), method.name()));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeObjectFieldStart("types");
            for (Map.Entry<String, TypeDefinition> named : new TreeMap<>(service.types()).entrySet()) {
                TypeDefinition type = named.getValue();
                json.writeObjectFieldStart(named.getKey());
                writeTexts(json, service.texts().classes().get(MethodDefinition.erased(named.getKey())));
                if (type.isEnum()) {
                    writeStrings(json, "constants", type.constants());
                } else {
                    writeClass(json, type);
                }
                json.writeEndObject();
            }
            json.writeEndObject();
            Collection<String> unknown = service.unknownTypes();
            if (!unknown.isEmpty()) {
                writeStrings(json, "unknown", unknown);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeMethod(JsonGenerator json, MethodDefinition method, boolean isValidated)
            throws IOException {
        json.writeStringField("name", method.name());
        writeStrings(json, "parameterTypes", method.parameterTypes());
        json.writeStringField("returnType", method.messageType());
        if (method.streaming() != MethodDefinition.Streaming.NONE) {
            json.writeStringField("stream", method.streaming().name().toLowerCase(Locale.ROOT));
        }
        json.writeStringField("descriptor", TypeNames.descriptor(method.erasedTypes()));
        if (!method.facts().names().isEmpty()) {
            writeStrings(json, "parameterNames", method.facts().names());
        }
        if (!method.facts().constraints().isEmpty()) {
            json.writeArrayFieldStart("parameterConstraints");
            for (List<Constraint> constraints : method.facts().constraints()) {
                ConstraintJson.write(json, constraints);
            }
            json.writeEndArray();
        }
        if (isValidated) {
            json.writeBooleanField("validated", true);
        }
    }

    private static void writeTexts(JsonGenerator json, ServiceTexts.OfMethod texts) throws IOException {
        writeText(json, DESCRIPTION, texts.description());
        writeText(json, "resultDescription", texts.result());
        if (!texts.parameters().isEmpty()) {
            writeTexts(json, "parameterDescriptions", texts.parameters());
        }
    }

    /** @param texts null for none */
    private static void writeTexts(JsonGenerator json, ServiceTexts.OfClass texts) throws IOException {
        if (texts != null) {
            writeText(json, DESCRIPTION, texts.description());
            if (!texts.fields().isEmpty()) {
                writeTexts(json, "fieldDescriptions", texts.fields());
            }
        }
    }

    /** @param text null for none */
    private static void writeText(JsonGenerator json, String name, String text) throws IOException {
        if (text != null) {
            json.writeStringField(name, text);
        }
    }

    private static void writeStrings(JsonGenerator json, String field, Collection<String> values) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    private static void writeClass(JsonGenerator json, TypeDefinition type) throws IOException {
        if (type.container() != null) {
            json.writeStringField("container", type.container().supertype());
            return;
        }
        if (type.isAbstract()) {
            json.writeBooleanField("abstract", true);
        }
        if (type.kind() == TypeDefinition.Kind.INTERFACE) {
            json.writeBooleanField("interface", true);
        }
        writeTexts(json, "fields", type.fields());
        if (!type.facts().properties().isEmpty()) {
            writeTexts(json, "properties", new TreeMap<>(type.facts().properties()));
        }
        if (!type.facts().assigned().isEmpty()) {
            writeStrings(json, "initialized", new TreeSet<>(type.facts().assigned()));
        }
        if (!type.facts().constraints().isEmpty()) {
            json.writeObjectFieldStart("constraints");
            for (Map.Entry<String, List<Constraint>> field :
                    new TreeMap<>(type.facts().constraints()).entrySet()) {
                json.writeFieldName(field.getKey());
                ConstraintJson.write(json, field.getValue());
            }
            json.writeEndObject();
        }
        if (type.subclasses() != null && !type.subclasses().isEmpty()) {
            writeStrings(json, "subclasses", type.subclasses());
        }
    }

    private static void writeTexts(JsonGenerator json, String name, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            json.writeStringField(text.getKey(), text.getValue());
        }
        json.writeEndObject();
    }
}
