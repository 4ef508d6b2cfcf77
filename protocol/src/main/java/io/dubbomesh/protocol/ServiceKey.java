package io.dubbomesh.protocol;

import java.util.List;

/**
 * A service in one of its variants, which settings and commands write as {@code interface[:version[:group]]}.
 *
 * @param version empty for none ({@code 0.0.0} is none too)
 * @param group   empty for none
 */
public record ServiceKey(String service, String version, String group) {
    /** The expected form, for messages about a wrong text. */
    public static final String FORMAT = "interface[:version[:group]]";

    private static final int MAX_PARTS = 3;

    public ServiceKey {
        if (version.equals(MethodName.NO_VERSION)) {
            version = "";
        }
    }

    /** @throws IllegalArgumentException with the text and what was expected */
    public static ServiceKey parse(String text) {
        List<String> parts = parts(text);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(text + " (expected: " + FORMAT + ")");
        }
        return new ServiceKey(parts.get(0), parts.size() > 1 ? parts.get(1) : "", parts.size() > 2 ? parts.get(2) : "");
    }

    /**
     * Returns the interface, and the version and group if they are written, if only as empty; nothing if the text is
     * none of this format.
     */
    public static List<String> parts(String text) {
        List<String> parts = List.of(text.strip().split(":", -1));
        return parts.size() <= MAX_PARTS && isInterfaceName(parts.get(0)) ? parts : List.of();
    }

    /** Returns whether an interface may have this name. */
    public static boolean isInterfaceName(String text) {
        return !text.isEmpty()
                && text.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '.')
                && !text.startsWith(".")
                && !text.contains("..")
                && !text.endsWith(".");
    }

    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof ServiceKey that
                && service.equals(that.service)
                && version.equals(that.version)
                && group.equals(that.group);
    }

    @Override
    public int hashCode() {
        int hash = service.hashCode();
        hash = 31 * hash + version.hashCode();
        hash = 31 * hash + group.hashCode();
        return hash;
    }

    @Override
    public String toString() {
        if (!group.isEmpty()) {
            return service + ':' + version + ':' + group;
        }
        return version.isEmpty() ? service : service + ':' + version;
    }
}
