package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.loadbalance.hash.HashParameters;
import io.dubbomesh.runtime.settings.Settings;

import java.util.List;

/** The settings of the way of calls to endpoints. */
public record UpstreamSettings(
        QueueSettings queue,
        StreamSettings streams,
        PoolSettings pools,
        LinkSettings links,
        Strategy strategy,
        HashParameters hash) {
    private static final int LEAST_SLOTS = 1 << 10;
    private static final int MOST_SLOTS = 1 << 18;
    private static final int MOST_PERCENT = 1000;

    /** @param registries that list the endpoints, as clients may see them */
    public static UpstreamSettings from(Settings settings, List<String> registries) {
        return new UpstreamSettings(
                QueueSettings.from(settings),
                StreamSettings.from(settings),
                PoolSettings.from(settings, registries),
                LinkSettings.from(settings),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                new HashParameters(settings.integer("lb.hash.slots", LEAST_SLOTS, MOST_SLOTS), bound(settings)));
    }

    /** Returns the bound of the mean in percent; 0 for none. */
    private static int bound(Settings settings) {
        return settings.text("lb.hash.bound").strip().equals("0")
                ? 0
                : settings.integer("lb.hash.bound", 101, MOST_PERCENT);
    }
}
