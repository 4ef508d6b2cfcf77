package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.settings.Settings;

import java.net.URI;
import java.util.Set;

/**
 * Which tokens of an issuer are taken.
 *
 * @param jwks         where the issuer's public keys are: the path of a file, or a URL
 * @param issuer       empty: any
 * @param audience     empty: any
 * @param subjectClaim has the caller's name
 * @param groupsClaim  has the caller's groups
 */
record JwtSettings(String jwks, String issuer, String audience, String subjectClaim, String groupsClaim) {
    static final String JWKS = "http.auth.jwks";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    static JwtSettings from(Settings settings) {
        return new JwtSettings(
                settings.parse(JWKS, JwtSettings::location, ""),
                settings.text("http.auth.issuer"),
                settings.text("http.auth.audience"),
                settings.text("http.auth.subject-claim"),
                settings.text("http.auth.groups-claim"));
    }

    private static String location(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("empty (expected: a file or a URL with a JWK set, for http.auth=jwt)");
        }
        if (text.contains("://")) {
            URI uri = URI.create(text.strip());
            boolean isSafe = "https".equals(uri.getScheme())
                    || "http".equals(uri.getScheme()) && LOOPBACK.contains(String.valueOf(uri.getHost()));
            if (!isSafe || uri.getHost() == null || uri.getUserInfo() != null) {
                throw new IllegalArgumentException(uri.getScheme() + "://" + uri.getHost()
                        + " (expected: a file, https://..., or http://... on loopback, without a user)");
            }
        }
        return text.strip();
    }

    boolean isUrl() {
        return jwks.contains("://");
    }
}
