package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.definition.ClassFile.Member;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes a {@link ServiceDefinition} out of class files: of a service's interface and of all classes that it uses. No class is loaded. Used
 * for one interface, by one thread.
 *
 * <p>A type is left out, and counts as not known, if it is an interface or abstract, since a value of it is of another class; if its class
 * file or that of a superclass is not there; if it extends a class of the JDK or is a collection, since its fields do not describe its
 * values; and if it is generic and used without type arguments. With them, its name includes them
 * ({@code com.example.Page<com.example.Order>}), and its fields have the types of that use.
 */
public final class ClassDefinitions {
    private static final String OBJECT = "java.lang.Object";
    private static final Set<String> PLAIN_SUPERCLASSES = Set.of(OBJECT, "java.lang.Record");
    private static final Pattern COLLECTION = Pattern.compile(
            "java\\.util\\.(.*\\.)?[A-Za-z]*(Collection|List|Set|Map|Queue|Deque|Iterator|Enumeration)");

    /** A method that hides those of the same signature in superinterfaces, but is not in the source. */
    private static final MethodDefinition NOT_OFFERED = new MethodDefinition("", List.of(), "");

    private static final int MAX_CLASSES = 10_000;
    private static final int MAX_SUPERCLASSES = 100;

    /** Finds class files. */
    @FunctionalInterface
    public interface ClassFiles {
        /** The bytes of the class file of this class, {@code a.B$C}; null if there is none. */
        byte[] find(String className) throws IOException;
    }

    private record Use(String name, String className, List<String> arguments) {}

    private final ClassFiles files;
    private final Map<String, ClassFile> read = new HashMap<>();
    private final Map<String, MethodDefinition> methods = new LinkedHashMap<>();
    private final Set<String> visitedInterfaces = new HashSet<>();
    private final Set<String> used = new HashSet<>();
    private final Queue<Use> undefined = new ArrayDeque<>();
    private final Map<String, TypeDefinition> types = new HashMap<>();

    private ClassDefinitions(ClassFiles files) {
        this.files = files;
    }

    /**
     * Describes the interface; null if its class file is not there.
     *
     * @throws MalformedDefinitionException if a class file is malformed, or that of a superinterface is not there
     * @throws IOException                  what {@code files} throws
     */
    public static ServiceDefinition of(String interfaceName, ClassFiles files)
            throws IOException, MalformedDefinitionException {
        ClassDefinitions definitions = new ClassDefinitions(files);
        ClassFile service = definitions.find(interfaceName);
        if (service != null && !service.is(ClassFile.INTERFACE)) {
            throw new MalformedDefinitionException("class " + interfaceName + ": not an interface");
        }
        return service == null ? null : definitions.service(service);
    }

    private ServiceDefinition service(ClassFile service) throws IOException, MalformedDefinitionException {
        addMethods(service, List.of());
        while (!undefined.isEmpty()) {
            define(undefined.remove());
        }
        return new ServiceDefinition(
                methods.values().stream()
                        .filter(method -> method != NOT_OFFERED)
                        .toList(),
                types);
    }

    private void addMethods(ClassFile type, List<String> arguments) throws IOException, MalformedDefinitionException {
        Map<String, String> bounds = bounds(type);
        Map<String, String> variables = bounds.size() == arguments.size() ? variables(bounds, arguments) : bounds;
        for (Member method : type.methods()) {
            if (!method.is(ClassFile.STATIC | ClassFile.PRIVATE)) {
                String key = method.name()
                        + method.descriptor().substring(0, method.descriptor().indexOf(')') + 1);
                if (!methods.containsKey(key)) {
                    methods.put(key, method.is(ClassFile.SYNTHETIC) ? NOT_OFFERED : method(method, variables));
                }
            }
        }
        for (Use parent : parents(type, variables)) {
            if (!parent.className.startsWith("java.") && visitedInterfaces.add(parent.name)) {
                ClassFile file = find(parent.className);
                if (file == null) {
                    throw new MalformedDefinitionException(
                            "class " + type.name() + ": no class file of " + parent.className);
                }
                addMethods(file, parent.arguments);
            }
        }
    }

    private MethodDefinition method(Member method, Map<String, String> variables) throws MalformedDefinitionException {
        List<String> erased = new ClassSignature(method.descriptor(), Map.of(), (name, raw, arguments) -> {}).method();
        List<String> types = erased;
        if (method.signature() != null) {
            ClassSignature signature = new ClassSignature(method.signature(), variables, this::use);
            signature.shadow(signature.parameters());
            List<String> generic = signature.method();
            types = generic.size() == erased.size() ? generic : erased;
        } else {
            new ClassSignature(method.descriptor(), Map.of(), this::use).method();
        }
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < erased.size() - 1; i++) {
            // The provider finds the method by the erasure of a type variable.
            boolean variable = !raw(types.get(i)).equals(erased.get(i));
            parameters.add(variable ? erased.get(i) : types.get(i));
        }
        return new MethodDefinition(method.name(), parameters, types.get(types.size() - 1));
    }

    private static String raw(String name) {
        int open = name.indexOf('<');
        return open < 0 ? name : name.substring(0, open) + name.substring(name.lastIndexOf('>') + 1);
    }

    /** Of a class's type parameters, in order. */
    private static Map<String, String> bounds(ClassFile type) throws MalformedDefinitionException {
        return type.signature() == null
                ? Map.of()
                : new ClassSignature(type.signature(), Map.of(), (name, raw, arguments) -> {}).parameters();
    }

    private static Map<String, String> variables(Map<String, String> bounds, List<String> arguments) {
        Map<String, String> variables = new HashMap<>();
        int i = 0;
        for (Map.Entry<String, String> bound : bounds.entrySet()) {
            String argument = arguments.get(i++);
            variables.put(bound.getKey(), argument.equals("?") ? "? extends " + bound.getValue() : argument);
        }
        return variables;
    }

    /** The superclass first, then the interfaces. Only their type arguments count as used. */
    private List<Use> parents(ClassFile type, Map<String, String> variables) throws MalformedDefinitionException {
        List<Use> parents = new ArrayList<>();
        if (type.signature() == null) {
            parents.add(new Use(type.superName(), type.superName(), List.of()));
            type.interfaces().forEach(name -> parents.add(new Use(name, name, List.of())));
            return parents;
        }
        List<Use> uses = new ArrayList<>();
        ClassSignature signature = new ClassSignature(
                type.signature(), variables, (name, raw, arguments) -> uses.add(new Use(name, raw, arguments)));
        signature.parameters();
        while (!signature.isAtEnd()) {
            String name = signature.type();
            // A class comes after its type arguments; one with an extremely long name is left out.
            parents.add(uses.isEmpty() ? new Use(name, name, List.of()) : uses.remove(uses.size() - 1));
            uses.forEach(used -> use(used.name, used.className, used.arguments));
            uses.clear();
        }
        if (parents.isEmpty()) {
            throw new MalformedDefinitionException("class " + type.name() + ": a signature without a superclass");
        }
        return parents;
    }

    private void use(String name, String className, List<String> arguments) {
        if (!className.startsWith("java.") && used.size() < MAX_CLASSES && used.add(name)) {
            undefined.add(new Use(name, className, arguments));
        }
    }

    private void define(Use use) throws IOException, MalformedDefinitionException {
        ClassFile file = find(use.className);
        if (file == null) {
            return;
        }
        if (file.is(ClassFile.ENUM)) {
            List<String> constants = new ArrayList<>();
            for (Member field : file.fields()) {
                if (field.is(ClassFile.ENUM)) {
                    constants.add(field.name());
                }
            }
            types.put(use.name, new TypeDefinition(use.className, constants, Map.of()));
        } else if (!file.is(ClassFile.INTERFACE | ClassFile.ABSTRACT)) {
            Map<String, String> fields = fields(file, use.arguments);
            if (fields != null) {
                types.put(use.name, new TypeDefinition(use.className, List.of(), fields));
            }
        }
    }

    /** Those of the topmost class first; null if not all are known. */
    private Map<String, String> fields(ClassFile file, List<String> arguments)
            throws IOException, MalformedDefinitionException {
        List<Map<String, String>> levels = new ArrayList<>();
        ClassFile type = file;
        List<String> typeArguments = arguments;
        while (levels.size() < MAX_SUPERCLASSES) {
            Map<String, String> bounds = bounds(type);
            Map<String, String> variables =
                    bounds.size() == typeArguments.size() ? variables(bounds, typeArguments) : null;
            Map<String, String> level = variables == null ? null : level(type, variables);
            if (level == null) {
                return null;
            }
            levels.add(level);
            List<Use> parents = parents(type, variables);
            for (Use parent : parents) {
                if (COLLECTION.matcher(parent.className).matches()) {
                    return null;
                }
            }
            Use superclass = parents.get(0);
            if (PLAIN_SUPERCLASSES.contains(superclass.className)) {
                Collections.reverse(levels);
                Map<String, String> fields = new LinkedHashMap<>();
                levels.forEach(fields::putAll);
                return fields;
            }
            type = superclass.className.startsWith("java.") ? null : find(superclass.className);
            if (type == null) {
                return null;
            }
            typeArguments = superclass.arguments;
        }
        return null;
    }

    private Map<String, String> level(ClassFile type, Map<String, String> variables)
            throws MalformedDefinitionException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (Member field : type.fields()) {
            if (!field.is(ClassFile.STATIC | ClassFile.TRANSIENT | ClassFile.SYNTHETIC)) {
                String text = field.signature() == null ? field.descriptor() : field.signature();
                ClassSignature signature = new ClassSignature(text, variables, this::use);
                fields.put(field.name(), signature.type());
                if (signature.sawUnknownVariable()) {
                    return null;
                }
            }
        }
        return fields;
    }

    private ClassFile find(String className) throws IOException, MalformedDefinitionException {
        ClassFile known = read.get(className);
        if (known == null && !read.containsKey(className)) {
            byte[] bytes = read.size() < MAX_CLASSES ? files.find(className) : null;
            known = bytes == null ? null : ClassFile.parse(bytes, className);
            read.put(className, known);
        }
        return known;
    }
}
