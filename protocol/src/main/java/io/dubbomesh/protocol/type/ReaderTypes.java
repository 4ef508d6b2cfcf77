package io.dubbomesh.protocol.type;

/**
 * The names of types with which a reader that has no declared type, as for a list's elements, makes the right class of
 * a list or a map. Null where it does so anyway: an ArrayList and a HashMap.
 */
final class ReaderTypes {
    private ReaderTypes() {}

    static String ofArray(JavaType type) {
        String component = type.className().substring(0, type.className().indexOf('['));
        int dimensions = (type.className().length() - component.length()) / 2;
        return "[".repeat(dimensions) + component;
    }

    static String ofList(JavaType type) {
        return switch (type.className()) {
            case "java.lang.Iterable",
                    "java.util.Collection",
                    "java.util.AbstractCollection",
                    "java.util.List",
                    "java.util.AbstractList",
                    "java.util.ArrayList" -> null;
            case "java.util.Set", "java.util.AbstractSet" -> "java.util.HashSet";
            case "java.util.SortedSet", "java.util.NavigableSet" -> "java.util.TreeSet";
            default -> type.className();
        };
    }

    static String ofMap(JavaType type) {
        return switch (type.className()) {
            case "java.util.Map", "java.util.AbstractMap", "java.util.HashMap" -> null;
            case "java.util.SortedMap" -> "java.util.TreeMap";
            default -> type.className();
        };
    }
}
