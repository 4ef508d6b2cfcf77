package io.dubbomesh.registry;

import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A version and group of a service; empty for none, and {@code 0.0.0} means no version, as in Dubbo. */
public record Variant(String version, String group) {
    public static final Variant NONE = new Variant("", "");
    /** The version or group in a reference to a service that stands for any. */
    public static final String ANY = "*";

    private static final Comparator<Variant> ORDER =
            Comparator.comparing(Variant::version).thenComparing(Variant::group);
    private static final String NO_VERSION = "0.0.0";
    private static final int MAX_LISTED = 10;

    public Variant {
        if (version.equals(NO_VERSION)) {
            version = "";
        }
    }

    /**
     * Returns whether a reference to this version and group may mean this variant, by the rules of Dubbo's own
     * references: {@link #ANY} is any version or any group, none included; a group may be several, by comma.
     */
    public boolean isAskedForBy(String askedVersion, String askedGroup) {
        return isVersion(askedVersion) && isGroup(askedGroup);
    }

    private boolean isVersion(String asked) {
        return version.equals(asked) || asked.equals(ANY) || version.isEmpty() && asked.equals(NO_VERSION);
    }

    private boolean isGroup(String asked) {
        if (group.equals(asked) || asked.equals(ANY)) {
            return true;
        }
        if (group.isEmpty() || asked.indexOf(',') < 0) {
            return false;
        }
        for (String one : asked.split(",")) {
            if (one.strip().equals(group)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the variants that any of the endpoints serves, in order; none where the registry does not list them. */
    public static Collection<Variant> of(Collection<Endpoint> endpoints) {
        Set<Variant> served = new TreeSet<>(ORDER);
        endpoints.forEach(endpoint -> served.addAll(endpoint.variants()));
        return served;
    }

    /** Returns some of the variants in order, for messages. */
    public static String list(Collection<Variant> variants) {
        String listed = variants.stream()
                .distinct()
                .sorted(ORDER)
                .limit(MAX_LISTED)
                .map(Variant::toString)
                .collect(Collectors.joining("; "));
        return variants.stream().distinct().count() > MAX_LISTED ? listed + "; ..." : listed;
    }

    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof Variant that && version.equals(that.version) && group.equals(that.group);
    }

    @Override
    public int hashCode() {
        return 31 * version.hashCode() + group.hashCode();
    }

    @Override
    public String toString() {
        return "version \"" + version + "\" and group \"" + group + '"';
    }
}
