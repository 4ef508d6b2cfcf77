package io.dubbomesh.consumer.mcp.rpc;

import java.util.Map;

/**
 * A message of JSON-RPC 2.0 from a client of MCP: a request, or a notification, which has no id. Valid as long as the
 * body is that it was read from.
 *
 * @param id              a text or whole number; null for a notification
 * @param toolName        {@code params.name}; null if there is none
 * @param arguments       {@code params.arguments} by name; null if there are none
 * @param cursor          {@code params.cursor}; null if there is none
 * @param protocolVersion of the request itself: of {@code params._meta}, as modern clients have it; null otherwise
 * @param initialVersion  {@code params.protocolVersion}, which legacy clients initialize with; null otherwise
 * @param cancelled       {@code params.requestId}, a text or whole number; null if there is none
 * @param hasCapabilities whether {@code params._meta} has the capabilities of the client
 */
public record RpcRequest(
        JsonSlice id,
        String method,
        String toolName,
        Map<String, JsonSlice> arguments,
        String cursor,
        String protocolVersion,
        String initialVersion,
        JsonSlice cancelled,
        boolean hasCapabilities) {

    public boolean isNotification() {
        return id == null;
    }

    /** Returns whether the request has its protocol version with it, as since revision 2026-07-28. */
    public boolean isModern() {
        return protocolVersion != null;
    }
}
