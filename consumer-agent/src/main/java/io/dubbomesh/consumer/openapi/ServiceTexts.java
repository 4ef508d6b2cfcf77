package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.schema.SchemaTexts;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * What people have written about services and their classes. Immutable.
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

        private OfService over(OfService below) {
            return new OfService(
                    first(description, below.description),
                    merge(methods, below.methods, (other, own) -> own.over(other)));
        }
    }

    /**
     * The texts about the methods of one name.
     *
     * @param parameters by name
     */
    record OfMethod(String description, String result, Map<String, String> parameters) {
        private static final OfMethod NONE = new OfMethod(null, null, Map.of());

        private OfMethod over(OfMethod below) {
            return new OfMethod(
                    first(description, below.description),
                    first(result, below.result),
                    merge(parameters, below.parameters, (other, own) -> own));
        }
    }

    record OfClass(String description, Map<String, String> fields) {
        private OfClass over(OfClass below) {
            return new OfClass(first(description, below.description), merge(fields, below.fields, (other, own) -> own));
        }
    }

    /** Returns these texts, and others where these have none. */
    ServiceTexts over(ServiceTexts others) {
        if (others.services.isEmpty() && others.classes.isEmpty()) {
            return this;
        }
        return new ServiceTexts(
                revision + '\n' + others.revision,
                merge(services, others.services, (below, own) -> own.over(below)),
                merge(classes, others.classes, (below, own) -> own.over(below)));
    }

    private static <T> Map<String, T> merge(Map<String, T> own, Map<String, T> below, BinaryOperator<T> merger) {
        Map<String, T> merged = new TreeMap<>(below);
        own.forEach((name, value) -> merged.merge(name, value, merger));
        return merged;
    }

    private static String first(String own, String below) {
        return own == null ? below : own;
    }

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
