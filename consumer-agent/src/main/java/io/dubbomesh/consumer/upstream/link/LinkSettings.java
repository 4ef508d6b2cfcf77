package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.runtime.settings.Settings;

/**
 * The settings of each link and its answers; reference.conf says what each setting means.
 *
 * @param maxFrame bytes, the header included
 */
public record LinkSettings(int maxFrame, long heartbeatMs, EndpointHeader endpointHeader) {
    public static LinkSettings from(Settings settings) {
        return new LinkSettings(
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.millis("mesh.heartbeat"),
                EndpointHeader.named(settings.choice("http.endpoint-header", EndpointHeader.settingNames())));
    }
}
