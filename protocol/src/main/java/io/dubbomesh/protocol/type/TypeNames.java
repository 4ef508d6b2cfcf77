package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;

import java.util.ArrayList;
import java.util.List;

/**
 * The names of types: JVM descriptors, with type arguments as in signatures (JVMS, section 4.7.9.1) but without type
 * variables, and the names of Java source.
 */
public final class TypeNames {
    private static final String PRIMITIVES = "ZCBSIJFD";
    private static final String[] PRIMITIVE_NAMES = {
        "boolean", "char", "byte", "short", "int", "long", "float", "double"
    };
    /**
     * The bound of dimensions of all arrays together: what is known of an array grows with the square of its
     * dimensions.
     */
    private static final int MAX_DIMENSIONS = 255;

    private static final int MAX_TYPES = 255;
    /** Specified in docs/understand/protocol.md. */
    private static final int MAX_DEPTH = 32;

    private final String text;
    private int at;
    /** The dimensions of the arrays so far. */
    private int allDimensions;

    private TypeNames(String text) {
        this.text = text;
    }

    /**
     * Reads concatenated descriptors: {@code Ljava/util/List<Ljava/lang/Long;>;I[J} is
     * {@code java.util.List<java.lang.Long>}, {@code int} and {@code long[]}.
     *
     * @throws CallException BAD_REQUEST if the text is malformed
     */
    public static List<String> ofDescriptor(String descriptor) throws CallException {
        TypeNames reader = new TypeNames(descriptor);
        List<String> names = new ArrayList<>();
        while (reader.at < descriptor.length()) {
            names.add(reader.type(0));
        }
        if (names.size() > MAX_TYPES) {
            throw new CallException(
                    Outcome.BAD_REQUEST, "parameter types: " + names.size() + " (expected: at most " + MAX_TYPES + ")");
        }
        return names;
    }

    private String type(int depth) throws CallException {
        int begin = at;
        while (at < text.length() && text.charAt(at) == '[') {
            at++;
        }
        int dimensions = at - begin;
        allDimensions += dimensions;
        if (allDimensions > MAX_DIMENSIONS) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "parameter types: arrays of more than " + MAX_DIMENSIONS + " dimensions in all: "
                            + Quoted.text(text));
        }
        if (at == text.length() || depth > MAX_DEPTH) {
            throw malformed();
        }
        char first = text.charAt(at++);
        int primitive = PRIMITIVES.indexOf(first);
        if (primitive >= 0 && (depth == 0 || dimensions > 0)) {
            return PRIMITIVE_NAMES[primitive] + "[]".repeat(dimensions);
        }
        if (first != 'L') {
            throw malformed();
        }
        return className(depth) + "[]".repeat(dimensions);
    }

    private String className(int depth) throws CallException {
        int begin = at;
        while (at < text.length() && (isNamePart(text.charAt(at)) || text.charAt(at) == '/')) {
            at++;
        }
        String name = text.substring(begin, at);
        boolean parted = !name.isEmpty() && !name.startsWith("/") && !name.endsWith("/") && !name.contains("//");
        if (!parted || at == text.length()) {
            throw malformed();
        }
        name = name.replace('/', '.');
        if (text.charAt(at) == '<') {
            at++;
            List<String> arguments = new ArrayList<>();
            while (at < text.length() && text.charAt(at) != '>') {
                arguments.add(argument(depth + 1));
            }
            if (arguments.isEmpty() || at++ == text.length()) {
                throw malformed();
            }
            name += '<' + String.join(",", arguments) + '>';
        }
        if (at == text.length() || text.charAt(at++) != ';') {
            throw malformed();
        }
        return name;
    }

    private String argument(int depth) throws CallException {
        switch (text.charAt(at)) {
            case '*' -> {
                at++;
                return "?";
            }
            case '+' -> {
                at++;
                return "? extends " + type(depth);
            }
            case '-' -> {
                at++;
                return "? super " + type(depth);
            }
            default -> {
                return type(depth);
            }
        }
    }

    private static boolean isNamePart(char c) {
        return Character.isJavaIdentifierPart(c) && !Character.isISOControl(c);
    }

    private CallException malformed() {
        return new CallException(
                Outcome.BAD_REQUEST,
                "parameter types: " + Quoted.text(text) + " (expected: JVM descriptors, as Ljava/lang/String;I[J)");
    }

    /** Returns the names without type arguments. */
    public static List<String> erased(List<String> names) {
        return names.stream().map(MethodDefinition::erased).toList();
    }

    /** Returns the descriptors of these types, without type arguments, concatenated. */
    public static String descriptor(List<String> names) {
        StringBuilder descriptor = new StringBuilder();
        for (String name : names) {
            String erased = MethodDefinition.erased(name);
            int dimensions = 0;
            while (erased.endsWith("[]")) {
                erased = erased.substring(0, erased.length() - 2);
                dimensions++;
            }
            descriptor.append("[".repeat(dimensions));
            int primitive = List.of(PRIMITIVE_NAMES).indexOf(erased);
            if (primitive >= 0) {
                descriptor.append(PRIMITIVES.charAt(primitive));
            } else {
                descriptor.append('L').append(erased.replace('.', '/')).append(';');
            }
        }
        return descriptor.toString();
    }

    /**
     * Returns the names that {@link Class#getName()} has of concatenated descriptors without type arguments: {@code
     * java.lang.String}, {@code int}, {@code [J} or {@code [Ljava.lang.String;}.
     */
    public static List<String> classNames(String descriptor) {
        List<String> names = new ArrayList<>();
        int at = 0;
        while (at < descriptor.length()) {
            int begin = at;
            while (descriptor.charAt(at) == '[') {
                at++;
            }
            int first = at;
            boolean isClass = descriptor.charAt(first) == 'L';
            at = isClass ? descriptor.indexOf(';', first) + 1 : first + 1;
            if (first > begin) {
                names.add(descriptor.substring(begin, at).replace('/', '.'));
            } else if (isClass) {
                names.add(descriptor.substring(first + 1, at - 1).replace('/', '.'));
            } else {
                names.add(PRIMITIVE_NAMES[PRIMITIVES.indexOf(descriptor.charAt(first))]);
            }
        }
        return names;
    }

    /** Returns the type arguments of a class; empty if it has none. */
    static List<String> arguments(String name) {
        int open = name.indexOf('<');
        return open < 0 ? List.of() : split(name.substring(open + 1, name.length() - 1));
    }

    /** Splits at the commas that are not within type arguments. */
    static List<String> split(String names) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i <= names.length(); i++) {
            char c = i == names.length() ? ',' : names.charAt(i);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ',' && depth <= 0 || i == names.length()) {
                parts.add(names.substring(begin, i).strip());
                begin = i + 1;
            }
        }
        return parts;
    }
}
