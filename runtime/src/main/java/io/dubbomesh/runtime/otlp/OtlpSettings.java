package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.settings.Settings;

import java.net.URI;

/**
 * Where telemetry is pushed to; reference.conf says what each setting means.
 *
 * @param endpoint null for nowhere
 * @param metrics  whether metrics are pushed there
 */
public record OtlpSettings(URI endpoint, boolean metrics, long intervalMs) {
    public static OtlpSettings from(Settings settings) {
        return new OtlpSettings(
                settings.parse("otel.exporter.otlp.endpoint", OtlpSettings::endpoint, null),
                settings.choice("otel.metrics.exporter", "otlp", "none").equals("otlp"),
                settings.millis("otel.metric.export.interval"));
    }

    private static URI endpoint(String text) {
        if (text.isBlank()) {
            return null;
        }
        int at = text.lastIndexOf('@');
        if (at >= 0) {
            // Without what may be a password; and the endpoint is logged and shown.
            throw new IllegalArgumentException(
                    "..." + text.substring(at) + " (expected: http://host:4318, or with https, without a user)");
        }
        URI uri = URI.create(text.strip());
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException(text + " (expected: http://host:4318, or with https)");
        }
        return uri;
    }

    /** Where metrics are pushed to. */
    URI metricsUri() {
        return uri("v1/metrics");
    }

    /** Where spans are sent to. */
    public URI tracesUri() {
        return uri("v1/traces");
    }

    /** @param path that the specification appends to the endpoint */
    private URI uri(String path) {
        String base = endpoint.toString();
        return URI.create((base.endsWith("/") ? base : base + '/') + path);
    }
}
