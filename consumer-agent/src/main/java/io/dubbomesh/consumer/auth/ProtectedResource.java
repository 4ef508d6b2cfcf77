package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.json.Json;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agent as a resource server of OAuth (RFC 9728), for clients that log in themselves: known where JWTs are for an
 * audience that is a URL, that of the agent itself, and are issued by a server that has one. Immutable.
 */
public final class ProtectedResource {
    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";
    private static final Set<String> SCOPE_CLAIMS = Set.of("scope", "scp");

    private final String resource;
    private final String issuer;
    private final String path;
    private final String url;
    private final boolean hasScopes;

    private ProtectedResource(URI resource, JwtSettings settings) {
        this.resource = settings.audience();
        issuer = settings.issuer();
        String ofResource =
                resource.getRawPath() == null || resource.getRawPath().equals("/") ? "" : resource.getRawPath();
        path = WELL_KNOWN + ofResource;
        url = resource.getScheme() + "://" + resource.getRawAuthority() + path;
        hasScopes = SCOPE_CLAIMS.contains(settings.groupsClaim());
    }

    /**
     * Returns the resource that the settings describe.
     *
     * @param settings null where there are no JWTs
     * @return null for none
     */
    static ProtectedResource of(JwtSettings settings) {
        URI resource = settings == null ? null : url(settings.audience());
        return resource == null || url(settings.issuer()) == null ? null : new ProtectedResource(resource, settings);
    }

    /** Returns null if the text is no URL of HTTP, or has what is none of a resource's identifier. */
    private static URI url(String text) {
        try {
            URI uri = new URI(text);
            boolean isHttp = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            boolean isPlain = uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null
                    && uri.getRawQuery() == null
                    && text.indexOf('"') < 0;
            return isHttp && uri.getHost() != null && isPlain ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Returns whether a path is one at which clients look for the metadata. */
    public boolean isMetadata(String target) {
        return target.equals(path) || target.equals(WELL_KNOWN);
    }

    /** Returns the address of the metadata, as clients reach it. */
    public String metadataUrl() {
        return url;
    }

    /** Returns whether the groups of callers are the scopes of their tokens. */
    public boolean hasScopes() {
        return hasScopes;
    }

    /** Returns the metadata: JSON. */
    public String metadata(Collection<String> scopes) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("resource", resource);
        members.put("authorization_servers", List.of(issuer));
        members.put("bearer_methods_supported", List.of("header"));
        if (!scopes.isEmpty()) {
            members.put("scopes_supported", List.copyOf(scopes));
        }
        return Json.write(members);
    }
}
