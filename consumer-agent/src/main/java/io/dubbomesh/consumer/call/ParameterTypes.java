package io.dubbomesh.consumer.call;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;

import java.util.Map;

/**
 * A method's parameter types as callers write them in a header: JVM descriptors, or names as in Java source with commas
 * between, where a nested class is {@code Outer$Inner}.
 */
public final class ParameterTypes {
    private static final int MAX_DIMENSIONS = 255;
    private static final int SHOWN = 128;
    private static final Map<String, String> PRIMITIVES = Map.of(
            "boolean", "Z",
            "byte", "B",
            "char", "C",
            "short", "S",
            "int", "I",
            "long", "J",
            "float", "F",
            "double", "D");

    private final String text;
    private final StringBuilder descriptor = new StringBuilder();
    private int at;

    private ParameterTypes(String text) {
        this.text = text;
    }

    /**
     * Returns the types as {@link Descriptors}; none for an empty text.
     *
     * @throws CallException BAD_REQUEST if they are written otherwise
     */
    public static String descriptor(String text) throws CallException {
        if (Descriptors.count(text) != Descriptors.MALFORMED) {
            return text;
        }
        ParameterTypes types = new ParameterTypes(text);
        if (types.list(0) && types.at == text.length()) {
            return types.descriptor.toString();
        }
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
        throw new CallException(
                Outcome.BAD_REQUEST,
                "X-Dubbo-Parameter-Types: \"" + shown + "\" (expected: Java types such as"
                        + " int,java.lang.String[],java.util.List<java.lang.Long>, or JVM descriptors such as"
                        + " ILjava/lang/String;)");
    }

    /** Goes over types with commas between; those in angle brackets have a depth. */
    private boolean list(int depth) {
        do {
            skipBlanks();
            if (!(depth > 0 && next("?") ? wildcard(depth) : type(depth))) {
                return false;
            }
            skipBlanks();
        } while (next(","));
        return true;
    }

    private boolean wildcard(int depth) {
        skipBlanks();
        if (next("extends ")) {
            descriptor.append('+');
        } else if (next("super ")) {
            descriptor.append('-');
        } else {
            descriptor.append('*');
            return true;
        }
        skipBlanks();
        return type(depth);
    }

    private boolean type(int depth) {
        int start = descriptor.length();
        int nameEnd = Descriptors.nameEnd(text, at, '.');
        String name = text.substring(at, nameEnd);
        String primitive = PRIMITIVES.get(name);
        at = nameEnd;
        if (primitive != null) {
            descriptor.append(primitive);
        } else if (name.isEmpty() || name.equals("void") || !classType(name, depth)) {
            return false;
        }
        int dimensions = dimensions();
        descriptor.insert(start, "[".repeat(dimensions));
        return dimensions <= MAX_DIMENSIONS && (primitive == null || dimensions > 0 || depth == 0);
    }

    private boolean classType(String name, int depth) {
        descriptor.append('L').append(name.replace('.', '/'));
        skipBlanks();
        if (next("<")) {
            descriptor.append('<');
            if (depth == Descriptors.MAX_DEPTH || !list(depth + 1) || !next(">")) {
                return false;
            }
            descriptor.append('>');
        }
        descriptor.append(';');
        return true;
    }

    private int dimensions() {
        int dimensions = 0;
        while (true) {
            skipBlanks();
            if (next("[")) {
                skipBlanks();
                if (!next("]")) {
                    // Not to be taken for the end of the type.
                    return MAX_DIMENSIONS + 1;
                }
            } else if (!next("...")) {
                return dimensions;
            }
            dimensions++;
        }
    }

    private boolean next(String expected) {
        boolean there = text.startsWith(expected, at);
        if (there) {
            at += expected.length();
        }
        return there;
    }

    private void skipBlanks() {
        while (next(" ")) {
            // The next one.
        }
    }
}
