package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.runtime.HostPort;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The limits on calls in service at the providers that are called directly: one for each, whose permits the event loops
 * share. Used by all loops.
 */
public final class ProviderLimits {
    private final LimitSettings settings;
    private final Map<HostPort, Shared> limits = new ConcurrentHashMap<>();

    /** @param users only changed by the map's atomic operations */
    private record Shared(ServiceLimit limit, int users) {}

    public ProviderLimits(DirectSettings settings) {
        this.settings = settings.limit();
    }

    /** Returns the limit of a provider, for one more loop. */
    ServiceLimit open(HostPort provider) {
        return limits.compute(
                        provider,
                        (address, present) -> present == null
                                ? new Shared(new ServiceLimit(settings), 1)
                                : new Shared(present.limit, present.users + 1))
                .limit;
    }

    /** Called when a loop does not call the provider any more, and has given all its permits back. */
    void close(HostPort provider) {
        limits.computeIfPresent(
                provider, (address, shared) -> shared.users == 1 ? null : new Shared(shared.limit, shared.users - 1));
    }
}
