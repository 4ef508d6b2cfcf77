package io.dubbomesh.client.method;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.FieldFacts;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition.Container;
import io.dubbomesh.protocol.definition.TypeDefinition.Kind;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import io.dubbomesh.protocol.type.TypeNames;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The methods and types of a service as its description tells them, which {@link ServiceDescriptionWriter} has written
 * in this process or in another one. What only a writer of arguments needs is not among it.
 *
 * @param version   of the service, empty for none; likewise the group
 * @param validated the names of the methods whose arguments are refused where they certainly violate constraints
 */
public record ServiceDescription(
        String service, String version, String group, ServiceDefinition definition, Set<String> validated) {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    /** Reads a description; members that are not known are passed over. */
    private static final class Reader {
        private final JsonParser json;
        private final UnaryOperator<String> names;
        private final List<MethodDefinition> methods = new ArrayList<>();
        private final Map<String, TypeDefinition> types = new LinkedHashMap<>();
        private final Set<String> validated = new HashSet<>();
        private final Map<String, OfMethod> ofMethods = new TreeMap<>();
        private final Map<String, OfClass> ofClasses = new TreeMap<>();
        private String description;
        private String service = "";
        private String version = "";
        private String group = "";
        private DefinitionSource source = DefinitionSource.PROVIDER;

        Reader(JsonParser json, UnaryOperator<String> names) {
            this.json = json;
            this.names = names;
        }

        ServiceDescription read() throws IOException {
            json.nextToken();
            for (String name; (name = nextName()) != null; ) {
                switch (name) {
                    case "interface" -> service = text();
                    case "version" -> version = text();
                    case "group" -> group = text();
                    case "source" -> source = source(text());
                    case "description" -> description = text();
                    case "methods" -> {
                        while (json.nextToken() == JsonToken.START_OBJECT) {
                            methods.add(method());
                        }
                    }
                    case "types" -> {
                        for (String type; (type = nextName()) != null; ) {
                            types.put(type, type(type));
                        }
                    }
                    default -> json.skipChildren();
                }
            }
            return new ServiceDescription(
                    service,
                    version,
                    group,
                    new ServiceDefinition(methods, types, source, null, serviceTexts()),
                    Set.copyOf(validated));
        }

        private ServiceTexts serviceTexts() {
            boolean isDescribed = description != null || !ofMethods.isEmpty();
            Map<String, OfService> ofService =
                    isDescribed ? Map.of(service, new OfService(description, ofMethods)) : Map.of();
            return isDescribed || !ofClasses.isEmpty() ? new ServiceTexts("", ofService, ofClasses) : ServiceTexts.NONE;
        }

        private static DefinitionSource source(String text) {
            for (DefinitionSource source : DefinitionSource.values()) {
                if (source.toString().equals(text)) {
                    return source;
                }
            }
            return DefinitionSource.PROVIDER;
        }

        private MethodDefinition method() throws IOException {
            String method = "";
            String returnType = "void";
            String descriptor = null;
            List<String> parameterTypes = List.of();
            List<String> parameterNames = List.of();
            List<List<Constraint>> constraints = new ArrayList<>();
            boolean isValidated = false;
            boolean returnsStream = false;
            String about = null;
            String result = null;
            Map<String, String> parameters = new TreeMap<>();
            for (String name; (name = nextName()) != null; ) {
                switch (name) {
                    case "name" -> method = text();
                    case "returnType" -> returnType = text();
                    case "stream" -> returnsStream = text().equals("server");
                    case "descriptor" -> descriptor = text();
                    case "parameterTypes" -> parameterTypes = texts();
                    case "parameterNames" -> parameterNames = texts();
                    case "parameterConstraints" -> {
                        while (json.nextToken() == JsonToken.START_ARRAY) {
                            constraints.add(ConstraintJson.read(json));
                        }
                    }
                    case "description" -> about = text();
                    case "resultDescription" -> result = text();
                    case "parameterDescriptions" -> readTexts(parameters);
                    case "validated" -> isValidated = json.currentToken() == JsonToken.VALUE_TRUE;
                    default -> json.skipChildren();
                }
            }
            if (isValidated) {
                validated.add(method);
            }
            if (about != null || result != null || !parameters.isEmpty()) {
                ofMethods.put(method, new OfMethod(about, result, parameters));
            }
            return new MethodDefinition(
                    method,
                    parameterTypes,
                    returnsStream ? MethodDefinition.streamOf(returnType) : returnType,
                    erased(descriptor, parameterTypes),
                    new ParameterFacts(
                            parameterNames.size() == parameterTypes.size() ? parameterNames : List.of(),
                            constraints.size() == parameterTypes.size() ? constraints : List.of()));
        }

        private static List<String> erased(String descriptor, List<String> parameterTypes) throws IOException {
            try {
                return descriptor == null ? TypeNames.erased(parameterTypes) : TypeNames.ofDescriptor(descriptor);
            } catch (CallException e) {
                throw new IOException(e);
            }
        }

        /** In class files all subclasses of a class are known, and none of other descriptions. */
        private TypeDefinition type(String typeName) throws IOException {
            List<String> constants = null;
            Map<String, String> fields = new LinkedHashMap<>();
            Map<String, String> properties = new HashMap<>();
            Map<String, List<Constraint>> constraints = new HashMap<>();
            Set<String> initialized = Set.of();
            Set<String> subclasses = source == DefinitionSource.CLASS_FILES ? Set.of() : null;
            Container container = null;
            Kind kind = Kind.CLASS;
            String about = null;
            Map<String, String> ofFields = new TreeMap<>();
            for (String name; (name = nextName()) != null; ) {
                switch (name) {
                    case "constants" -> constants = texts();
                    case "fields" -> readTexts(fields);
                    case "properties" -> readTexts(properties);
                    case "initialized" -> initialized = new HashSet<>(texts());
                    case "constraints" -> {
                        for (String field; (field = nextName()) != null; ) {
                            constraints.put(field, ConstraintJson.read(json));
                        }
                    }
                    case "subclasses" -> subclasses = new LinkedHashSet<>(texts());
                    case "container" -> container = new Container(text(), true);
                    case "abstract" -> kind = kind == Kind.INTERFACE ? kind : Kind.ABSTRACT_CLASS;
                    case "interface" -> kind = Kind.INTERFACE;
                    case "description" -> about = text();
                    case "fieldDescriptions" -> readTexts(ofFields);
                    default -> json.skipChildren();
                }
            }
            if (about != null || !ofFields.isEmpty()) {
                ofClasses.put(MethodDefinition.erased(typeName), new OfClass(about, ofFields));
            }
            return new TypeDefinition(
                    MethodDefinition.erased(typeName),
                    constants == null ? kind : Kind.ENUM,
                    constants == null ? List.of() : constants,
                    fields,
                    new FieldFacts(Map.of(), initialized, properties, constraints, false),
                    subclasses,
                    true,
                    container);
        }

        /** Moves to the value of the next member of the current object; returns its name, or null at the end. */
        private String nextName() throws IOException {
            if (json.nextToken() != JsonToken.FIELD_NAME) {
                return null;
            }
            String name = names.apply(json.currentName());
            json.nextToken();
            return name;
        }

        private String text() throws IOException {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                throw new IOException("description: " + json.currentToken() + " (expected: a text)");
            }
            return names.apply(json.getText());
        }

        private List<String> texts() throws IOException {
            List<String> texts = new ArrayList<>();
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                texts.add(names.apply(json.getText()));
            }
            return texts;
        }

        private void readTexts(Map<String, String> texts) throws IOException {
            for (String name; (name = nextName()) != null; ) {
                texts.put(name, text());
            }
        }
    }

    /**
     * Reads a description.
     *
     * @throws IOException if it is none
     */
    public static ServiceDescription read(byte[] document) throws IOException {
        return read(document, UnaryOperator.identity());
    }

    /**
     * Reads one of many descriptions, which have the same names many times.
     *
     * @param names returns an equal name, the same one for all
     * @throws IOException if it is none
     */
    public static ServiceDescription read(byte[] document, UnaryOperator<String> names) throws IOException {
        try (JsonParser json = JSON.createParser(document)) {
            return new Reader(json, names).read();
        }
    }

    /** Returns the same without methods, which are most of it. */
    public ServiceDescription withoutMethods() {
        return new ServiceDescription(service, version, group, definition.withoutMethods(), Set.of());
    }
}
