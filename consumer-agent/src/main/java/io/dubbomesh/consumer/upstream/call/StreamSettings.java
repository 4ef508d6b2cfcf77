package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.runtime.settings.Settings;

/**
 * The bounds of streams; reference.conf says what each setting means.
 *
 * @param idleNs without a message
 * @param maxNs  for the whole stream, unless the request has a time-out
 */
public record StreamSettings(long idleNs, long maxNs) {
    static StreamSettings from(Settings settings) {
        return new StreamSettings(settings.nanos("stream.idle-timeout"), settings.nanos("stream.max-duration"));
    }
}
