package io.dubbomesh.consumer.upstream;

import io.dubbomesh.runtime.settings.Settings;

import java.util.Set;

/**
 * When links are opened and closed; reference.conf says what each setting means.
 *
 * @param warm   the services whose links are opened without a call, by their interfaces; {@link #ALL} for all
 * @param subset to how many endpoints of a service an event loop has links; 0 for all
 */
public record LinkSettings(long idleNs, Set<String> warm, int subset) {
    static final String ALL = "*";

    private static final int MAX_SUBSET = 4096;

    static LinkSettings from(Settings settings) {
        return new LinkSettings(
                settings.nanos("links.idle"),
                Set.copyOf(settings.list("links.warm")),
                settings.integer("links.subset", 0, MAX_SUBSET));
    }
}
