package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.auth.ProtectedResource;
import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

import static io.dubbomesh.protocol.Outcome.OK;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Tells clients without a sufficient token where and with which scopes they get one, as the authorization of MCP has
 * it: by challenges (RFC 6750), and by the metadata of the resource (RFC 9728). Owned by one event loop.
 */
final class LoginHints {
    private final CallReader calls;
    private final PublishedTools published;
    private final Response response;
    /** Null where clients cannot log in themselves. */
    private final ProtectedResource resource;

    /** @param response the loop's view */
    LoginHints(CallReader calls, PublishedTools published, Response response) {
        this.calls = calls;
        this.published = published;
        this.response = response;
        resource = calls.protectedResource();
    }

    /** Returns the metadata if a request asks for them, which anyone may read; else null. */
    Response metadata(HttpRequestParser request) {
        boolean isRead = request.method().equals("GET") || request.method().equals("HEAD");
        if (resource == null || !isRead) {
            return null;
        }
        String target = request.target().toString(0, request.target().writerIndex(), US_ASCII);
        if (!resource.isMetadata(target)) {
            return null;
        }
        ByteBuf document = Unpooled.copiedBuffer(resource.metadata(scopes()), UTF_8);
        return response.set(OK, Response.Content.JSON, document, 0, 0, document.readableBytes());
    }

    /** Returns the parameters of a challenge; empty for none. */
    String challenge() {
        if (resource == null) {
            return "";
        }
        Collection<String> scopes = scopes();
        return "resource_metadata=\"" + resource.metadataUrl() + '"'
                + (scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + '"');
    }

    /** Returns whether the rules of callers may go by the scopes of their tokens. */
    boolean hasScopes() {
        return resource != null && resource.hasScopes();
    }

    /** Returns the scopes of which each lets a caller use some tools; none where rules do not go by scopes. */
    Collection<String> scopes() {
        Set<String> scopes = new TreeSet<>();
        if (hasScopes()) {
            for (Tool tool : published.tools().tools()) {
                scopes.addAll(calls.groupsFor(tool.name(), tool.method()));
            }
            scopes.removeIf(scope -> !scope.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]+"));
        }
        return scopes;
    }
}
