package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.runtime.settings.Settings;

/**
 * How calls reach provider agents; reference.conf says what each setting means.
 *
 * @param maxFrame bytes, the header included
 * @param consumer this agent, for routing rules
 * @param registry that lists the endpoints, as clients may see it in messages: without the values of its options
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
        String registry) {
    public static UpstreamSettings from(Settings settings, String registry) {
        return new UpstreamSettings(
                QueueSettings.from(settings),
                LinkSettings.from(settings),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                HealthSettings.from(settings),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.millis("mesh.heartbeat"),
                EndpointHeader.named(settings.choice("http.endpoint-header", EndpointHeader.settingNames())),
                RoutingSettings.from(settings),
                registry);
    }
}
