package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.Variant;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The exports of a provider: those of the served services, or all; immutable.
 *
 * @param missing those that it says it does not export, each with its answer
 * @param unsaid  those about which it has said nothing, since it is busy, hangs or was lost
 * @param listed what it exports, as {@code dubbo.services} names it; empty if it does not list that, or nothing is
 *     missing
 * @param all     the services of the application that it exports, if it was asked for these; null if they are not known
 * @param source  how {@link #all} is known, for operators
 */
public record Exports(
        Map<ServiceKey, String> missing,
        Set<ServiceKey> unsaid,
        List<String> listed,
        Set<ServiceKey> all,
        String source) {
    static final String LISTED = "as it lists them in its answer about one that it does not export";
    /** The exports of a provider that is not asked. */
    static final Exports ALL = new Exports(Map.of(), Set.of(), List.of());

    /** Makes the exports of a provider that was asked about the served services. */
    public Exports(Map<ServiceKey, String> missing, Set<ServiceKey> unsaid, List<String> listed) {
        this(missing, unsaid, listed, null);
    }

    /** Makes exports that the provider lists itself. */
    public Exports(Map<ServiceKey, String> missing, Set<ServiceKey> unsaid, List<String> listed, Set<ServiceKey> all) {
        this(missing, unsaid, listed, all, LISTED);
    }

    /** Returns {@link #all} by interface; null if they are not known. */
    public Map<String, List<Variant>> variants() {
        return all == null ? null : ServedServices.variants(all);
    }
}
