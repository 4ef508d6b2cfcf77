package io.dubbomesh.client.call;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.call.StandingDelay;

/**
 * The limit of the calls that the provider gets at once.
 *
 * @param calls    in service of the whole agent; the most of them if the limit is learnt
 * @param isLearnt whether the limit is learnt from the provider's answers
 * @param min      the lowest limit that is learnt
 * @param queue    calls that wait for a permit
 * @param targetNs how long they may wait in an overload
 * @param burstNs  how long they may wait otherwise
 */
public record LimitSettings(int calls, boolean isLearnt, int min, int queue, long targetNs, long burstNs) {
    private static final String LIMIT = "lb.limit";
    private static final String AUTO = "auto";
    private static final int MAX = 100_000;

    public static LimitSettings from(Settings settings) {
        int min = settings.integer("lb.limit.min", 1, MAX);
        int max = settings.integer("lb.limit.max", 1, MAX);
        if (!settings.text(LIMIT).strip().equalsIgnoreCase(AUTO)) {
            return withQueue(settings.parse(LIMIT, LimitSettings::calls, 1), false, min, settings);
        }
        if (min > max) {
            settings.reject("lb.limit.min", "at most lb.limit.max");
        }
        return withQueue(max, true, min, settings);
    }

    private static LimitSettings withQueue(int calls, boolean isLearnt, int min, Settings settings) {
        return new LimitSettings(
                calls,
                isLearnt,
                min,
                settings.integer("dubbo.queue", 0, MAX),
                settings.nanos("dubbo.queue.target"),
                settings.nanos("dubbo.queue.burst"));
    }

    StandingDelay newDelay(long nowNs) {
        return new StandingDelay(targetNs, Math.max(targetNs, burstNs), nowNs);
    }

    private static int calls(String text) {
        String expected = text + " (expected: 1-" + MAX + " or " + AUTO + ")";
        try {
            int calls = Integer.parseInt(text.strip());
            if (calls >= 1 && calls <= MAX) {
                return calls;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected, e);
        }
        throw new IllegalArgumentException(expected);
    }
}
