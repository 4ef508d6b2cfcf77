package io.dubbomesh.protocol.javadoc;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * What people have written about services and their classes. Immutable.
 *
 * @param revision of all texts; another one if a text is another
 * @param services by the name of the interface
 * @param classes  by name
 */
public record ServiceTexts(String revision, Map<String, OfService> services, Map<String, OfClass> classes)
        implements ClassTexts {
    /** The longest texts about one service and its classes, which are part of its description. */
    private static final int MAX_CHARACTERS = 1 << 20;

    /** No texts. */
    public static final ServiceTexts NONE = new ServiceTexts("", Map.of(), Map.of());

    /** @param description null for none; likewise the others */
    public record OfService(String description, Map<String, OfMethod> methods) {
        private static final OfService NONE = new OfService(null, Map.of());

        private int characters() {
            return length(description)
                    + methods.entrySet().stream()
                            .mapToInt(method ->
                                    length(method.getKey()) + method.getValue().characters())
                            .sum();
        }

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
    public record OfMethod(String description, String result, Map<String, String> parameters) {
        private static final OfMethod NONE = new OfMethod(null, null, Map.of());

        private int characters() {
            return length(description) + length(result) + length(parameters);
        }

        private OfMethod over(OfMethod below) {
            return new OfMethod(
                    first(description, below.description),
                    first(result, below.result),
                    merge(parameters, below.parameters, (other, own) -> own));
        }
    }

    /** @param description null for none */
    public record OfClass(String description, Map<String, String> fields) {
        private int characters() {
            return length(description) + length(fields);
        }

        private OfClass over(OfClass below) {
            return new OfClass(first(description, below.description), merge(fields, below.fields, (other, own) -> own));
        }
    }

    /** Returns the texts about several services; of a class, those of the first that has any. */
    public static ServiceTexts of(Collection<ServiceTexts> all) {
        Map<String, OfService> services = new TreeMap<>();
        Map<String, OfClass> classes = new TreeMap<>();
        for (ServiceTexts texts : all) {
            texts.services.forEach(services::putIfAbsent);
            texts.classes.forEach(classes::putIfAbsent);
        }
        return services.isEmpty() && classes.isEmpty() ? NONE : new ServiceTexts("", services, classes);
    }

    public boolean areNone() {
        return services.isEmpty() && classes.isEmpty();
    }

    /** Returns these texts, and others where these have none. */
    public ServiceTexts over(ServiceTexts others) {
        if (others.areNone()) {
            return this;
        }
        if (areNone()) {
            return others;
        }
        return new ServiceTexts(
                revision + '\n' + others.revision,
                merge(services, others.services, (below, own) -> own.over(below)),
                merge(classes, others.classes, (below, own) -> own.over(below)));
    }

    /**
     * Returns the texts about one service, of a megabyte at most: first about itself, then about its classes.
     *
     * @param classNames of those that its methods use
     */
    public ServiceTexts about(String service, Collection<String> classNames) {
        OfService own = services.get(service);
        int characters = own == null ? 0 : own.characters();
        Map<String, OfClass> ofClasses = new TreeMap<>();
        for (String className : new TreeSet<>(classNames)) {
            OfClass texts = classes.get(className);
            characters += texts == null ? 0 : texts.characters();
            if (texts != null && characters <= MAX_CHARACTERS) {
                ofClasses.put(className, texts);
            }
        }
        boolean isTaken = own != null && own.characters() <= MAX_CHARACTERS;
        return isTaken || !ofClasses.isEmpty()
                ? new ServiceTexts("", isTaken ? Map.of(service, own) : Map.of(), ofClasses)
                : NONE;
    }

    private static int length(Map<String, String> texts) {
        return texts.entrySet().stream()
                .mapToInt(text -> length(text.getKey()) + length(text.getValue()))
                .sum();
    }

    private static int length(String text) {
        return text == null ? 0 : text.length();
    }

    private static <T> Map<String, T> merge(Map<String, T> own, Map<String, T> below, BinaryOperator<T> merger) {
        Map<String, T> merged = new TreeMap<>(below);
        own.forEach((name, value) -> merged.merge(name, value, merger));
        return merged;
    }

    private static String first(String own, String below) {
        return own == null ? below : own;
    }

    /** Returns the texts about a service; without any if there are none. */
    public OfService ofService(String service) {
        return services.getOrDefault(service, OfService.NONE);
    }

    /** Returns the texts about the methods of a name; without any if there are none. */
    public OfMethod ofMethod(String service, String method) {
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
