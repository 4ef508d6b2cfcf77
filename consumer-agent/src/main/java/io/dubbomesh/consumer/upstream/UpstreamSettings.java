package io.dubbomesh.consumer.upstream;

import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.runtime.settings.Settings;

/**
 * How calls reach provider agents; reference.conf says what each setting means.
 *
 * @param queueSize  calls of one event loop
 * @param queueBytes of their requests
 * @param maxFrame   bytes, the header included
 */
public record UpstreamSettings(int queueSize, long queueBytes, Strategy strategy, int maxFrame, long heartbeatMs) {
    public static UpstreamSettings from(Settings settings) {
        return new UpstreamSettings(
                settings.integer("queue.size", 0, 1_000_000),
                settings.size("queue.bytes", 0, 1 << 30),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.millis("mesh.heartbeat"));
    }
}
