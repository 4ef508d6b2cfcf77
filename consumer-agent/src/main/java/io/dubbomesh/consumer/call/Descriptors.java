package io.dubbomesh.consumer.call;

/**
 * JVM type descriptors that stand one behind the other, where the caller gives them with type arguments, as in JVM
 * signatures: {@code ILjava/util/List<Ljava/lang/Long;>;[J}. Format: JVMS 4.3.2 and 4.7.9.1, of which type variables
 * and arguments of outer classes are left out, since no parameter of a remote method is described so.
 */
final class Descriptors {
    /** The result of {@link #count} for a text that is no descriptor. */
    static final int MALFORMED = -1;
    /** The bound of nested type arguments: no client can make the stack overflow. */
    static final int MAX_DEPTH = 32;

    private Descriptors() {}

    /** Returns the number of the types, or {@link #MALFORMED}. */
    static int count(String text) {
        int count = 0;
        for (int at = 0; at < text.length(); count++) {
            at = typeEnd(text, at, 0);
            if (at == MALFORMED) {
                return MALFORMED;
            }
        }
        return count;
    }

    /** Returns the end of the class name that starts at {@code at}; {@code at} itself if none does. */
    static int nameEnd(String text, int at, char separator) {
        int end = at;
        while (isStart(text, at)) {
            end = at + 1;
            while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                end++;
            }
            if (end == text.length() || text.charAt(end) != separator) {
                return end;
            }
            at = end + 1;
        }
        return end;
    }

    private static boolean isStart(String text, int at) {
        return at < text.length() && Character.isJavaIdentifierStart(text.charAt(at));
    }

    private static int typeEnd(String text, int at, int depth) {
        int kind = at;
        while (is(text, kind, '[')) {
            kind++;
        }
        if (is(text, kind, 'L')) {
            return classEnd(text, kind + 1, depth);
        }
        boolean primitive = kind < text.length() && "ZBCSIJFD".indexOf(text.charAt(kind)) >= 0;
        boolean reference = kind > at;
        return primitive && (reference || depth == 0) ? kind + 1 : MALFORMED;
    }

    private static int classEnd(String text, int name, int depth) {
        int end = nameEnd(text, name, '/');
        if (end > name && is(text, end, '<')) {
            end = argumentsEnd(text, end + 1, depth + 1);
        }
        return end > name && is(text, end, ';') ? end + 1 : MALFORMED;
    }

    private static int argumentsEnd(String text, int first, int depth) {
        int at = depth > MAX_DEPTH ? MALFORMED : first;
        while (at != MALFORMED && !is(text, at, '>')) {
            if (is(text, at, '*')) {
                at++;
            } else {
                boolean bounded = is(text, at, '+') || is(text, at, '-');
                at = typeEnd(text, bounded ? at + 1 : at, depth);
            }
        }
        return at > first ? at + 1 : MALFORMED;
    }

    private static boolean is(String text, int at, char expected) {
        return at < text.length() && text.charAt(at) == expected;
    }
}
