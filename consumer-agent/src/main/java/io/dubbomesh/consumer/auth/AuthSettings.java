package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.settings.Settings;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The authentication of callers and the rules of their calls; reference.conf says what each setting means.
 *
 * @param kinds     none: any client that reaches the port may call
 * @param tokenFile null unless {@link Kind#TOKEN}
 * @param jwt       null unless {@link Kind#JWT}
 * @param rules     null where each authenticated caller may call everything
 */
public record AuthSettings(Set<Kind> kinds, Path tokenFile, JwtSettings jwt, Path rules) {
    /** The kind of proof that a caller shows. */
    public enum Kind {
        TOKEN,
        JWT;

        /**
         * Returns the prefix of the name of a caller of this kind, where a rule or a log must tell it from one of the
         * other kind.
         */
        String prefix() {
            return name().toLowerCase(Locale.ROOT) + ':';
        }
    }

    static final String AUTH = "http.auth";
    static final String TOKEN_FILE = "http.auth.token-file";
    static final String RULES = "http.auth.rules";
    private static final String NONE = "none";
    private static final String EXPECTED = "none, token, jwt, or token and jwt with a comma between them";

    public static AuthSettings from(Settings settings) {
        Set<Kind> kinds = kinds(settings);
        Path tokenFile = settings.path(TOKEN_FILE);
        if (kinds.contains(Kind.TOKEN) && tokenFile == null) {
            settings.reject(TOKEN_FILE, "a file with a subject and its token in each line, for " + AUTH + "=token");
        }
        JwtSettings jwt = kinds.contains(Kind.JWT) ? JwtSettings.from(settings) : null;
        rejectWithout(settings, kinds.contains(Kind.TOKEN), TOKEN_FILE, "token");
        for (String key : List.of(JwtSettings.JWKS, JwtSettings.ISSUER, JwtSettings.AUDIENCE)) {
            rejectWithout(settings, kinds.contains(Kind.JWT), key, "jwt");
        }
        rejectWithout(settings, !kinds.isEmpty(), RULES, "token or jwt");
        return new AuthSettings(kinds, tokenFile, jwt, settings.path(RULES));
    }

    /** Rejects a setting for a kind that is off. */
    private static void rejectWithout(Settings settings, boolean isUsed, String key, String kind) {
        if (!isUsed && !settings.text(key).isBlank()) {
            settings.reject(key, "nothing, or " + AUTH + '=' + kind + " beside it");
        }
    }

    private static Set<Kind> kinds(Settings settings) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        if (settings.list(AUTH).isEmpty()
                || settings.list(AUTH).size() > 1 && settings.list(AUTH).contains(NONE)) {
            settings.reject(AUTH, EXPECTED);
        }
        for (String name : settings.list(AUTH)) {
            try {
                if (!name.equals(NONE)) {
                    kinds.add(Kind.valueOf(name.toUpperCase(Locale.ROOT)));
                }
            } catch (IllegalArgumentException e) {
                settings.reject(AUTH, EXPECTED);
            }
        }
        return kinds;
    }

    public boolean isOn() {
        return !kinds.isEmpty();
    }
}
