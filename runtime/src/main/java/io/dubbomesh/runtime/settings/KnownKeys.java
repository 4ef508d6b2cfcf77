package io.dubbomesh.runtime.settings;

import io.dubbomesh.runtime.NearestName;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The keys of all settings, and what may have been meant by a key that is none of them. */
final class KnownKeys {
    /** The edits that are a mistake in typing at any length of a key. */
    static final int TYPO_EDITS = 2;
    /** The characters between the words of a key, and of the variable that has its value. */
    private static final String SEPARATORS = ".-_";
    /** Shorter names are within two edits of too much. */
    private static final int MIN_TYPO_LENGTH = 8;
    /** The prefixes of keys that the JVM and its libraries read; most of them are always set. */
    private static final List<String> FOREIGN = List.of("java.", "sun.", "jdk.", "os.", "user.", "file.", "native.");
    /** The keys of our name space {@code http} that the JDK reads. Containers often set it for every program. */
    private static final Set<String> HTTP_OF_JDK = Set.of(
            "http.proxyHost",
            "http.proxyPort",
            "http.proxyUser",
            "http.proxyPassword",
            "http.nonProxyHosts",
            "http.agent",
            "http.auth.preference",
            "http.auth.serializeRequests",
            "http.keepAlive",
            "http.maxConnections",
            "http.maxRedirects");

    /** A name space that other software in the same JVM has settings in, such as OpenTelemetry's own agent. */
    private static final String SHARED = "otel";

    private static final List<String> GROUPS_OF_JDK =
            List.of("http.auth.digest.", "http.auth.ntlm.", "http.keepAlive.time.");

    private final Set<String> keys;
    private final Set<String> nameSpaces = new HashSet<>();

    KnownKeys(Set<String> keys) {
        this.keys = keys;
        keys.forEach(key -> nameSpaces.add(nameSpace(key)));
        nameSpaces.remove(SHARED);
    }

    /**
     * Returns whether a system property that is no setting was meant as one: it is in a name space of the settings, or
     * a key with a typing mistake.
     */
    boolean isMeant(String property) {
        if (keys.contains(property) || isForeign(property)) {
            return false;
        }
        return nameSpaces.contains(nameSpace(property.toLowerCase(Locale.ROOT))) || isTypo(property);
    }

    private static boolean isForeign(String property) {
        return FOREIGN.stream().anyMatch(property::startsWith)
                || HTTP_OF_JDK.contains(property)
                || GROUPS_OF_JDK.stream().anyMatch(property::startsWith)
                // The packages of libraries, as io.netty.leakDetection.level.
                || property.startsWith("io.") && property.indexOf('.', "io.".length()) >= 0;
    }

    private static String nameSpace(String key) {
        int dot = key.indexOf('.');
        return dot < 0 ? key : key.substring(0, dot);
    }

    private boolean isTypo(String property) {
        return property.length() >= MIN_TYPO_LENGTH && nearest(property, TYPO_EDITS) != null;
    }

    /**
     * Returns the only known key that continues this one, or the one with the fewest edits to it, if they are few for
     * its length; otherwise null.
     */
    String nearest(String key) {
        String continued = continuationOf(key);
        return continued == null ? NearestName.of(key, keys, Math.max(TYPO_EDITS, key.length() / 4)) : continued;
    }

    /** Returns what {@link #nearest(String)} does, but null if no known key is within {@code most} edits. */
    String nearest(String key, int most) {
        String near = NearestName.of(key, keys, most);
        String continued = near == null ? null : continuationOf(key);
        return continued == null ? near : continued;
    }

    /**
     * Returns the key of which this one is the beginning: {@code mesh.token} means mesh.token-file, although mesh.open
     * takes fewer edits.
     */
    private String continuationOf(String key) {
        String continued = null;
        for (String candidate : keys) {
            if (candidate.length() > key.length()
                    && candidate.startsWith(key)
                    && SEPARATORS.indexOf(candidate.charAt(key.length())) >= 0) {
                if (continued != null) {
                    return null;
                }
                continued = candidate;
            }
        }
        return continued;
    }
}
