package io.dubbomesh.provider;

import io.dubbomesh.provider.discovery.ServiceDefinitions;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.runtime.HostPort;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Registers the agent while the provider takes calls, and deregisters it while the provider does not and before the agent stops. Each time the
 * provider begins to take calls, the methods and types of its services are discovered before the agent registers, since it may be another
 * version: so the first call is made like all others. Thread-safe: called by one event loop, by the thread of the discovery and by those that
 * start and stop the agent.
 */
final class RegistrationControl {
    private final HostPort provider;
    private final Supplier<CompletableFuture<ServiceDefinitions>> discovery;
    private final Consumer<ServiceDefinitions> listener;
    /** Null until the agent listens. */
    private Registration registration;
    /** How often the provider has begun or ceased to take calls, by which a discovery knows that it is out of date. */
    private int changes;

    private boolean discovered;
    private boolean stopping;

    /**
     * @param discovery starts a discovery, whose result never is an exception
     * @param listener  is given each result before the agent registers; may reject it while the agent stops
     */
    RegistrationControl(
            HostPort provider,
            Supplier<CompletableFuture<ServiceDefinitions>> discovery,
            Consumer<ServiceDefinitions> listener) {
        this.provider = provider;
        this.discovery = discovery;
        this.listener = listener;
    }

    /** The agent listens: from now on it may be registered. */
    synchronized void open(Registration opened) {
        registration = opened;
        if (discovered && !stopping) {
            registration.register();
        }
    }

    /** The provider takes calls now, or no longer. */
    synchronized void providerChanged(boolean takesCalls) {
        int change = ++changes;
        if (takesCalls) {
            discovery.get().thenAccept(definitions -> discovered(change, definitions));
        } else if (discovered) {
            discovered = false;
            if (registration != null && !stopping) {
                registration.deregister();
            }
        }
    }

    private synchronized void discovered(int change, ServiceDefinitions definitions) {
        if (change != changes) {
            return;
        }
        try {
            listener.accept(definitions);
        } catch (RejectedExecutionException e) {
            return;
        }
        if (!discovered) {
            discovered = true;
            if (registration != null && !stopping) {
                registration.register();
            }
        }
    }

    /** Deregisters for good; completes once no entry is left. */
    synchronized CompletableFuture<Void> stop() {
        stopping = true;
        return registration.deregister();
    }

    /** Why no calls should be sent here now, null if they may. */
    synchronized String unreadiness() {
        if (stopping) {
            return "shutting down";
        }
        if (!discovered) {
            return "provider " + provider + " takes no calls";
        }
        return registration != null && registration.registered() ? null : "not registered yet";
    }
}
