package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A declared parameter type, as far as it matters to how its argument is written.
 *
 * @param javaName  as Java source has it, {@code java.util.List} or {@code int[]}
 * @param primitive whether null does not fit
 * @param component of an {@link Kind#ARRAY}, else null
 */
record ParameterType(Kind kind, String javaName, boolean primitive, ParameterType component) {

    /** The first ones, up to BIG_DECIMAL, are taken as text in a form, the others as JSON. */
    enum Kind {
        STRING,
        CHAR,
        BOOLEAN,
        BYTE,
        SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        BIG_INTEGER,
        BIG_DECIMAL,
        DATE,
        BYTES,
        CHARS,
        LIST,
        MAP,
        ANY,
        ARRAY,
        UNSUPPORTED;

        boolean isText() {
            return compareTo(BIG_DECIMAL) <= 0;
        }
    }

    private static final int MAX_DIMENSIONS = 255;
    private static final int MAX_PARAMETERS = 255;

    private static final Map<String, Kind> SCALARS = Map.ofEntries(
            Map.entry("java.lang.String", Kind.STRING),
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
            Map.entry("java.lang.Object", Kind.ANY));
    /** Those that hessian-lite makes out of a list that bears no type. */
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
    /** Those that hessian-lite makes out of a map that bears no type. */
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

    /**
     * Reads JVM descriptors, one after the other.
     *
     * @throws CallException BAD_REQUEST if it is no such text
     */
    static ParameterType[] parse(String descriptor) throws CallException {
        List<ParameterType> types = new ArrayList<>();
        int at = 0;
        while (at < descriptor.length()) {
            int end = end(descriptor, at);
            types.add(of(descriptor.substring(at, end)));
            at = end;
        }
        if (types.size() > MAX_PARAMETERS) {
            throw new CallException(Outcome.BAD_REQUEST, "parameter types: " + types.size() + " (expected: up to 255)");
        }
        return types.toArray(ParameterType[]::new);
    }

    private static int end(String descriptor, int begin) throws CallException {
        int at = begin;
        while (at < descriptor.length() && descriptor.charAt(at) == '[') {
            at++;
        }
        boolean tooManyDimensions = at - begin > MAX_DIMENSIONS;
        if (!tooManyDimensions && at < descriptor.length()) {
            if ("ZCBSIJFD".indexOf(descriptor.charAt(at)) >= 0) {
                return at + 1;
            }
            int end = descriptor.indexOf(';', at);
            if (descriptor.charAt(at) == 'L' && isClassName(descriptor, at + 1, end)) {
                return end + 1;
            }
        }
        throw new CallException(
                Outcome.BAD_REQUEST,
                "parameter types: " + Quoted.text(descriptor)
                        + " (expected: JVM descriptors, as Ljava/lang/String;I[J)");
    }

    private static boolean isClassName(String descriptor, int begin, int end) {
        if (begin >= end || descriptor.charAt(begin) == '/' || descriptor.charAt(end - 1) == '/') {
            return false;
        }
        for (int i = begin; i < end; i++) {
            char c = descriptor.charAt(i);
            if (!Character.isJavaIdentifierPart(c) && (c != '/' || descriptor.charAt(i - 1) == '/')) {
                return false;
            }
        }
        return true;
    }

    private static ParameterType of(String descriptor) {
        switch (descriptor.charAt(0)) {
            case 'Z':
                return new ParameterType(Kind.BOOLEAN, "boolean", true, null);
            case 'C':
                return new ParameterType(Kind.CHAR, "char", true, null);
            case 'B':
                return new ParameterType(Kind.BYTE, "byte", true, null);
            case 'S':
                return new ParameterType(Kind.SHORT, "short", true, null);
            case 'I':
                return new ParameterType(Kind.INT, "int", true, null);
            case 'J':
                return new ParameterType(Kind.LONG, "long", true, null);
            case 'F':
                return new ParameterType(Kind.FLOAT, "float", true, null);
            case 'D':
                return new ParameterType(Kind.DOUBLE, "double", true, null);
            case '[':
                ParameterType component = of(descriptor.substring(1));
                String name = component.javaName + "[]";
                return switch (descriptor.charAt(1)) {
                    case 'B' -> new ParameterType(Kind.BYTES, name, false, null);
                    case 'C' -> new ParameterType(Kind.CHARS, name, false, null);
                    default ->
                        new ParameterType(
                                component.kind == Kind.UNSUPPORTED ? Kind.UNSUPPORTED : Kind.ARRAY,
                                name,
                                false,
                                component);
                };
            default:
                return ofClass(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
        }
    }

    private static ParameterType ofClass(String name) {
        Kind kind = SCALARS.get(name);
        if (kind == null) {
            kind = LISTS.contains(name) ? Kind.LIST : MAPS.contains(name) ? Kind.MAP : Kind.UNSUPPORTED;
        }
        return new ParameterType(kind, name, false, null);
    }
}
