package io.dubbomesh.protocol.definition;

import java.util.Set;
import java.util.regex.Pattern;

/** The collections and maps of the JDK and of Guava by their names. */
public final class Containers {
    private static final Set<String> COLLECTIONS = Set.of(
            "java.lang.Iterable",
            "java.util.AbstractCollection",
            "java.util.AbstractList",
            "java.util.AbstractQueue",
            "java.util.AbstractSequentialList",
            "java.util.AbstractSet",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Collection",
            "java.util.Deque",
            "java.util.EnumSet",
            "java.util.Enumeration",
            "java.util.HashSet",
            "java.util.Iterator",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.List",
            "java.util.ListIterator",
            "java.util.NavigableSet",
            "java.util.PriorityQueue",
            "java.util.Queue",
            "java.util.SequencedCollection",
            "java.util.SequencedSet",
            "java.util.Set",
            "java.util.SortedSet",
            "java.util.Stack",
            "java.util.TreeSet",
            "java.util.Vector",
            "java.util.concurrent.ArrayBlockingQueue",
            "java.util.concurrent.BlockingDeque",
            "java.util.concurrent.BlockingQueue",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.ConcurrentSkipListSet",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet",
            "java.util.concurrent.LinkedBlockingDeque",
            "java.util.concurrent.LinkedBlockingQueue",
            "java.util.concurrent.LinkedTransferQueue",
            "java.util.concurrent.PriorityBlockingQueue",
            "java.util.concurrent.TransferQueue");
    private static final Set<String> MAPS = Set.of(
            "java.util.AbstractMap",
            "java.util.Dictionary",
            "java.util.EnumMap",
            "java.util.HashMap",
            "java.util.Hashtable",
            "java.util.IdentityHashMap",
            "java.util.LinkedHashMap",
            "java.util.Map",
            "java.util.NavigableMap",
            "java.util.SequencedMap",
            "java.util.SortedMap",
            "java.util.TreeMap",
            "java.util.WeakHashMap",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentMap",
            "java.util.concurrent.ConcurrentNavigableMap",
            "java.util.concurrent.ConcurrentSkipListMap");
    private static final Pattern GUAVA_COLLECTION = Pattern.compile("com\\.google\\.common\\.collect\\."
            + "(Immutable(Sorted)?(Collection|List|Set|Multiset)|(Hash|Tree|Linked|LinkedHash)?Multiset)");
    private static final Pattern GUAVA_MAP =
            Pattern.compile("com\\.google\\.common\\.collect\\.(Immutable(Sorted|Bi)?|Bi|HashBi)Map");

    private Containers() {}

    /** @param className without type arguments */
    public static boolean isCollection(String className) {
        return COLLECTIONS.contains(className)
                || GUAVA_COLLECTION.matcher(className).matches();
    }

    /** @param className without type arguments */
    public static boolean isMap(String className) {
        return MAPS.contains(className) || GUAVA_MAP.matcher(className).matches();
    }
}
