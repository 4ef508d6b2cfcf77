package io.dubbomesh.runtime.tracing;

import io.dubbomesh.runtime.otlp.OtlpSettings;
import io.dubbomesh.runtime.settings.Settings;

import java.net.URI;

/**
 * Whether spans are recorded, and where they are sent; reference.conf says what each setting means.
 *
 * @param collector null if none are recorded
 * @param queueSize spans that may wait to be sent
 * @param delayMs   the longest that a span waits
 */
public record TracingSettings(URI collector, int queueSize, long delayMs) {
    private static final String EXPORTER = "otel.traces.exporter";

    public static TracingSettings from(Settings settings, OtlpSettings otlp) {
        boolean on = settings.choice(EXPORTER, "none", "otlp").equals("otlp");
        if (on && otlp.endpoint() == null) {
            settings.reject(EXPORTER, "none, as otel.exporter.otlp.endpoint is not set");
            on = false;
        }
        return new TracingSettings(
                on ? otlp.tracesUri() : null,
                settings.integer("otel.bsp.max.queue.size", 1, 1_000_000),
                settings.millis("otel.bsp.schedule.delay"));
    }
}
