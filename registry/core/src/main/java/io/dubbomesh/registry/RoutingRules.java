package io.dubbomesh.registry;

import java.util.List;
import java.util.Set;

/**
 * Decides which endpoints of a service a call may go to. Immutable, and equal as long as it decides alike; used by any
 * thread.
 */
public interface RoutingRules {
    /** Returns the names of the attachments by which calls are told apart; empty if none is. */
    Set<String> attachments();

    /**
     * Returns the parts of a call on which the decision depends: {@link #route} decides alike for calls with equal
     * selections.
     */
    String selection(RoutedCall call);

    /** @param serving the endpoints that serve the version and group of the call */
    Routed route(List<Endpoint> serving, RoutedCall call);

    /**
     * @param endpoints those that the call may go to, in their order
     * @param emptiedBy the rule that left none; null if there are endpoints
     */
    record Routed(List<Endpoint> endpoints, String emptiedBy) {
        public Routed {
            endpoints = List.copyOf(endpoints);
        }
    }
}
