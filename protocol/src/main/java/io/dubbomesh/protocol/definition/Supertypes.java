package io.dubbomesh.protocol.definition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The superclass and the interfaces of classes, with the type arguments that they have there. */
final class Supertypes {
    private static final int MAX_SUPERTYPES = 100;
    private static final int MAX_NAME = 1024;
    private static final String ITERABLE = "java.lang.Iterable";
    private static final String ANY = "?";
    private static final String EXTENDS = "? extends ";
    /** The character before the name of a type variable whose type is looked for; not a part of any name. */
    private static final char WANTED = '\0';

    private final ClassHierarchy classes;

    Supertypes(ClassHierarchy classes) {
        this.classes = classes;
    }

    /** Returns the bounds of a class's type parameters, in order. */
    static Map<String, String> bounds(ClassFile type) throws MalformedDefinitionException {
        return type.signature() == null
                ? Map.of()
                : new ClassSignature(type.signature(), Map.of(), (name, raw, arguments) -> {}).parameters();
    }

    /** Returns the class's type variables with these type arguments; null if it has another number of them. */
    static Map<String, String> variables(ClassFile type, List<String> arguments) throws MalformedDefinitionException {
        Map<String, String> bounds = bounds(type);
        if (bounds.size() != arguments.size()) {
            return null;
        }
        Map<String, String> variables = new HashMap<>();
        int i = 0;
        for (Map.Entry<String, String> bound : bounds.entrySet()) {
            String argument = arguments.get(i++);
            variables.put(bound.getKey(), argument.equals(ANY) ? EXTENDS + bound.getValue() : argument);
        }
        return variables;
    }

    /** Returns {@link #variables}, but the bounds where a class is used without its type arguments. */
    static Map<String, String> variablesOrBounds(ClassFile type, List<String> arguments)
            throws MalformedDefinitionException {
        Map<String, String> variables = variables(type, arguments);
        return variables == null ? bounds(type) : variables;
    }

    /**
     * Returns the superclass first, then the interfaces.
     *
     * @param arguments gets the classes that their type arguments consist of
     */
    static List<TypeUse> direct(ClassFile type, Map<String, String> variables, Consumer<TypeUse> arguments)
            throws MalformedDefinitionException {
        List<TypeUse> supertypes = new ArrayList<>();
        if (type.signature() == null) {
            supertypes.add(TypeUse.raw(type.superName()));
            type.interfaces().forEach(name -> supertypes.add(TypeUse.raw(name)));
            return supertypes;
        }
        List<TypeUse> uses = new ArrayList<>();
        ClassSignature signature = new ClassSignature(
                type.signature(), variables, (name, raw, ofType) -> uses.add(new TypeUse(name, raw, ofType)));
        signature.parameters();
        while (!signature.isAtEnd()) {
            String name = signature.type();
            // A class comes after its type arguments; one with an extremely long name is left out.
            supertypes.add(uses.isEmpty() ? TypeUse.raw(name) : uses.remove(uses.size() - 1));
            uses.forEach(arguments);
            uses.clear();
        }
        if (supertypes.isEmpty()) {
            throw new MalformedDefinitionException("class " + type.name() + ": a signature without a superclass");
        }
        return supertypes;
    }

    /**
     * Returns the class as a subtype of {@code declared}, with the type arguments that it must have for that, as far as
     * they follow; null if a value of it cannot be one of {@code declared}, or its class file is not there.
     */
    TypeUse asSubtypeOf(TypeUse declared, String className) throws IOException, MalformedDefinitionException {
        ClassFile type = classes.find(className);
        if (type == null) {
            return null;
        }
        Map<String, String> bounds = bounds(type);
        Map<String, String> wanted = new LinkedHashMap<>();
        bounds.keySet().forEach(variable -> wanted.put(variable, WANTED + variable));
        TypeUse supertype = find(type, wanted, declared.className(), new HashSet<>());
        if (supertype == null || !agree(supertype.arguments(), declared.arguments())) {
            return null;
        }
        List<String> arguments = new ArrayList<>();
        for (Map.Entry<String, String> variable : wanted.entrySet()) {
            int at = supertype.arguments().indexOf(variable.getValue());
            boolean follows = at >= 0 && at < declared.arguments().size();
            arguments.add(follows ? declared.arguments().get(at) : EXTENDS + bounds.get(variable.getKey()));
        }
        if (arguments.isEmpty()) {
            return TypeUse.raw(className);
        }
        String name = className + '<' + String.join(",", arguments) + '>';
        return name.length() > MAX_NAME ? null : new TypeUse(name, className, arguments);
    }

    /**
     * Returns the collection or map that the class extends or implements, the first on the way over its superclasses;
     * null if it is none. What is only iterable is an object of its fields.
     *
     * @param arguments of the class; may be missing
     * @param visitor   gets the classes that the type arguments consist of
     */
    TypeUse container(ClassFile type, List<String> arguments, Consumer<TypeUse> visitor)
            throws IOException, MalformedDefinitionException {
        return container(type, variablesOrBounds(type, arguments), visitor, new HashSet<>());
    }

    private TypeUse container(
            ClassFile type, Map<String, String> variables, Consumer<TypeUse> visitor, Set<String> seen)
            throws IOException, MalformedDefinitionException {
        for (TypeUse supertype : direct(type, variables, visitor)) {
            String name = supertype.className();
            if (!name.equals(ITERABLE) && (Containers.isCollection(name) || Containers.isMap(name))) {
                return supertype;
            }
            boolean follow = !name.startsWith("java.") && seen.size() < MAX_SUPERTYPES && seen.add(name);
            ClassFile file = follow ? classes.find(name) : null;
            TypeUse found = file == null
                    ? null
                    : container(file, variablesOrBounds(file, supertype.arguments()), visitor, seen);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private TypeUse find(ClassFile type, Map<String, String> variables, String className, Set<String> seen)
            throws IOException, MalformedDefinitionException {
        for (TypeUse supertype : direct(type, variables, use -> {})) {
            if (supertype.className().equals(className)) {
                return supertype;
            }
            boolean follow = !supertype.className().startsWith("java.")
                    && seen.size() < MAX_SUPERTYPES
                    && seen.add(supertype.className());
            ClassFile file = follow ? classes.find(supertype.className()) : null;
            TypeUse found =
                    file == null ? null : find(file, variablesOrBounds(file, supertype.arguments()), className, seen);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Returns whether the type arguments of a subclass can be those of the declared type: nothing is known of wildcards
     * and of what is missing.
     */
    private static boolean agree(List<String> actual, List<String> declared) {
        for (int i = 0; i < Math.min(actual.size(), declared.size()); i++) {
            String found = actual.get(i);
            String expected = declared.get(i);
            boolean open = found.indexOf(WANTED) >= 0 || found.startsWith(ANY) || expected.startsWith(ANY);
            if (!open && !found.equals(expected)) {
                return false;
            }
        }
        return true;
    }
}
