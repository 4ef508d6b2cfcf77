package io.dubbomesh.provider.admin;

import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.admin.Readiness;
import io.dubbomesh.transport.metrics.Failure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The provider agent as its operators see it and steer it. Each method may be called by any thread, and may block for a
 * second.
 */
public interface ProviderControl {
    /** Returns where links are taken: {@code 0.0.0.0:30000}. */
    String listening();

    /** Returns the registry's URI. */
    String registry();

    /** Returns where the agent is; empty for none. */
    String zone();

    /** Returns the provider's address. */
    String provider();

    /** Returns the name of the protocol by which it is called now. */
    String providerProtocol();

    /** Returns null until the agent listens. */
    Registration registration();

    Readiness readiness();

    /** Returns the limit that consumer agents are told. */
    int limit();

    int callsInService();

    int callsWaiting();

    /** @throws TimeoutException if an event loop does not answer */
    List<ProviderLoopState> loops() throws TimeoutException;

    /**
     * Returns the latest failures of each event loop.
     *
     * @throws TimeoutException as {@link #loops}
     */
    List<List<Failure>> failures() throws TimeoutException;

    /** Returns the services of the settings, by interface. */
    Map<String, List<Variant>> services();

    /** Returns those of them that are registered now, or will be when the registry is back; empty for none. */
    Map<String, List<Variant>> offered();

    ServiceDefinitions definitions();

    boolean isDraining();

    /** Returns the source of the provider's services; empty if they are not known yet. */
    String servicesSource();

    /** Has the agent deregister, and stay so; or undoes that. */
    void drain(boolean now);
}
