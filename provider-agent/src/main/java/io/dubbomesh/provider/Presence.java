package io.dubbomesh.provider;

import io.dubbomesh.registry.Registration;

import java.util.concurrent.CompletableFuture;

/**
 * Stands in the registry while the provider takes calls and the agent is not about to end. Told by one event loop, asked and ended by
 * other threads.
 */
final class Presence {
    private final String provider;
    private Registration registration;
    private boolean providerTakesCalls;
    private boolean ending;

    /** @param provider where it listens, for messages */
    Presence(String provider) {
        this.provider = provider;
    }

    /** The entry in the registry, once there can be one. */
    synchronized void standIn(Registration entry) {
        registration = entry;
        if (providerTakesCalls) {
            registration.register();
        }
    }

    /** The provider takes calls now, or no longer. */
    synchronized void provider(boolean takesCalls) {
        if (ending || takesCalls == providerTakesCalls) {
            return;
        }
        providerTakesCalls = takesCalls;
        if (registration == null) {
            return;
        }
        if (takesCalls) {
            registration.register();
        } else {
            registration.deregister();
        }
    }

    /** Leaves for good; completes once no entry is left. */
    synchronized CompletableFuture<Void> end() {
        ending = true;
        return registration.deregister();
    }

    /** Why no calls should come here now, null if they may. */
    synchronized String unreadiness() {
        if (ending) {
            return "shutting down";
        }
        if (!providerTakesCalls) {
            return "provider " + provider + " takes no calls";
        }
        return registration.registered() ? null : "not registered yet";
    }
}
