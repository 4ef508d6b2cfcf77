package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of the served services the provider exports; immutable.
 *
 * @param missing those that it says it does not export, each with its answer
 * @param unsaid  those about which it has said nothing, since it is busy, hangs or was lost
 * @param listed  what it exports, as {@code dubbo.services} names it; empty if it does not list that, or nothing is missing
 */
public record Exports(Map<ServiceKey, String> missing, Set<ServiceKey> unsaid, List<String> listed) {
    /** Of a provider that is not asked. */
    static final Exports ALL = new Exports(Map.of(), Set.of(), List.of());
}
