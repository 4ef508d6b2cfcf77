package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Annotation;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.constraint.DeclaredConstraints;
import io.dubbomesh.protocol.definition.ClassFile.Member;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.TypeDefinition.Kind;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes a {@link ServiceDefinition} out of class files: of a service's interface, of all classes that it uses, and of
 * their subclasses. No class is loaded. Used for one interface, by one thread.
 *
 * <p>A type is left out, and counts as not known, if it is an interface or abstract and no subclass of it is known,
 * since a value of it is of another class; if its class file or that of a superclass is not there; if it extends a
 * class of the JDK that is no collection and no map, since its fields do not describe its values; and if it is generic
 * and used without type arguments. With them, its name includes them ({@code com.example.Page<com.example.Order>}), and
 * its fields have the types of that use.
 */
public final class ClassDefinitions {
    private static final String OBJECT = "java.lang.Object";
    private static final Set<String> PLAIN_SUPERCLASSES = Set.of(OBJECT, "java.lang.Record");
    /** The characters between the names of classes in the name of a type. */
    private static final Pattern NO_NAME = Pattern.compile("[<>,?\\[\\] ]+(extends |super )?");

    private static final Fields NO_FIELDS = new Fields(Map.of(), FieldFacts.NONE);

    /** A method that hides those of the same signature in superinterfaces, but is not in the source. */
    private static final MethodDefinition NOT_OFFERED = new MethodDefinition("", List.of(), "");

    private static final int MAX_CLASSES = 10_000;
    private static final int MAX_SUPERCLASSES = 100;
    /**
     * The bound of superinterfaces: with different type arguments an interface counts several times, as only malformed
     * class files have it.
     */
    private static final int MAX_SUPERINTERFACES = 1_000;

    /** Finds class files. */
    @FunctionalInterface
    public interface ClassFiles {
        /** Returns the bytes of the class file of this class, {@code a.B$C}; null if there is none. */
        byte[] find(String className) throws IOException;

        /** Returns the names of all class files, among which subclasses are looked for. */
        default Collection<String> names() throws IOException {
            return List.of();
        }
    }

    /**
     * The fields that one class declares.
     *
     * @param bounds      of those whose declared type is a type variable, see {@link FieldFacts}
     * @param annotations of all of them; likewise those of their elements
     */
    private record ClassLevel(
            Map<String, String> fields,
            Map<String, String> bounds,
            Map<String, List<Annotation>> annotations,
            Map<String, List<Annotation>> elementAnnotations) {}

    /** The fields of a class and its superclasses. */
    private record Fields(Map<String, String> types, FieldFacts facts) {}

    private final ClassHierarchy classes;
    private final Supertypes supertypes;
    private final Map<String, MethodDefinition> methods = new LinkedHashMap<>();
    /**
     * The signatures of the methods of subinterfaces: a method of the same is inherited, though maybe under another
     * descriptor.
     */
    private final Set<String> signatures = new HashSet<>();

    private final Set<String> visitedInterfaces = new HashSet<>();
    private final Set<String> used = new HashSet<>();
    private final Queue<TypeUse> undefined = new ArrayDeque<>();
    private final Map<String, TypeDefinition> types = new HashMap<>();

    private final String interfaceName;
    /** Null until they are looked for. */
    private List<ClassFile> implementations;

    private ClassDefinitions(String interfaceName, ClassHierarchy classes) {
        this.interfaceName = interfaceName;
        this.classes = classes;
        supertypes = new Supertypes(classes);
    }

    /**
     * Describes the interface; null if its class file is not there.
     *
     * @throws MalformedDefinitionException if a class file is malformed, or that of a superinterface is not there
     * @throws IOException                  what reading class files throws
     */
    public static ServiceDefinition of(String interfaceName, ClassHierarchy classes)
            throws IOException, MalformedDefinitionException {
        ClassDefinitions definitions = new ClassDefinitions(interfaceName, classes);
        ClassFile service = classes.find(interfaceName);
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
                withDefinedSubclasses(),
                DefinitionSource.CLASS_FILES);
    }

    /**
     * Returns the types without the subclasses that are not known themselves, and without abstract types that then have
     * none.
     */
    private Map<String, TypeDefinition> withDefinedSubclasses() throws IOException, MalformedDefinitionException {
        Set<String> mentioned = mentioned();
        Map<String, TypeDefinition> known = new HashMap<>();
        types.forEach((name, type) -> {
            Set<String> defined = new LinkedHashSet<>(type.subclasses());
            defined.removeIf(subclass -> {
                TypeDefinition definition = types.get(subclass);
                return definition == null || definition.container() != null;
            });
            if (!type.isAbstract() || !defined.isEmpty()) {
                known.put(name, type.with(defined, mentioned.contains(type.name())));
            }
        });
        return known;
    }

    /** Returns the classes that methods and the fields and superclasses of such classes mention. */
    private Set<String> mentioned() throws IOException, MalformedDefinitionException {
        Map<String, Set<String>> fieldTypes = new HashMap<>();
        types.values()
                .forEach(type -> fieldTypes
                        .computeIfAbsent(type.name(), name -> new HashSet<>())
                        .addAll(type.fields().values()));
        Set<String> mentioned = new HashSet<>();
        Queue<String> left = new ArrayDeque<>();
        for (MethodDefinition method : methods.values()) {
            method.parameterTypes().forEach(type -> addClasses(type, left));
            addClasses(method.returnType(), left);
        }
        String name;
        while ((name = left.poll()) != null) {
            if (name.startsWith("java.") || !mentioned.add(name)) {
                continue;
            }
            fieldTypes.getOrDefault(name, Set.of()).forEach(type -> addClasses(type, left));
            ClassFile file = classes.find(name);
            if (file != null) {
                left.add(file.superName());
                left.addAll(file.interfaces());
            }
        }
        return mentioned;
    }

    private static void addClasses(String type, Collection<String> names) {
        for (String name : NO_NAME.split(type)) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
    }

    private void addMethods(ClassFile type, List<String> arguments) throws IOException, MalformedDefinitionException {
        Map<String, String> variables = Supertypes.variables(type, arguments);
        if (variables == null) {
            variables = Supertypes.bounds(type);
            variables.values().forEach(this::use);
        }
        List<String> declared = new ArrayList<>();
        for (Member method : type.methods()) {
            if (!method.is(ClassFile.STATIC | ClassFile.PRIVATE)) {
                String key = method.name()
                        + method.descriptor().substring(0, method.descriptor().indexOf(')') + 1);
                if (!methods.containsKey(key)) {
                    MethodDefinition definition =
                            method.is(ClassFile.SYNTHETIC) ? NOT_OFFERED : method(method, variables);
                    String signature = definition.name()
                            + definition.parameterTypes().stream()
                                    .map(MethodDefinition::erased)
                                    .toList();
                    declared.add(signature);
                    methods.put(key, signatures.contains(signature) ? NOT_OFFERED : definition);
                }
            }
        }
        signatures.addAll(declared);
        for (TypeUse parent : Supertypes.direct(type, variables, this::use)) {
            if (!parent.className().startsWith("java.") && visitedInterfaces.add(parent.name())) {
                if (visitedInterfaces.size() > MAX_SUPERINTERFACES) {
                    throw new MalformedDefinitionException(
                            "class " + type.name() + ": more than " + MAX_SUPERINTERFACES + " superinterfaces");
                }
                ClassFile file = classes.find(parent.className());
                if (file == null) {
                    throw new MalformedDefinitionException(
                            "class " + type.name() + ": no class file of " + parent.className());
                }
                addMethods(file, parent.arguments());
            }
        }
    }

    private MethodDefinition method(Member method, Map<String, String> variables)
            throws IOException, MalformedDefinitionException {
        List<String> erased = new ClassSignature(method.descriptor(), Map.of(), (name, raw, arguments) -> {}).method();
        List<String> types = erased;
        if (method.signature() != null) {
            ClassSignature signature = new ClassSignature(method.signature(), variables, this::use);
            Map<String, String> own = signature.parameters();
            own.values().forEach(this::use);
            signature.shadow(own);
            List<String> generic = signature.method();
            types = generic.size() == erased.size() ? generic : erased;
        } else {
            new ClassSignature(method.descriptor(), Map.of(), this::use).method();
        }
        int parameters = erased.size() - 1;
        List<String> erasedParameters = shared(erased.subList(0, parameters));
        return new MethodDefinition(
                classes.shared(method.name()),
                shared(types.subList(0, parameters)),
                classes.shared(types.get(parameters)),
                erasedParameters,
                new ParameterFacts(
                        shared(parameterNames(method, erasedParameters)),
                        method.parameterAnnotations(parameters).stream()
                                .map(DeclaredConstraints::of)
                                .toList()));
    }

    private List<String> shared(List<String> names) {
        return names.stream().map(classes::shared).toList();
    }

    /**
     * Returns the names in the interface's class file, else those on which all implementations agree whose class files
     * are there: compilers write the names of an abstract method's parameters only if they are told to.
     */
    private List<String> parameterNames(Member method, List<String> types)
            throws IOException, MalformedDefinitionException {
        List<String> names = method.parameterNames(types);
        if (!names.isEmpty() || types.isEmpty()) {
            return names;
        }
        Set<List<String>> known = new HashSet<>();
        for (ClassFile implementation : implementations()) {
            for (Member other : implementation.methods()) {
                if (other.name().equals(method.name()) && other.descriptor().equals(method.descriptor())) {
                    known.add(other.parameterNames(types));
                }
            }
        }
        known.remove(List.of());
        return known.size() == 1 ? known.iterator().next() : List.of();
    }

    private List<ClassFile> implementations() throws IOException, MalformedDefinitionException {
        if (implementations == null) {
            implementations = new ArrayList<>();
            for (String name : classes.concreteSubtypes(interfaceName)) {
                ClassFile file = classes.find(name);
                if (file != null) {
                    implementations.add(file);
                }
            }
        }
        return implementations;
    }

    private void use(TypeUse type) {
        use(type.name(), type.className(), type.arguments());
    }

    private void use(String className) {
        use(className, className, List.of());
    }

    /** Has a type described; a stream is none, but its messages are of one. */
    private void use(String name, String className, List<String> arguments) {
        if (!className.startsWith("java.")
                && !MethodDefinition.isObserver(className)
                && used.size() < MAX_CLASSES
                && used.add(name)) {
            undefined.add(new TypeUse(name, className, arguments));
        }
    }

    private void define(TypeUse use) throws IOException, MalformedDefinitionException {
        ClassFile file = classes.find(use.className());
        if (file == null) {
            return;
        }
        if (file.isEnum()) {
            List<String> constants = new ArrayList<>();
            for (Member field : file.fields()) {
                if (field.is(ClassFile.ENUM)) {
                    constants.add(field.name());
                }
            }
            types.put(
                    use.name(),
                    new TypeDefinition(use.className(), Kind.ENUM, constants, Map.of(), Set.of(), Set.of()));
            return;
        }
        Kind kind = file.is(ClassFile.INTERFACE)
                ? Kind.INTERFACE
                : file.is(ClassFile.ABSTRACT) ? Kind.ABSTRACT_CLASS : file.isRecord() ? Kind.RECORD : Kind.CLASS;
        TypeUse container = supertypes.container(file, use.arguments(), this::use);
        if (container != null) {
            types.put(use.name(), container(use, kind, container.name(), file));
            return;
        }
        Fields fields = kind == Kind.INTERFACE ? NO_FIELDS : fields(file, use.arguments());
        if (fields != null) {
            types.put(
                    use.name(),
                    new TypeDefinition(
                            use.className(),
                            kind,
                            List.of(),
                            shared(fields.types),
                            fields.facts,
                            file.is(ClassFile.FINAL) ? Set.of() : subclasses(use),
                            false,
                            null));
        }
    }

    private Map<String, String> shared(Map<String, String> fields) {
        Map<String, String> shared = new LinkedHashMap<>();
        fields.forEach((field, type) -> shared.put(classes.shared(field), classes.shared(type)));
        return shared;
    }

    private static TypeDefinition container(TypeUse use, Kind kind, String supertype, ClassFile file) {
        boolean constructible = kind == Kind.CLASS
                && file.is(ClassFile.PUBLIC)
                && file.methods().stream().anyMatch(method -> method.is(ClassFile.PUBLIC) && method.isConstructor());
        return new TypeDefinition(
                use.className(),
                kind,
                List.of(),
                Map.of(),
                FieldFacts.NONE,
                Set.of(),
                false,
                new TypeDefinition.Container(supertype, constructible));
    }

    private Set<String> subclasses(TypeUse declared) throws IOException {
        Set<String> subclasses = new LinkedHashSet<>();
        for (String className : classes.concreteSubtypes(declared.className())) {
            try {
                TypeUse subclass = supertypes.asSubtypeOf(declared, className);
                if (subclass != null) {
                    use(subclass);
                    subclasses.add(subclass.name());
                }
            } catch (MalformedDefinitionException e) {
                // The service itself does not mention this class.
                continue;
            }
        }
        return subclasses;
    }

    /** Returns the fields, those of the topmost class first; null if not all are known. */
    private Fields fields(ClassFile file, List<String> arguments) throws IOException, MalformedDefinitionException {
        List<ClassLevel> levels = new ArrayList<>();
        List<ClassFile> files = new ArrayList<>();
        ClassFile type = file;
        List<String> typeArguments = arguments;
        while (levels.size() < MAX_SUPERCLASSES) {
            Map<String, String> variables = Supertypes.variables(type, typeArguments);
            ClassLevel level = variables == null ? null : level(type, variables);
            if (level == null) {
                return null;
            }
            levels.add(level);
            files.add(type);
            TypeUse superclass = Supertypes.direct(type, variables, this::use).get(0);
            if (PLAIN_SUPERCLASSES.contains(superclass.className())) {
                return joined(levels, new Construction(files), file);
            }
            type = superclass.className().startsWith("java.") ? null : classes.find(superclass.className());
            if (type == null) {
                return null;
            }
            typeArguments = superclass.arguments();
        }
        return null;
    }

    /** @param levels the subclass first; its field hides one of the same name */
    private static Fields joined(List<ClassLevel> levels, Construction construction, ClassFile type) {
        Collections.reverse(levels);
        Map<String, String> fields = new LinkedHashMap<>();
        Map<String, String> bounds = new HashMap<>();
        Map<String, List<Annotation>> annotations = new HashMap<>();
        Map<String, List<Annotation>> ofElements = new HashMap<>();
        for (ClassLevel level : levels) {
            fields.putAll(level.fields);
            annotations.putAll(level.annotations);
            ofElements.putAll(level.elementAnnotations);
            bounds.keySet().removeAll(level.fields.keySet());
            bounds.putAll(level.bounds);
        }
        return new Fields(
                fields,
                new FieldFacts(
                        bounds,
                        type.isRecord() ? Set.of() : construction.assigned(type),
                        type.isRecord() ? Map.of() : construction.properties(),
                        constraints(annotations, ofElements, construction),
                        construction.isForJson()));
    }

    private static Map<String, List<Constraint>> constraints(
            Map<String, List<Annotation>> ofFields,
            Map<String, List<Annotation>> ofElements,
            Construction construction) {
        Map<String, List<Annotation>> ofGetters = construction.annotationsOfGetters();
        Map<String, List<Constraint>> constraints = new HashMap<>();
        ofFields.forEach((field, annotations) -> {
            Set<Annotation> both = new LinkedHashSet<>(annotations);
            both.addAll(ofGetters.getOrDefault(field, List.of()));
            List<Constraint> declared = new ArrayList<>(DeclaredConstraints.of(List.copyOf(both)));
            List<Constraint> elements = DeclaredConstraints.of(ofElements.get(field));
            if (!elements.isEmpty()) {
                declared.add(new Constraint.Elements(elements));
            }
            if (!declared.isEmpty()) {
                constraints.put(field, List.copyOf(declared));
            }
        });
        return constraints;
    }

    private ClassLevel level(ClassFile type, Map<String, String> variables) throws MalformedDefinitionException {
        ClassLevel level = new ClassLevel(new LinkedHashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
        for (Member field : type.fields()) {
            if (!field.is(ClassFile.STATIC | ClassFile.TRANSIENT | ClassFile.SYNTHETIC)) {
                String erased = new ClassSignature(field.descriptor(), Map.of(), (name, raw, arguments) -> {}).type();
                String text = field.signature() == null ? field.descriptor() : field.signature();
                ClassSignature signature = new ClassSignature(text, variables, this::use);
                String resolved = signature.type();
                if (signature.hasUnknownVariable()) {
                    return null;
                }
                level.fields.put(field.name(), resolved);
                level.annotations.put(field.name(), field.annotations());
                level.elementAnnotations.put(field.name(), field.elementAnnotations());
                if (!MethodDefinition.erased(resolved).equals(erased)) {
                    level.bounds.put(field.name(), erased);
                }
            }
        }
        return level;
    }
}
