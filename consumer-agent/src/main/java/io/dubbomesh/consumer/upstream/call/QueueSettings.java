package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.call.StandingDelay;

/**
 * The bounds of the queue; reference.conf says what each setting means.
 *
 * @param maxCalls of one event loop
 * @param maxBytes of their requests
 */
public record QueueSettings(int maxCalls, long maxBytes, long targetNs, long burstNs) {
    static QueueSettings from(Settings settings) {
        return new QueueSettings(
                settings.integer("queue.size", 0, 1_000_000),
                settings.size("queue.bytes", 0, 1 << 30),
                settings.nanos("queue.target"),
                settings.nanos("queue.burst"));
    }

    StandingDelay newDelay(long nowNs) {
        return new StandingDelay(targetNs, Math.max(targetNs, burstNs), nowNs);
    }
}
