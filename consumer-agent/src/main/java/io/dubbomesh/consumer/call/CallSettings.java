package io.dubbomesh.consumer.call;

import io.dubbomesh.runtime.settings.Settings;

/**
 * The bounds and defaults of calls; reference.conf says what each setting means.
 *
 * @param timeoutNs where the request names none
 */
public record CallSettings(int maxFormFields, int maxMethods, long timeoutNs, long maxTimeoutMs) {
    public static CallSettings from(Settings settings) {
        return new CallSettings(
                settings.integer("http.max-form-fields", 3, 10_000),
                settings.integer("methods.max", 0, 1 << 20),
                settings.nanos("request.timeout"),
                settings.millis("request.timeout.max"));
    }
}
