package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.Containers;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.type.JavaType.Kind;

import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes types of their names. Only the definitions describe classes that are not of the JDK. Types are asked for by the
 * event loop of a method and, where an answer takes long, by another thread.
 */
public final class JavaTypes {
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
            Map.entry("java.lang.Object", Kind.ANY),
            // Bounds of what is declared: a value is of the class that its JSON suggests.
            Map.entry("java.io.Serializable", Kind.ANY),
            Map.entry("java.lang.Cloneable", Kind.ANY),
            Map.entry("java.lang.Comparable", Kind.ANY),
            Map.entry("java.lang.Number", Kind.ANY));
    /** The classes that hessian-lite makes of a list without a type if they are declared. */
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
            "java.util.concurrent.LinkedBlockingDeque",
            "java.util.concurrent.LinkedTransferQueue",
            "java.util.concurrent.PriorityBlockingQueue");
    /** The classes that hessian-lite makes of a map without a type if they are declared. */
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
            "java.util.Properties",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentSkipListMap");

    /**
     * The classes that no provider makes: they have no constructor without parameters, or are no class that holds
     * values.
     */
    private static final Set<String> UNMADE = Set.of(
            "java.util.EnumMap",
            "java.util.EnumSet",
            "java.util.Dictionary",
            "java.util.Enumeration",
            "java.util.Iterator",
            "java.util.ListIterator",
            "java.util.AbstractQueue",
            "java.util.AbstractSequentialList",
            "java.util.concurrent.ArrayBlockingQueue");
    /**
     * Classes of the JDK that stand for a text or an address: a generic call hands the text itself to the method, which
     * Dubbo 2.7 then fails to call.
     */
    private static final Set<String> UNMADE_TEXTS = Set.of(
            "java.io.File",
            "java.lang.StringBuffer",
            "java.lang.StringBuilder",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetAddress",
            "java.net.InetSocketAddress",
            "java.net.URL",
            "java.nio.charset.Charset",
            "java.nio.file.Path",
            "java.util.TimeZone",
            "java.util.regex.Pattern");

    /** No value has so many in each other; each takes some of the stack. */
    private static final int MAX_CONTAINERS = 100;

    private static final JavaType STRING = JavaType.scalar(Kind.STRING, "java.lang.String", false);
    private static final String GUAVA = "com.google.common.collect.";
    private static final String ENTRIES_OF_TEXT = "java.util.Properties";
    /** The types of what objects of these classes hold. */
    private static final Map<String, String> HELD = Map.of(
            "java.util.BitSet", "int",
            "java.util.concurrent.atomic.AtomicBoolean", "boolean",
            "java.util.concurrent.atomic.AtomicInteger", "int",
            "java.util.concurrent.atomic.AtomicLong", "long",
            "java.util.concurrent.atomic.AtomicIntegerArray", "int[]",
            "java.util.concurrent.atomic.AtomicLongArray", "long[]",
            "java.util.concurrent.atomic.LongAdder", "long",
            "java.util.concurrent.atomic.DoubleAdder", "double");

    private static final Map<String, String> OPTIONALS = Map.of(
            "java.util.OptionalInt", "java.lang.Integer",
            "java.util.OptionalLong", "java.lang.Long",
            "java.util.OptionalDouble", "java.lang.Double");

    /** The constants of the enums of the JDK that values have; no class file of a service describes them. */
    private static final Map<String, List<String>> JDK_CONSTANTS = Stream.of(
                    DayOfWeek.class,
                    Month.class,
                    ChronoUnit.class,
                    TimeUnit.class,
                    RoundingMode.class,
                    Thread.State.class)
            .collect(Collectors.toUnmodifiableMap(
                    Class::getName,
                    type -> Stream.of(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant).name())
                            .toList()));

    private final Map<String, TypeDefinition> definitions;
    private final Map<String, JavaType> defined = new HashMap<>();
    private final Queue<JavaType> toLink = new ArrayDeque<>();
    private final Map<JavaType, Boolean> natives = new HashMap<>();
    /** Classes that extend a collection or a map, each of elements of the next one, whose types are being made. */
    private int containersAround;

    /** @param definitions by the name of the class */
    public JavaTypes(Map<String, TypeDefinition> definitions) {
        this.definitions = definitions;
    }

    /** @param name as Java source has it, see {@link ServiceDefinition} */
    public synchronized JavaType of(String name) {
        JavaType type = isVariable(name) ? JavaType.scalar(Kind.UNKNOWN, name, false) : unlinked(name);
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
        if (TimeText.isKnown(className)) {
            return JavaType.scalar(Kind.TIME, className, false);
        }
        if (JdkText.isKnown(className)) {
            return JavaType.scalar(Kind.TEXT, className, false);
        }
        if (isVariable(name)) {
            return JavaType.variable(name);
        }
        List<String> arguments = TypeNames.arguments(name);
        if (definitions.containsKey(name)) {
            return ofClass(name, className);
        }
        if (Containers.isCollection(className)) {
            return JavaType.list(name, className, argument(arguments, 0, 1));
        }
        if (Containers.isMap(className)) {
            return JavaType.map(name, className, argument(arguments, 0, 2), argument(arguments, 1, 2));
        }
        if (ENTRIES_OF_TEXT.equals(className)) {
            return JavaType.map(name, className, STRING, STRING);
        }
        if (HELD.containsKey(className)) {
            return JavaType.holder(Kind.HOLDER, name, className, unlinked(HELD.get(className)));
        }
        if (OPTIONALS.containsKey(className)) {
            return JavaType.holder(Kind.OPTIONAL, name, className, unlinked(OPTIONALS.get(className)));
        }
        if (className.equals("java.util.Optional")) {
            return JavaType.holder(Kind.OPTIONAL, name, className, argument(arguments, 0, 1));
        }
        if (className.equals("java.util.concurrent.atomic.AtomicReference")) {
            return JavaType.holder(Kind.HOLDER, name, className, argument(arguments, 0, 1));
        }
        return ofClass(name, className);
    }

    /**
     * Returns whether a name is that of a type variable where it is part of another: it has no package and no
     * definition.
     */
    private boolean isVariable(String name) {
        return name.chars().noneMatch(c -> ".$[".indexOf(c) >= 0)
                && !PRIMITIVES.containsKey(name)
                && !definitions.containsKey(name);
    }

    private JavaType argument(List<String> arguments, int index, int expected) {
        return arguments.size() == expected ? unlinked(arguments.get(index)) : ANY;
    }

    private JavaType ofClass(String name, String className) {
        JavaType known = defined.get(name);
        if (known != null) {
            return known;
        }
        TypeDefinition definition = definition(name, className);
        if (definition == null) {
            return JavaType.scalar(Kind.UNKNOWN, className, false);
        }
        if (definition.container() != null && containersAround == MAX_CONTAINERS) {
            return JavaType.scalar(Kind.UNKNOWN, className, false);
        }
        if (definition.container() != null) {
            // A class whose elements are of the class itself has no end.
            defined.put(name, JavaType.scalar(Kind.UNKNOWN, className, false));
            containersAround++;
            JavaType supertype = unlinked(definition.container().supertype());
            containersAround--;
            JavaType type = JavaType.container(supertype, name, definition);
            defined.put(name, type);
            return type;
        }
        if (definition.isEnum()) {
            JavaType type = JavaType.defined(Kind.ENUM, name, className, definition);
            defined.put(name, type);
            return type;
        }
        boolean isInterface = definition.kind() == TypeDefinition.Kind.INTERFACE;
        JavaType type = JavaType.defined(isInterface ? Kind.INTERFACE : Kind.OBJECT, name, className, definition);
        defined.put(name, type);
        toLink.add(type);
        return type;
    }

    /**
     * A generic class has a definition for each use, by its name with type arguments; in a report, which knows no
     * subclasses, one for all.
     */
    private TypeDefinition definition(String name, String className) {
        TypeDefinition ofUse = definitions.get(name);
        TypeDefinition ofAll = definitions.get(className);
        return ofUse == null && ofAll != null && ofAll.subclasses() == null ? ofAll : ofUse;
    }

    /** Returns the class or enum of this name that values can be of; null if it is not defined. */
    JavaType definedClass(String className) {
        TypeDefinition definition = definitions.get(className);
        boolean isNone = definition == null || definition.isAbstract() || definition.container() != null;
        return isNone ? null : of(className);
    }

    /**
     * Returns the class or enum of this name; null if it is not defined, or its values cannot be values of {@code
     * declared}.
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
        String subclass = subclasses.contains(className) ? className : declared.subclass(className);
        return subclass == null ? null : of(subclass);
    }

    /** Returns the constants of an enum of the JDK that values have; null if it is none. */
    public static List<String> constantsOfJdk(String className) {
        return JDK_CONSTANTS.get(className);
    }

    boolean areClassesKnown() {
        return !definitions.isEmpty();
    }

    static boolean isBareCollection(String name) {
        String component = name.replace("[]", "");
        return Containers.isCollection(component) || Containers.isMap(component);
    }

    List<JavaType> all(List<String> names) {
        List<JavaType> types = new ArrayList<>();
        names.forEach(name -> types.add(of(name)));
        return types;
    }

    /**
     * Returns whether all parts of values of this type can be written as their classes. Hessian has no byte, short,
     * float or char where the reader has no declared class.
     */
    boolean isNative(JavaType type) {
        return switch (type.kind()) {
            // There are only as many of these as declarations and definitions have.
            case ARRAY, LIST, MAP, OBJECT -> natives.computeIfAbsent(type, JavaTypes::hasNativeParts);
            case OPTIONAL, HOLDER, UNKNOWN -> false;
            default -> true;
        };
    }

    private static boolean hasNativeParts(JavaType whole) {
        Set<JavaType> seen = new HashSet<>();
        Queue<JavaType> left = new ArrayDeque<>(List.of(whole));
        JavaType type;
        while ((type = left.poll()) != null) {
            boolean fits = switch (type.kind()) {
                case OPTIONAL, HOLDER, UNKNOWN -> false;
                case ARRAY -> left.add(type.element());
                case LIST ->
                    isMadeByReader(type, LISTS) && isNativeUndeclared(type.element()) && left.add(type.element());
                case MAP ->
                    isMadeByReader(type, MAPS)
                            && isNativeUndeclared(type.key())
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

    /**
     * Returns whether no provider makes a value of this class of what an agent can send, in any serialization and way
     * of the call.
     */
    public static boolean isMadeByNobody(JavaType type) {
        return switch (type.kind()) {
            case OPTIONAL, HOLDER -> true;
            case LIST, MAP ->
                UNMADE.contains(type.className()) || type.className().startsWith(GUAVA);
            case UNKNOWN -> UNMADE_TEXTS.contains(type.className());
            default -> false;
        };
    }

    private static boolean isMadeByReader(JavaType type, Set<String> known) {
        return known.contains(type.className())
                || ReaderTypes.isNamed(type.className())
                || type.definition() != null && type.definition().container().constructible();
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

    /** Returns whether values of this type arrive as such where the reader has no declared class. */
    static boolean isNativeUndeclared(JavaType type) {
        return switch (type.kind()) {
            case BYTE, SHORT, FLOAT, CHAR, CHARS -> false;
            default -> true;
        };
    }
}
