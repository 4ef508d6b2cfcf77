package io.dubbomesh.protocol.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads signatures and descriptors of class files (JVMS, sections 4.3 and 4.7.9.1) and writes types as
 * {@link ServiceDefinition} has them, with type variables replaced as far as they are known.
 */
final class ClassSignature {
    private static final String OBJECT = "java.lang.Object";
    private static final int MAX_DEPTH = 32;
    /** Classes are possible whose type arguments grow without end. */
    private static final int MAX_NAME = 1024;

    /** Gets every class that a type consists of. */
    interface Visitor {
        /** @param name {@code className} with its type arguments, of which there may be none */
        void uses(String name, String className, List<String> arguments);
    }

    private final String text;
    private final Map<String, String> variables;
    private final Visitor visitor;
    private int at;
    private boolean sawUnknownVariable;

    /** @param variables the types of type variables, or wildcards for them, as far as they are known */
    ClassSignature(String text, Map<String, String> variables, Visitor visitor) {
        this.text = text;
        this.variables = new HashMap<>(variables);
        this.visitor = visitor;
    }

    /** Returns whether a variable was read whose type is not known. */
    boolean hasUnknownVariable() {
        return sawUnknownVariable;
    }

    /**
     * Reads the type parameters that a class or method may begin with: their names, and their bounds without type
     * arguments.
     */
    Map<String, String> parameters() throws MalformedDefinitionException {
        Map<String, String> bounds = new LinkedHashMap<>();
        if (!take('<')) {
            return bounds;
        }
        while (!take('>')) {
            int begin = at;
            while (peek() != ':') {
                at++;
            }
            String name = text.substring(begin, at);
            // A bound may name a parameter that comes later; its own bounds do not matter then.
            String bound = null;
            while (take(':')) {
                if (peek() != ':') {
                    String next = withoutVisits();
                    bound = bound == null ? next : bound;
                }
            }
            bounds.put(name, bound == null ? OBJECT : bound);
        }
        return bounds;
    }

    private String withoutVisits() throws MalformedDefinitionException {
        ClassSignature bound = new ClassSignature(text, variables, (name, className, arguments) -> {});
        bound.at = at;
        String name = bound.type(0);
        at = bound.at;
        int open = name.indexOf('<');
        return open < 0 ? name : name.substring(0, open);
    }

    /** Replaces a method's own type parameters by their bounds; they hide those of the class. */
    void shadow(Map<String, String> bounds) {
        variables.putAll(bounds);
    }

    /** Returns the types of a method, the last of them what it returns. */
    List<String> method() throws MalformedDefinitionException {
        List<String> types = new ArrayList<>();
        if (!take('(')) {
            throw malformed();
        }
        while (!take(')')) {
            types.add(type(0));
        }
        types.add(take('V') ? "void" : type(0));
        return types;
    }

    boolean isAtEnd() {
        return at == text.length();
    }

    String type() throws MalformedDefinitionException {
        return type(0);
    }

    private String type(int depth) throws MalformedDefinitionException {
        if (depth > MAX_DEPTH) {
            throw malformed();
        }
        char tag = peek();
        at++;
        return switch (tag) {
            case 'Z' -> "boolean";
            case 'C' -> "char";
            case 'B' -> "byte";
            case 'S' -> "short";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            case 'D' -> "double";
            case '[' -> type(depth + 1) + "[]";
            case 'T' -> upperBound(variable());
            case 'L' -> classType(depth);
            default -> throw malformed();
        };
    }

    private String classType(int depth) throws MalformedDefinitionException {
        StringBuilder className = new StringBuilder();
        List<String> arguments = List.of();
        while (true) {
            int begin = at;
            while (";<.".indexOf(peek()) < 0) {
                at++;
            }
            className.append(text, begin, at);
            if (take('<')) {
                arguments = new ArrayList<>();
                while (!take('>')) {
                    arguments.add(argument(depth + 1));
                }
            }
            if (!take('.')) {
                break;
            }
            // A class within a generic one: only its own arguments count.
            className.append('$');
            arguments = List.of();
        }
        if (!take(';') || className.length() == 0) {
            throw malformed();
        }
        String raw = className.toString().replace('/', '.');
        String name = arguments.isEmpty() ? raw : raw + '<' + String.join(",", arguments) + '>';
        if (name.length() > MAX_NAME) {
            return raw;
        }
        visitor.uses(name, raw, arguments);
        return name;
    }

    private String argument(int depth) throws MalformedDefinitionException {
        if (take('*')) {
            return "?";
        }
        if (take('+')) {
            return "? extends " + type(depth);
        }
        if (take('-')) {
            return "? super " + type(depth);
        }
        return take('T') ? variable() : type(depth);
    }

    private String variable() throws MalformedDefinitionException {
        int end = text.indexOf(';', at);
        if (end < 0) {
            throw malformed();
        }
        String type = variables.get(text.substring(at, end));
        at = end + 1;
        sawUnknownVariable |= type == null;
        return type == null ? OBJECT : type;
    }

    /** Returns the replacement of a variable where no wildcard is allowed. */
    private static String upperBound(String type) {
        if (!type.startsWith("?")) {
            return type;
        }
        return type.startsWith("? extends ") ? type.substring("? extends ".length()) : OBJECT;
    }

    private char peek() throws MalformedDefinitionException {
        if (at >= text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private boolean take(char expected) {
        boolean there = at < text.length() && text.charAt(at) == expected;
        at += there ? 1 : 0;
        return there;
    }

    private MalformedDefinitionException malformed() {
        String shown = text.length() <= 64 ? text : text.substring(0, 64) + "...";
        return new MalformedDefinitionException("signature: \"" + shown + "\" (expected: one of a class file)");
    }
}
