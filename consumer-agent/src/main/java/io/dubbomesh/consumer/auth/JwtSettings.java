package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.settings.Settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;

/**
 * The tokens of an issuer that are accepted.
 *
 * @param jwks         where the issuer's public keys are: the path of a file, or a URL
 * @param issuer       that a token has, or {@link #ANY}
 * @param audience     that is one of a token's, or {@link #ANY}
 * @param subjectClaim has the caller's name
 * @param groupsClaim  has the caller's groups
 */
record JwtSettings(String jwks, String issuer, String audience, String subjectClaim, String groupsClaim) {
    static final String JWKS = "http.auth.jwks";
    static final String ISSUER = "http.auth.issuer";
    static final String AUDIENCE = "http.auth.audience";
    private static final String ANY = "*";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    static JwtSettings from(Settings settings) {
        return new JwtSettings(
                settings.parse(JWKS, JwtSettings::location, ""),
                named(settings, ISSUER, "the iss of your tokens"),
                named(settings, AUDIENCE, "the aud of tokens that are for this agent"),
                settings.text("http.auth.subject-claim"),
                settings.text("http.auth.groups-claim"));
    }

    /**
     * Returns a setting that names what tokens are for: an issuer signs tokens for others too, and keys may be those of
     * several issuers. An operator who means any of them says so.
     */
    private static String named(Settings settings, String key, String what) {
        String name = settings.text(key).strip();
        if (name.isEmpty()) {
            settings.reject(key, what + ", or " + ANY + " for any, for " + AuthSettings.AUTH + "=jwt");
        }
        return name;
    }

    boolean isIssuer(String name) {
        return issuer.equals(ANY) || issuer.equals(name);
    }

    boolean isAudience(List<String> names) {
        return audience.equals(ANY) || names.contains(audience);
    }

    private static String location(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("empty (expected: a file or a URL with a JWK set, for http.auth=jwt)");
        }
        if (text.contains("://")) {
            URI uri = parsed(text.strip());
            boolean isSafe = "https".equals(uri.getScheme())
                    || "http".equals(uri.getScheme()) && LOOPBACK.contains(String.valueOf(uri.getHost()));
            if (!isSafe || uri.getHost() == null || uri.getUserInfo() != null) {
                throw new IllegalArgumentException(uri.getScheme() + "://" + uri.getHost()
                        + " (expected: a file, https://..., or http://... on loopback, without a user)");
            }
        }
        return text.strip();
    }

    private static URI parsed(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            // Its message repeats the text, which may have a password.
            throw new IllegalArgumentException(
                    url.replaceFirst("(?s)://.*", "://...") + " (expected: a URL, its characters percent-encoded)");
        }
    }

    boolean isUrl() {
        return jwks.contains("://");
    }
}
