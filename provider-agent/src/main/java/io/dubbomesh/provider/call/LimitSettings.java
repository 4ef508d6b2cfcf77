package io.dubbomesh.provider.call;

import io.dubbomesh.runtime.settings.Settings;

/**
 * How many calls the provider gets at once.
 *
 * @param calls in service of the whole agent
 * @param queue calls that wait for a permit
 */
public record LimitSettings(int calls, int queue) {
    public static LimitSettings from(Settings settings) {
        return new LimitSettings(settings.integer("lb.limit", 1, 100_000), settings.integer("dubbo.queue", 0, 100_000));
    }
}
