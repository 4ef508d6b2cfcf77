package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.definition.ClassDefinitions.ClassFiles;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Class files, each read once, and which classes extend or implement which. For any number of services; used by one
 * thread.
 */
public final class ClassHierarchy {
    /** The bound of classes that are read. */
    public static final int MAX_CLASSES = 20_000;
    /** The bound of subclasses of one class. */
    private static final int MAX_SUBCLASSES = 1_000;
    /** The bound of names that definitions share. */
    private static final int MAX_NAMES = 100_000;

    private final ClassFiles files;
    private final Subtypes subtypes;
    private final Map<String, ClassFile> read = new HashMap<>();

    public ClassHierarchy(ClassFiles files) {
        this(files, new Subtypes(files));
    }

    /** @param subtypes of these files, which others may use too */
    public ClassHierarchy(ClassFiles files, Subtypes subtypes) {
        this.files = files;
        this.subtypes = subtypes;
    }

    /** Returns which of the files' classes extend or implement which. */
    public Subtypes subtypes() {
        return subtypes;
    }

    /** Returns null if there is no such class file. */
    ClassFile find(String className) throws IOException, MalformedDefinitionException {
        ClassFile known = read.get(className);
        if (known == null && !read.containsKey(className)) {
            byte[] bytes = read.size() < MAX_CLASSES ? files.find(className) : null;
            known = bytes == null ? null : ClassFile.parse(bytes, className);
            if (known != null && !known.name().equals(className)) {
                throw new MalformedDefinitionException("class " + className + ": its file is of another class");
            }
            read.put(className, known);
        }
        return known;
    }
    /** Returns an equal text, the same one for all definitions that are made of these files at a time. */
    String shared(String name) {
        return subtypes.shared(name);
    }

    /**
     * Returns the classes and enums that extend or implement the type, directly or not, the direct ones first; a
     * thousand at most.
     */
    Set<String> concreteSubtypes(String className) throws IOException {
        return subtypes.concrete(className);
    }

    /**
     * Which classes extend or implement which. All class files are read when subclasses are asked for the first time,
     * but no more than 20,000: subclasses that would be found in others are not known. Thread-safe.
     */
    public static final class Subtypes {
        private final ClassFiles files;
        /** Names of classes, methods and fields, of which definitions have the same ones many times. */
        private final Map<String, String> names = new ConcurrentHashMap<>();
        /** The direct subtypes of each type; null until all class files are read. */
        private Map<String, List<String>> direct;
        /** The types that a value can be of: enums, and classes that are not abstract and have a name. */
        private final Set<String> concrete = new HashSet<>();

        private boolean complete = true;
        private int unreadable;
        /** Null if all could be read. */
        private String firstFailure;

        /** @param files which any thread may read */
        public Subtypes(ClassFiles files) {
            this.files = files;
        }

        /** Returns whether there were no more class files than are read when subclasses were asked for. */
        public synchronized boolean areComplete() {
            return complete;
        }

        /** Returns the number of class files that could not be read when subclasses were asked for. */
        public synchronized int unreadable() {
            return unreadable;
        }

        /** Returns the failure of the first of them; null if there is none. */
        public synchronized String firstFailure() {
            return firstFailure;
        }

        private String shared(String name) {
            String known = names.get(name);
            if (known == null && names.size() < MAX_NAMES) {
                known = names.putIfAbsent(name, name);
            }
            return known == null ? name : known;
        }

        private synchronized Set<String> concrete(String className) throws IOException {
            if (direct == null) {
                direct = readAll();
            }
            Set<String> found = new LinkedHashSet<>();
            Set<String> seen = new HashSet<>(Set.of(className));
            Queue<String> left = new ArrayDeque<>(List.of(className));
            String type;
            while ((type = left.poll()) != null && found.size() < MAX_SUBCLASSES) {
                for (String subtype : direct.getOrDefault(type, List.of())) {
                    if (seen.add(subtype)) {
                        left.add(subtype);
                        if (concrete.contains(subtype)) {
                            found.add(subtype);
                        }
                    }
                }
            }
            return found;
        }

        private Map<String, List<String>> readAll() throws IOException {
            Map<String, List<String>> all = new HashMap<>();
            int count = 0;
            for (String name : files.names()) {
                if (++count > MAX_CLASSES) {
                    complete = false;
                    break;
                }
                ClassFile type = declaration(name);
                if (type == null || isUnnamed(type)) {
                    continue;
                }
                if (type.isEnum() || !type.is(ClassFile.INTERFACE | ClassFile.ABSTRACT)) {
                    concrete.add(type.name());
                }
                if (!type.isEnum()) {
                    all.computeIfAbsent(type.superName(), key -> new ArrayList<>())
                            .add(type.name());
                }
                type.interfaces()
                        .forEach(parent -> all.computeIfAbsent(parent, key -> new ArrayList<>())
                                .add(type.name()));
            }
            return all;
        }

        /** Returns null also if the file is malformed or cannot be read: it may have nothing to do with any service. */
        private ClassFile declaration(String name) {
            byte[] bytes;
            try {
                bytes = files.find(name);
            } catch (IOException e) {
                firstFailure = unreadable++ == 0 ? e.getMessage() : firstFailure;
                return null;
            }
            if (bytes == null) {
                return null;
            }
            try {
                ClassFile type = ClassFile.parseDeclaration(bytes, name);
                return type.superName() == null || !type.name().equals(name) ? null : type;
            } catch (MalformedDefinitionException e) {
                return null;
            }
        }

        /**
         * Anonymous and local classes, of which the bodies of an enum's constants are some, have a number in their
         * names.
         */
        private static boolean isUnnamed(ClassFile type) {
            int last = type.name().lastIndexOf('$') + 1;
            return last > 0
                            && last < type.name().length()
                            && Character.isDigit(type.name().charAt(last))
                    || type.is(ClassFile.SYNTHETIC);
        }
    }
}
