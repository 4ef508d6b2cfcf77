package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Annotation;
import io.dubbomesh.protocol.definition.ClassFile.Member;
import io.dubbomesh.protocol.definition.MethodCode.Access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** The code of a class and its superclasses as far as it concerns the fields. */
final class Construction {
    private static final String CONSTRUCTOR = "<init>";
    private static final int MAX_METHODS = 1_000;

    private final Map<String, ClassFile> classes = new HashMap<>();
    /** The methods by their {@link #key}. */
    private final Map<String, List<Member>> methods = new HashMap<>();

    /** @param levels the class and its superclasses, without those of the JDK */
    Construction(List<ClassFile> levels) {
        for (ClassFile level : levels) {
            classes.put(level.name(), level);
            for (Member method : level.methods()) {
                methods.computeIfAbsent(key(level.name(), method.name(), method.descriptor()), key -> new ArrayList<>())
                        .add(method);
            }
        }
    }

    /** A call names a class that has the method, and not the one that declares it or the one that overrides it. */
    private static String key(String owner, String name, String descriptor) {
        return (name.equals(CONSTRUCTOR) ? owner : "") + name + descriptor;
    }

    /**
     * Returns the fields to which the constructor without parameters assigns anything but null or zero, with all
     * constructors and methods of the class that it calls; none if there is no such constructor.
     */
    Set<String> assigned(ClassFile type) {
        Set<String> assigned = new HashSet<>();
        Set<Access> called = new HashSet<>();
        Queue<Access> left = new ArrayDeque<>();
        left.add(new Access(MethodCode.Use.CALL, type.name(), CONSTRUCTOR, "()V", false));
        Access call;
        while ((call = left.poll()) != null && called.size() < MAX_METHODS) {
            List<Member> callable = called.add(call)
                    ? methods.getOrDefault(key(call.owner(), call.name(), call.descriptor()), List.of())
                    : List.of();
            for (Member method : callable) {
                for (Access access : method.code().accesses()) {
                    boolean isOwn = classes.containsKey(access.owner());
                    if (isOwn && access.use() == MethodCode.Use.WRITE && !access.ofZero()) {
                        assigned.add(access.name());
                    } else if (isOwn && access.use() == MethodCode.Use.CALL) {
                        left.add(access);
                    }
                }
            }
        }
        return assigned;
    }

    /** Returns whether one of the classes mentions annotations of JSON libraries. */
    boolean isForJson() {
        return classes.values().stream().anyMatch(ClassFile::isForJson);
    }

    /** Returns the fields by the names of the properties whose getters return them and whose setters set them. */
    Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        for (ClassFile type : classes.values()) {
            for (Member method : type.methods()) {
                String property = method.is(ClassFile.STATIC) ? null : property(method.name());
                if (property != null && method.code().isAccessor()) {
                    Access field = method.code().accesses().get(0);
                    properties.merge(property, field.name(), (first, second) -> first.equals(second) ? first : "");
                }
            }
        }
        properties.values().removeIf(String::isEmpty);
        return properties;
    }

    /** Returns the annotations of the getters that do nothing but return a field, by its name. */
    Map<String, List<Annotation>> annotationsOfGetters() {
        Map<String, List<Annotation>> annotations = new HashMap<>();
        for (ClassFile type : classes.values()) {
            for (Member method : type.methods()) {
                boolean isGetter = !method.is(ClassFile.STATIC)
                        && method.descriptor().startsWith("()")
                        && method.code().isAccessor()
                        && property(method.name()) != null;
                if (isGetter && !method.annotations().isEmpty()) {
                    String field = method.code().accesses().get(0).name();
                    annotations.computeIfAbsent(field, key -> new ArrayList<>()).addAll(method.annotations());
                }
            }
        }
        return annotations;
    }

    private static String property(String method) {
        int prefix = method.startsWith("get") || method.startsWith("set") ? 3 : method.startsWith("is") ? 2 : -1;
        if (prefix < 0 || method.length() == prefix || Character.isLowerCase(method.charAt(prefix))) {
            return null;
        }
        return method.substring(prefix, prefix + 1).toLowerCase(Locale.ROOT) + method.substring(prefix + 1);
    }
}
