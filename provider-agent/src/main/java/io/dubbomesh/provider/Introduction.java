package io.dubbomesh.provider;

import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Asks a provider what it offers, each time that it begins to take calls, since it may be another version of it. Only then is it announced, so
 * that its first call is made like all others. Told by one event loop, and by the thread that asks.
 */
final class Introduction {
    private final ProviderSettings settings;
    private final Consumer<KnownServices> audience;
    private final Presence presence;
    /** How often the provider has come or gone, by which an inquiry knows if it is out of date. */
    private int changes;

    /** @param audience is told the result before the provider is announced; one that is shutting down may reject it */
    Introduction(ProviderSettings settings, Consumer<KnownServices> audience, Presence presence) {
        this.settings = settings;
        this.audience = audience;
        this.presence = presence;
    }

    /** The provider takes calls now, or no longer. */
    synchronized void provider(boolean takesCalls) {
        int change = ++changes;
        if (takesCalls) {
            ProviderInquiry.start(settings).thenAccept(services -> introduce(change, services));
        } else {
            presence.provider(false);
        }
    }

    private synchronized void introduce(int change, KnownServices services) {
        if (change != changes) {
            return;
        }
        try {
            audience.accept(services);
        } catch (RejectedExecutionException e) {
            return;
        }
        presence.provider(true);
    }
}
