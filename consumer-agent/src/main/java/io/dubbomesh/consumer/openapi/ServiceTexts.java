package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.schema.SchemaTexts;

import java.util.Map;

/**
 * What the operator has written about services and their classes. Immutable.
 *
 * @param revision of all texts; another one if a text is another
 * @param services by the name of the interface
 * @param classes  by name
 */
record ServiceTexts(String revision, Map<String, OfService> services, Map<String, OfClass> classes)
        implements SchemaTexts {
    static final ServiceTexts NONE = new ServiceTexts("", Map.of(), Map.of());

    /** @param description null for none; likewise the others */
    record OfService(String description, Map<String, OfMethod> methods) {
        private static final OfService NONE = new OfService(null, Map.of());
    }

    /**
     * The texts about the methods of one name.
     *
     * @param parameters by name
     */
    record OfMethod(String description, String result, Map<String, String> parameters) {
        private static final OfMethod NONE = new OfMethod(null, null, Map.of());
    }

    record OfClass(String description, Map<String, String> fields) {}

    OfService ofService(String service) {
        return services.getOrDefault(service, OfService.NONE);
    }

    OfMethod ofMethod(String service, String method) {
        return ofService(service).methods.getOrDefault(method, OfMethod.NONE);
    }

    @Override
    public String ofClass(String className) {
        OfClass texts = classes.get(className);
        return texts == null ? null : texts.description;
    }

    @Override
    public String ofField(String className, String field) {
        OfClass texts = classes.get(className);
        return texts == null ? null : texts.fields.get(field);
    }
}
