package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.type.JavaType.Kind;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** Makes types of their names. Only the definitions describe classes that are not of the JDK. */
final class JavaTypes {
    static final JavaType ANY = JavaType.scalar(Kind.ANY, "java.lang.Object", false);

    private static final Map<String, Kind> PRIMITIVES = Map.of(
            "boolean", Kind.BOOLEAN,
            "char", Kind.CHAR,
            "byte", Kind.BYTE,
            "short", Kind.SHORT,
            "int", Kind.INT,
            "long", Kind.LONG,
            "float", Kind.FLOAT,
            "double", Kind.DOUBLE);
    private static final Map<String, Kind> SCALARS = Map.ofEntries(
            Map.entry("java.lang.String", Kind.STRING),
            Map.entry("java.lang.CharSequence", Kind.STRING),
            Map.entry("java.lang.Character", Kind.CHAR),
            Map.entry("java.lang.Boolean", Kind.BOOLEAN),
            Map.entry("java.lang.Byte", Kind.BYTE),
            Map.entry("java.lang.Short", Kind.SHORT),
            Map.entry("java.lang.Integer", Kind.INT),
            Map.entry("java.lang.Long", Kind.LONG),
            Map.entry("java.lang.Float", Kind.FLOAT),
            Map.entry("java.lang.Double", Kind.DOUBLE),
            Map.entry("java.math.BigInteger", Kind.BIG_INTEGER),
            Map.entry("java.math.BigDecimal", Kind.BIG_DECIMAL),
            Map.entry("java.util.Date", Kind.DATE),
            Map.entry("java.sql.Timestamp", Kind.DATE),
            Map.entry("java.sql.Date", Kind.DATE),
            Map.entry("java.sql.Time", Kind.DATE),
            Map.entry("java.util.Calendar", Kind.DATE),
            Map.entry("java.util.GregorianCalendar", Kind.DATE),
            Map.entry("java.lang.Object", Kind.ANY));
    /** Those that hessian-lite makes of a list without a type if the class is declared. */
    private static final Set<String> LISTS = Set.of(
            "java.lang.Iterable",
            "java.util.Collection",
            "java.util.AbstractCollection",
            "java.util.List",
            "java.util.AbstractList",
            "java.util.ArrayList",
            "java.util.LinkedList",
            "java.util.Vector",
            "java.util.Stack",
            "java.util.ArrayDeque",
            "java.util.PriorityQueue",
            "java.util.Set",
            "java.util.AbstractSet",
            "java.util.HashSet",
            "java.util.LinkedHashSet",
            "java.util.SortedSet",
            "java.util.NavigableSet",
            "java.util.TreeSet",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet",
            "java.util.concurrent.ConcurrentSkipListSet",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.LinkedBlockingQueue",
            "java.util.concurrent.LinkedBlockingDeque");
    /** Those that hessian-lite makes of a map without a type if the class is declared. */
    private static final Set<String> MAPS = Set.of(
            "java.util.Map",
            "java.util.AbstractMap",
            "java.util.HashMap",
            "java.util.LinkedHashMap",
            "java.util.SortedMap",
            "java.util.TreeMap",
            "java.util.Hashtable",
            "java.util.WeakHashMap",
            "java.util.IdentityHashMap",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentSkipListMap");

    private final Map<String, TypeDefinition> definitions;
    private final Map<String, JavaType> defined = new HashMap<>();
    private final Queue<JavaType> toLink = new ArrayDeque<>();
    private final Map<JavaType, Boolean> natives = new HashMap<>();

    /** @param definitions by the name of the class */
    JavaTypes(Map<String, TypeDefinition> definitions) {
        this.definitions = definitions;
    }

    /** @param name as Java source has it, see {@link ServiceDefinition} */
    JavaType of(String name) {
        JavaType type = unlinked(name);
        link();
        return type;
    }

    /** One class after the other, not recursively: a chain of classes can be too long for the stack. */
    private void link() {
        JavaType type;
        while ((type = toLink.poll()) != null) {
            Map<String, JavaType> fields = new LinkedHashMap<>();
            type.definition().fields().forEach((field, fieldType) -> fields.put(field, unlinked(fieldType)));
            type.link(fields);
        }
    }

    private JavaType unlinked(String name) {
        if (name.endsWith("[]")) {
            return JavaType.array(unlinked(name.substring(0, name.length() - 2)));
        }
        Kind primitive = PRIMITIVES.get(name);
        if (primitive != null) {
            return JavaType.scalar(primitive, name, true);
        }
        if (name.startsWith("?")) {
            return name.startsWith("? extends ") ? unlinked(name.substring("? extends ".length())) : ANY;
        }
        int open = name.indexOf('<');
        String className = open < 0 ? name : name.substring(0, open);
        Kind scalar = SCALARS.get(className);
        if (scalar != null) {
            return JavaType.scalar(scalar, className, false);
        }
        if (JavaTime.isKnown(className)) {
            return JavaType.scalar(Kind.TIME, className, false);
        }
        if (JdkText.isKnown(className)) {
            return JavaType.scalar(Kind.TEXT, className, false);
        }
        List<String> arguments = open < 0 ? List.of() : TypeNames.split(name.substring(open + 1, name.length() - 1));
        if (LISTS.contains(className)) {
            return JavaType.list(name, className, arguments.size() == 1 ? unlinked(arguments.get(0)) : ANY);
        }
        if (MAPS.contains(className)) {
            boolean typed = arguments.size() == 2;
            return JavaType.map(
                    name,
                    className,
                    typed ? unlinked(arguments.get(0)) : ANY,
                    typed ? unlinked(arguments.get(1)) : ANY);
        }
        return ofClass(name, className);
    }

    /** A generic class has a definition for each use, by its name with type arguments. */
    private JavaType ofClass(String name, String className) {
        JavaType known = defined.get(name);
        if (known != null) {
            return known;
        }
        TypeDefinition definition = definitions.get(name);
        if (definition == null) {
            return JavaType.scalar(Kind.UNKNOWN, className, false);
        }
        if (definition.isEnum()) {
            JavaType type = JavaType.defined(Kind.ENUM, className, definition);
            defined.put(name, type);
            return type;
        }
        boolean isInterface = definition.kind() == TypeDefinition.Kind.INTERFACE;
        JavaType type = JavaType.defined(isInterface ? Kind.INTERFACE : Kind.OBJECT, className, definition);
        defined.put(name, type);
        toLink.add(type);
        return type;
    }

    /** The class or enum of this name that values can be of; null if it is not defined. */
    JavaType definedClass(String className) {
        TypeDefinition definition = definitions.get(className);
        return definition == null || definition.isAbstract() ? null : of(className);
    }

    /**
     * The class or enum of this name; null if it is not defined, or its values cannot be values of {@code declared}.
     */
    JavaType subclass(JavaType declared, String className) {
        if (className.equals(declared.className()) && !declared.definition().isAbstract()) {
            return declared;
        }
        Set<String> subclasses = declared.definition().subclasses();
        if (subclasses == null) {
            JavaType type = definedClass(className);
            // It has all fields of its superclass; nothing else is known.
            boolean fits = type != null
                    && type.kind() == Kind.OBJECT
                    && type.fields().keySet().containsAll(declared.fields().keySet());
            return fits ? type : null;
        }
        if (subclasses.contains(className)) {
            return of(className);
        }
        for (String name : subclasses) {
            // With type arguments, which clients do not name.
            if (name.startsWith(className) && name.startsWith("<", className.length())) {
                return of(name);
            }
        }
        return null;
    }

    boolean knowClasses() {
        return !definitions.isEmpty();
    }

    static boolean isBareCollection(String name) {
        String component = name.replace("[]", "");
        return LISTS.contains(component) || MAPS.contains(component);
    }

    List<JavaType> all(List<String> names) {
        List<JavaType> types = new ArrayList<>();
        names.forEach(name -> types.add(of(name)));
        return types;
    }

    /**
     * Whether all parts of values of this type can be written as their classes. Hessian has no byte, short, float or
     * char where the reader has no declared class.
     */
    boolean isNative(JavaType type) {
        return switch (type.kind()) {
            // Of these there are only as many as declarations and definitions have.
            case ARRAY, LIST, MAP, OBJECT -> natives.computeIfAbsent(type, JavaTypes::hasNativeParts);
            case UNKNOWN -> false;
            default -> true;
        };
    }

    private static boolean hasNativeParts(JavaType whole) {
        Set<JavaType> seen = new HashSet<>();
        Queue<JavaType> left = new ArrayDeque<>(List.of(whole));
        JavaType type;
        while ((type = left.poll()) != null) {
            boolean fits = switch (type.kind()) {
                case UNKNOWN -> false;
                case ARRAY -> left.add(type.element());
                case LIST -> isNativeUndeclared(type.element()) && left.add(type.element());
                case MAP ->
                    isNativeUndeclared(type.key())
                            && isNativeUndeclared(type.element())
                            && left.add(type.key())
                            && left.add(type.element());
                case OBJECT -> !seen.add(type) || addNativeFields(type, left);
                default -> true;
            };
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean addNativeFields(JavaType type, Queue<JavaType> parts) {
        for (Map.Entry<String, JavaType> field : type.fields().entrySet()) {
            if (!type.declares(field.getKey()) && !isNativeUndeclared(field.getValue())) {
                return false;
            }
            parts.add(field.getValue());
        }
        return !hasFloat(type);
    }

    /**
     * hessian-lite 4.0.4, which Dubbo 3.3.6 depends on, writes eight bytes into a field of the primitive type and so
     * over what is behind it in the provider's memory (apache/dubbo issue 15670).
     */
    private static boolean hasFloat(JavaType type) {
        return type.fields().values().stream().anyMatch(field -> field.kind() == Kind.FLOAT && field.isPrimitive());
    }

    /** Whether values of this type arrive as such where the reader has no declared class. */
    static boolean isNativeUndeclared(JavaType type) {
        return switch (type.kind()) {
            case BYTE, SHORT, FLOAT, CHAR, CHARS -> false;
            default -> true;
        };
    }
}
