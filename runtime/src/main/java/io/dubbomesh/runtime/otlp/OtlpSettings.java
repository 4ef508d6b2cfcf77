package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.ShownUri;
import io.dubbomesh.runtime.settings.Settings;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The target of telemetry; reference.conf says what each setting means.
 *
 * @param endpoint null for nowhere
 * @param service  the name that the operator has given to this agent; empty for none
 * @param metrics  whether metrics are pushed there
 */
public record OtlpSettings(URI endpoint, String service, boolean metrics, long intervalMs) {
    public static OtlpSettings from(Settings settings) {
        return new OtlpSettings(
                settings.parse("otel.exporter.otlp.endpoint", OtlpSettings::endpoint, null),
                settings.text("otel.service.name").strip(),
                settings.choice("otel.metrics.exporter", "otlp", "none").equals("otlp"),
                settings.millis("otel.metric.export.interval"));
    }

    private static URI endpoint(String text) {
        if (text.isBlank()) {
            return null;
        }
        if (text.indexOf('@') >= 0) {
            // The endpoint is logged and shown.
            throw unusable(ShownUri.of(text.strip()));
        }
        URI uri = parsed(text.strip());
        if (uri == null || uri.getHost() == null) {
            // What stands in place of a host and a port may be a password.
            throw unusable(PrintableText.brief(text.strip().replaceFirst("(?s)://.*", "://...")));
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getQuery() != null || uri.getFragment() != null) {
            throw unusable(ShownUri.of(text.strip()));
        }
        return uri;
    }

    /** Returns null for what is no URI: the exception repeats the text. */
    private static URI parsed(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static IllegalArgumentException unusable(String shown) {
        return new IllegalArgumentException(
                shown + " (expected: http://host:4318, or with https, without a user or a query)");
    }

    /**
     * Returns the {@code service.name} of what is sent: a collector tells services apart by it.
     *
     * @param program the name where none is set
     */
    public String serviceName(String program) {
        return service.isEmpty() ? program : service;
    }

    /** Returns the URI to which metrics are pushed. */
    URI metricsUri() {
        return uri("v1/metrics");
    }

    /** Returns the URI to which spans are sent. */
    public URI tracesUri() {
        return uri("v1/traces");
    }

    /** @param path that the specification appends to the endpoint */
    private URI uri(String path) {
        String base = endpoint.toString();
        return URI.create((base.endsWith("/") ? base : base + '/') + path);
    }
}
