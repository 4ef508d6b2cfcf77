package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.directory.EndpointWeights;
import io.dubbomesh.consumer.upstream.directory.RoutingSettings;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.config.RegistrySettings;
import io.dubbomesh.runtime.settings.Settings;

import java.util.List;
import java.util.Set;

/**
 * The rules of choosing endpoints; reference.conf says what each setting means.
 *
 * @param idleNs     after which links are closed that no call needs
 * @param warm       the services whose links are opened without a call, by their interfaces; {@link #ALL} for all
 * @param zone       where this agent is; empty for none
 * @param weights    of endpoints, as their registered ones lead to
 * @param subset     to how many endpoints of a service an event loop has links; 0 for all
 * @param consumer   this agent, for routing rules
 * @param registries that list the endpoints, as clients may see them
 */
public record PoolSettings(
        long idleNs,
        Set<String> warm,
        String zone,
        EndpointWeights weights,
        int subset,
        HealthSettings health,
        RoutedConsumer consumer,
        List<String> registries) {
    public static final String ALL = "*";

    private static final int MAX_SUBSET = 4096;

    public static PoolSettings from(Settings settings, List<String> registries) {
        return new PoolSettings(
                settings.nanos("links.idle"),
                Set.copyOf(settings.list("links.warm")),
                RegistrySettings.zone(settings),
                EndpointWeights.from(settings),
                settings.integer("links.subset", 0, MAX_SUBSET),
                HealthSettings.from(settings),
                RoutingSettings.from(settings),
                registries);
    }
}
