package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.registry.Variant;

import java.util.List;
import java.util.Map;

/**
 * The services that the agent offers, of those that the provider exports; logs when they change. Guarded by the lock of
 * its owner.
 */
interface OfferedServices {
    /** Returns the services that are offered from now on, by interface; null if nothing is known of them yet. */
    Map<String, List<Variant>> update(Exports found);

    /** Returns the time until the provider is to be asked again; -1 for when something happens. */
    long nextQuestionMs();

    /** Called when the provider has connected again: it may be another one. */
    void providerIsBack();

    /** Returns the source of the services, for operators; empty if they are not known yet. */
    String source();

    /** Returns what operators should know: which services are missing; empty if nothing is. */
    String problem();
}
