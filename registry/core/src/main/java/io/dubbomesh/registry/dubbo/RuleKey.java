package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Variant;

/**
 * The key of a rule in Dubbo's configuration centre, in the group {@code dubbo}.
 * <pre>
 *   com.example.Greeter:1.0:blue.condition-router     a service, with its version and group
 *   com.example.Greeter::.configurators               one without both
 *   greeter.tag-router                                an application
 * </pre>
 *
 * @param service     null where an application is meant
 * @param variant     of the service
 * @param application empty where a service is meant
 */
record RuleKey(Kind kind, String service, Variant variant, String application) {
    /** Longer than the names of a service, a version and a group. */
    private static final int MAX_LENGTH = 1024;

    enum Kind {
        OVERRIDES(".configurators"),
        TAG(".tag-router"),
        CONDITION(".condition-router"),
        SCRIPT(".script-router"),
        MESH(".MESHAPPRULE");

        private final String suffix;

        Kind(String suffix) {
            this.suffix = suffix;
        }
    }

    /** Returns null if it is the key of something else. */
    static RuleKey parse(String key) {
        if (key.length() > MAX_LENGTH) {
            return null;
        }
        for (Kind kind : Kind.values()) {
            if (key.endsWith(kind.suffix)) {
                return of(kind, key.substring(0, key.length() - kind.suffix.length()));
            }
        }
        return null;
    }

    private static RuleKey of(Kind kind, String name) {
        int colon = name.indexOf(':');
        if (colon < 0) {
            return new RuleKey(kind, null, Variant.NONE, name);
        }
        int second = name.indexOf(':', colon + 1);
        String version = second < 0 ? name.substring(colon + 1) : name.substring(colon + 1, second);
        String group = second < 0 ? "" : name.substring(second + 1);
        return new RuleKey(kind, name.substring(0, colon), new Variant(version, group), "");
    }
}
