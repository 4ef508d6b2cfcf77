package io.dubbomesh.protocol.definition;

import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Reads a type's name as {@link java.lang.reflect.Type#getTypeName} and similar methods write it, and writes it as
 * {@link ServiceDefinition} has it: {@code java.util.Map<java.lang.String, ? extends a.B[]>}. Every name of a class in
 * it goes through a function.
 */
final class SourceName {
    private static final Set<String> PRIMITIVES =
            Set.of("void", "boolean", "char", "byte", "short", "int", "long", "float", "double");
    private static final int MAX_LENGTH = 8 * 1024;
    private static final int MAX_DEPTH = 16;
    /** No class has more (JVMS, section 4.4.1). */
    private static final int MAX_DIMENSIONS = 255;

    private final String text;
    private final UnaryOperator<String> classes;
    private int at;

    private SourceName(String text, UnaryOperator<String> classes) {
        this.text = text;
        this.classes = classes;
    }

    static String read(String text, UnaryOperator<String> classes) throws MalformedDefinitionException {
        SourceName reader = new SourceName(text, classes);
        if (text.length() > MAX_LENGTH) {
            throw reader.malformed();
        }
        String name = reader.type(0);
        if (reader.at < text.length()) {
            throw reader.malformed();
        }
        return name;
    }

    static boolean isPrimitive(String name) {
        return PRIMITIVES.contains(name);
    }

    private String type(int depth) throws MalformedDefinitionException {
        skipSpaces();
        if (depth > MAX_DEPTH || at == text.length()) {
            throw malformed();
        }
        if (text.charAt(at) == '?') {
            return wildcard(depth);
        }
        StringBuilder name = new StringBuilder();
        String arguments = "";
        while (true) {
            int begin = at;
            while (at < text.length() && isNamePart(text.charAt(at))) {
                at++;
            }
            name.append(text, begin, at);
            skipSpaces();
            if (!take("<")) {
                break;
            }
            arguments = arguments(depth);
            if (at == text.length() || text.charAt(at) != '$' && text.charAt(at) != '.') {
                break;
            }
            // A class within a generic one: only its own arguments count.
            name.append('$');
            at++;
            at += text.startsWith("$", at) ? 1 : 0;
            arguments = "";
        }
        StringBuilder type = new StringBuilder(className(name.toString())).append(arguments);
        skipSpaces();
        for (int dimensions = 0; take("[]"); dimensions++) {
            if (dimensions == MAX_DIMENSIONS) {
                throw malformed();
            }
            type.append("[]");
            skipSpaces();
        }
        return type.toString();
    }

    private String wildcard(int depth) throws MalformedDefinitionException {
        at++;
        skipSpaces();
        for (String kind : new String[] {"extends ", "super "}) {
            if (take(kind)) {
                return "? " + kind + type(depth + 1);
            }
        }
        return "?";
    }

    private String arguments(int depth) throws MalformedDefinitionException {
        StringBuilder arguments = new StringBuilder("<");
        do {
            arguments.append(arguments.length() > 1 ? "," : "").append(type(depth + 1));
            skipSpaces();
        } while (take(","));
        if (!take(">")) {
            throw malformed();
        }
        return arguments.append('>').toString();
    }

    private String className(String name) throws MalformedDefinitionException {
        if (name.isEmpty() || name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
            throw malformed();
        }
        return PRIMITIVES.contains(name) ? name : classes.apply(name);
    }

    private boolean take(String expected) {
        boolean there = text.startsWith(expected, at);
        at += there ? expected.length() : 0;
        return there;
    }

    private void skipSpaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    /** Returns whether a type's name, or a part of it, is that of a type variable, or of a class without a package. */
    static boolean isVariable(String name) {
        return !PRIMITIVES.contains(name) && name.chars().allMatch(c -> c != '$' && Character.isJavaIdentifierPart(c));
    }

    /**
     * Returns whether the name of a class is none of Java: Dubbo for Go describes a class that has no name in Java by
     * that of its module and package, {@code github.com/acme/shop-api/model.User}.
     */
    static boolean isForeign(String className) {
        return className.chars().anyMatch(c -> isForeign((char) c));
    }

    private static boolean isForeign(char c) {
        return c == '/' || c == '-' || c == '~';
    }

    private static boolean isNamePart(char c) {
        return c == '.' || isForeign(c) || Character.isJavaIdentifierPart(c) && !Character.isISOControl(c);
    }

    private MalformedDefinitionException malformed() {
        String shown = text.length() <= 64 ? text : text.substring(0, 64) + "...";
        return new MalformedDefinitionException("type: \"" + shown + "\" (expected: the name of a Java type)");
    }
}
