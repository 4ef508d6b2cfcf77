package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.runtime.settings.Settings;

import java.util.List;

/** The settings of the way of calls to endpoints. */
public record UpstreamSettings(QueueSettings queue, PoolSettings pools, LinkSettings links, Strategy strategy) {
    /** @param registries that list the endpoints, as clients may see them */
    public static UpstreamSettings from(Settings settings, List<String> registries) {
        return new UpstreamSettings(
                QueueSettings.from(settings),
                PoolSettings.from(settings, registries),
                LinkSettings.from(settings),
                Strategy.named(settings.choice("lb", Strategy.settingNames())));
    }
}
