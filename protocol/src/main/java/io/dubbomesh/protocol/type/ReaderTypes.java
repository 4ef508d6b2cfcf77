package io.dubbomesh.protocol.type;

import java.util.Map;

/**
 * The names of types with which a reader makes the right class of a list or a map where the class that it knows is not
 * enough. Null where it does so anyway: an ArrayList and a HashMap where it knows nothing, and what it makes of the
 * class that is declared.
 */
final class ReaderTypes {
    static final String ANYTHING = "java.lang.Object";
    private static final String LIST = "java.util.ArrayList";
    private static final String MAP = "java.util.HashMap";

    /** The classes of values whose declared type has no class that a reader knows. */
    private static final Map<String, String> UNMADE = Map.of(
            "java.util.Queue", "java.util.LinkedList",
            "java.util.Deque", "java.util.LinkedList",
            "java.util.concurrent.BlockingQueue", "java.util.concurrent.LinkedBlockingQueue",
            "java.util.concurrent.BlockingDeque", "java.util.concurrent.LinkedBlockingDeque",
            "java.util.NavigableMap", "java.util.TreeMap",
            "java.util.concurrent.ConcurrentMap", "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentNavigableMap", "java.util.concurrent.ConcurrentSkipListMap");

    private ReaderTypes() {}

    /** Returns whether a reader makes one if it is told of which class. */
    static boolean isNamed(String className) {
        return UNMADE.containsKey(className);
    }

    static String ofArray(JavaType type, String known) {
        if (known.equals(type.className())) {
            return null;
        }
        String component = type.className().substring(0, type.className().indexOf('['));
        int dimensions = (type.className().length() - component.length()) / 2;
        return "[".repeat(dimensions) + component;
    }

    /** @param known the class that the reader knows of the value */
    static String ofList(JavaType type, String known) {
        String made = switch (type.className()) {
            case "java.lang.Iterable",
                    "java.util.Collection",
                    "java.util.AbstractCollection",
                    "java.util.List",
                    "java.util.AbstractList" -> LIST;
            case "java.util.Set", "java.util.AbstractSet" -> "java.util.HashSet";
            case "java.util.SortedSet", "java.util.NavigableSet" -> "java.util.TreeSet";
            default -> UNMADE.getOrDefault(type.className(), type.className());
        };
        return name(type, known, made, LIST);
    }

    static String ofMap(JavaType type, String known) {
        return name(type, known, madeMap(type), MAP);
    }

    private static String madeMap(JavaType type) {
        return switch (type.className()) {
            case "java.util.Map", "java.util.AbstractMap" -> MAP;
            case "java.util.SortedMap" -> "java.util.TreeMap";
            default -> UNMADE.getOrDefault(type.className(), type.className());
        };
    }

    /**
     * Returns the class of a map that the provider converts: Dubbo 2.7 makes a HashMap of every other, and later
     * versions where an interface is declared. It must not be one that orders its keys unless they are scalars: others
     * are maps then.
     */
    static String ofConvertedMap(JavaType type) {
        String made = madeMap(type);
        boolean fits = type.key().kind().isText() || type.key().kind() == JavaType.Kind.ENUM;
        return made.equals(MAP) || !fits ? null : made;
    }

    private static String name(JavaType type, String known, String made, String ofAnything) {
        boolean isMade =
                known.equals(type.className()) ? !isNamed(known) : known.equals(ANYTHING) && made.equals(ofAnything);
        return isMade ? null : made;
    }

    /** Returns the class of a list in JSON of which no class is declared. */
    static String ofList(String known) {
        return known.equals(ANYTHING) ? null : LIST;
    }

    static String ofMap(String known) {
        return known.equals(ANYTHING) ? null : MAP;
    }
}
