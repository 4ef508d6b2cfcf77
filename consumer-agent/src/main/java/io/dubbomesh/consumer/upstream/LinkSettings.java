package io.dubbomesh.consumer.upstream;

import io.dubbomesh.runtime.settings.Settings;

import java.util.Set;

/**
 * When links are opened and closed; reference.conf says what each setting means.
 *
 * @param warm the services whose links are opened without a call, by their interfaces; {@link #ALL} for all
 */
public record LinkSettings(long idleNs, Set<String> warm) {
    static final String ALL = "*";

    static LinkSettings from(Settings settings) {
        return new LinkSettings(settings.nanos("links.idle"), Set.copyOf(settings.list("links.warm")));
    }
}
