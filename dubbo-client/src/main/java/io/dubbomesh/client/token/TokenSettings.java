package io.dubbomesh.client.token;

import io.dubbomesh.runtime.settings.Settings;

import java.nio.file.Path;
import java.util.List;

/**
 * The tokens that the provider demands of callers.
 *
 * @param tokens those that are settings themselves
 * @param file   has them instead; null for none
 */
public record TokenSettings(ServiceTokens tokens, Path file) {
    private static final String TOKEN = "dubbo.token";
    private static final String FILE = "dubbo.token-file";

    public static TokenSettings from(Settings settings) {
        List<String> entries = settings.list(TOKEN);
        Path file = settings.path(FILE);
        if (file != null && !entries.isEmpty()) {
            settings.reject(FILE, "empty where " + TOKEN + " is set");
        }
        return new TokenSettings(settings.parse(TOKEN, text -> ServiceTokens.parse(entries), ServiceTokens.NONE), file);
    }
}
