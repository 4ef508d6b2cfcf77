package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.MessageService;
import io.dubbomesh.protocol.javadoc.ServiceTexts;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The description of a service: its methods and the classes that they use. Immutable.
 *
 * <p>Names of types are those of Java source, with {@code $} before the name of a nested class and with type arguments
 * where they are known: {@code int}, {@code java.lang.String[]}, {@code
 * java.util.Map<java.lang.String,com.example.Address$Kind>}.
 *
 * @param methods in the order in which the provider names them; overloaded methods are separate
 * @param types by name without type arguments: the classes that methods and other classes use, as far as they are
 *     described; a type that is missing here is not known. A generic class has a name with type arguments, for each use
 *     whose arguments are known ({@code com.example.Page<com.example.Order>}), its fields having the types that they
 *     have in that use. In a report it has none, and names its type variables where they are type arguments:
 *     {@code java.util.List<T>}
 * @param source  where all this was read
 * @param messages the service with its messages, if it is defined by protobuf; else null
 * @param texts    what people have written about the service and its classes
 */
public record ServiceDefinition(
        List<MethodDefinition> methods,
        Map<String, TypeDefinition> types,
        DefinitionSource source,
        MessageService messages,
        ServiceTexts texts) {
    /** The methods of {@code GenericService}, by which every service can be called. */
    public static final Set<String> GENERIC_METHODS = Set.of("$invoke", "$invokeAsync");

    /** Each part of a type's name that is the name of a class in a package. */
    private static final Pattern CLASS_NAME = Pattern.compile("[^\\s<>,?\\[\\]]+\\.[^\\s<>,?\\[\\]]+");

    /** Each part of a type's name that may be the name of a class. */
    private static final Pattern NAME = Pattern.compile("[^\\s<>,?\\[\\]]+");

    public ServiceDefinition {
        methods = methods.stream().map(MethodDefinition::asCalled).toList();
        types = Map.copyOf(types);
    }

    /** Makes a definition without texts. */
    public ServiceDefinition(
            List<MethodDefinition> methods,
            Map<String, TypeDefinition> types,
            DefinitionSource source,
            MessageService messages) {
        this(methods, types, source, messages, ServiceTexts.NONE);
    }

    /** Makes the definition of a service that is defined by its Java interface. */
    public ServiceDefinition(
            List<MethodDefinition> methods, Map<String, TypeDefinition> types, DefinitionSource source) {
        this(methods, types, source, null);
    }

    /** Makes the definition that the provider itself tells. */
    public ServiceDefinition(List<MethodDefinition> methods, Map<String, TypeDefinition> types) {
        this(methods, types, DefinitionSource.PROVIDER);
    }

    public ServiceDefinition from(DefinitionSource other) {
        return new ServiceDefinition(methods, types, other, messages, texts);
    }

    public ServiceDefinition withoutMethods() {
        return new ServiceDefinition(List.of(), types, source, messages, texts);
    }

    /** Returns the same with what others of these texts say about the service and its classes. */
    public ServiceDefinition with(ServiceTexts others, String service) {
        ServiceTexts about = others.about(
                service, types.keySet().stream().map(MethodDefinition::erased).toList());
        return about.areNone() ? this : new ServiceDefinition(methods, types, source, messages, texts.over(about));
    }

    /** Returns the methods of this name, and the classes that they use; null if there are none. */
    public ServiceDefinition ofMethods(String name) {
        List<MethodDefinition> named =
                methods.stream().filter(method -> method.name().equals(name)).toList();
        if (named.isEmpty()) {
            return null;
        }
        Map<String, List<String>> byClass =
                types.keySet().stream().collect(Collectors.groupingBy(MethodDefinition::erased));
        Queue<String> left = new ArrayDeque<>();
        for (MethodDefinition method : named) {
            left.addAll(method.parameterTypes());
            left.add(method.returnType());
        }
        Map<String, TypeDefinition> used = new HashMap<>();
        String type;
        while ((type = left.poll()) != null) {
            for (String each :
                    NAME.matcher(type).results().map(MatchResult::group).toList()) {
                for (String use : byClass.getOrDefault(each, List.of())) {
                    TypeDefinition definition = types.get(use);
                    if (used.put(use, definition) == null) {
                        left.addAll(definition.fields().values());
                        left.addAll(definition.subclasses() == null ? Set.of() : definition.subclasses());
                        left.add(
                                definition.container() == null
                                        ? ""
                                        : definition.container().supertype());
                    }
                }
            }
        }
        return new ServiceDefinition(named, used, source, messages, texts);
    }

    /**
     * Returns the classes without a definition that methods and fields name, but for those of the JDK, collections, and
     * what is no class of Java.
     */
    public SortedSet<String> unknownTypes() {
        Set<String> known =
                types.keySet().stream().map(MethodDefinition::erased).collect(Collectors.toSet());
        Set<String> used = new HashSet<>();
        for (MethodDefinition method : methods) {
            used.addAll(method.parameterTypes());
            used.add(method.returnType());
        }
        types.values().forEach(type -> used.addAll(type.fields().values()));
        return used.stream()
                .flatMap(type -> CLASS_NAME.matcher(type).results().map(MatchResult::group))
                .filter(name -> !known.contains(name) && !isOfOthers(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOfOthers(String name) {
        return name.startsWith("java.")
                || SourceName.isForeign(name)
                || MethodDefinition.isObserver(name)
                || Containers.isCollection(name)
                || Containers.isMap(name);
    }

    /**
     * Returns whether the provider implements Dubbo's {@code GenericService}: then it has no other methods, and
     * executes every call by the names in the arguments of these.
     */
    public boolean isGenericService() {
        return !methods.isEmpty() && methods.stream().allMatch(method -> GENERIC_METHODS.contains(method.name()));
    }
}
