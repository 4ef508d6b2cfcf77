package io.dubbomesh.meshctl.document;

import java.util.List;
import java.util.Optional;

/**
 * A service as a consumer agent knows it, or one that a provider agent offers.
 *
 * @param endpoints that serve it, of a consumer agent
 * @param served    versions and groups that endpoints serve; empty if they do not tell
 * @param variants  versions and groups as they are called
 * @param offered   whether the provider exports it; empty in the list of a consumer agent
 * @param methods   the number of its methods, of a provider agent; empty if they are not known
 */
public record Service(
        String service,
        String version,
        String group,
        List<String> endpoints,
        List<Variant> served,
        List<Variant> variants,
        Optional<Boolean> offered,
        Optional<Long> methods) {
    /** A version and group of a service. */
    public record Variant(String version, String group, long callsInFlight, long callsWaiting) {
        @Override
        public String toString() {
            return "version \"" + version + "\", group \"" + group + '"';
        }
    }

    /** Returns whether the provider of a provider agent exports it. */
    public boolean isOffered() {
        return offered.orElse(false);
    }
}
