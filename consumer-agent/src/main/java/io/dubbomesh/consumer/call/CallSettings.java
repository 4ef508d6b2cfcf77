package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.key.CallKey;
import io.dubbomesh.runtime.settings.Settings;

/**
 * The bounds and defaults of calls; reference.conf says what each setting means.
 *
 * @param timeoutNs where the request names none
 * @param key       null where calls need none
 */
public record CallSettings(int maxFormFields, int maxMethods, long timeoutNs, long maxTimeoutMs, CallKey key) {
    /** Makes the settings of calls without keys. */
    public CallSettings(int maxFormFields, int maxMethods, long timeoutNs, long maxTimeoutMs) {
        this(maxFormFields, maxMethods, timeoutNs, maxTimeoutMs, null);
    }

    /** @param keyed whether calls need keys */
    public static CallSettings from(Settings settings, boolean keyed) {
        CallKey key = settings.parse("lb.hash.key", CallKey::parse, null);
        return new CallSettings(
                settings.integer("http.max-form-fields", 3, 10_000),
                settings.integer("methods.max", 0, 1 << 20),
                settings.nanos("request.timeout"),
                settings.millis("request.timeout.max"),
                keyed ? key : null);
    }
}
