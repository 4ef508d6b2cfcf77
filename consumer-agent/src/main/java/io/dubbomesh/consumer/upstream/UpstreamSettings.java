package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.runtime.settings.Settings;

import java.util.List;

/**
 * How calls reach provider agents; reference.conf says what each setting means.
 *
 * @param maxFrame bytes, the header included
 * @param consumer this agent, for routing rules
 * @param registries that list the endpoints, as clients may see them
 */
public record UpstreamSettings(
        QueueSettings queue,
        LinkSettings links,
        Strategy strategy,
        HealthSettings health,
        int maxFrame,
        long heartbeatMs,
        EndpointHeader endpointHeader,
        RoutedConsumer consumer,
        List<String> registries) {
    public static UpstreamSettings from(Settings settings, List<String> registries) {
        return new UpstreamSettings(
                QueueSettings.from(settings),
                LinkSettings.from(settings),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                HealthSettings.from(settings),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.millis("mesh.heartbeat"),
                EndpointHeader.named(settings.choice("http.endpoint-header", EndpointHeader.settingNames())),
                RoutingSettings.from(settings),
                registries);
    }
}
