package io.dubbomesh.consumer.health;

import io.dubbomesh.runtime.settings.Settings;

import java.time.Duration;

/**
 * The rules of ejection and of the way back; reference.conf says what each setting means.
 *
 * @param ejection     whether anything is ejected at all
 * @param failures     in a row
 * @param slowness     times the median latency; 0 for never
 * @param panicPercent of the weight
 * @param slowStartNs  0 for none
 */
public record HealthSettings(
        boolean ejection,
        int failures,
        long stallNs,
        int slowness,
        long pauseMs,
        long maxPauseMs,
        int panicPercent,
        long slowStartNs) {
    private static final Duration LONGEST_SLOW_START = Duration.ofHours(1);

    public static HealthSettings from(Settings settings) {
        long pauseMs = settings.millis("lb.ejection.pause");
        long maxPauseMs = settings.millis("lb.ejection.max-pause");
        if (maxPauseMs < pauseMs) {
            settings.reject("lb.ejection.max-pause", "at least lb.ejection.pause, " + pauseMs + " ms");
        }
        return new HealthSettings(
                settings.flag("lb.ejection"),
                settings.integer("lb.ejection.failures", 1, 1_000_000),
                settings.nanos("lb.ejection.stall"),
                settings.integer("lb.ejection.slowness", 0, 1000),
                pauseMs,
                maxPauseMs,
                settings.integer("lb.ejection.panic", 0, 100),
                settings.duration("lb.slow-start", Duration.ZERO, LONGEST_SLOW_START)
                        .toNanos());
    }
}
