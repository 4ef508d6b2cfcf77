package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.mcp.rpc.Revision;
import io.dubbomesh.consumer.mcp.rpc.RpcException;
import io.dubbomesh.consumer.mcp.rpc.RpcReader;
import io.dubbomesh.consumer.mcp.rpc.RpcRequest;
import io.dubbomesh.protocol.Quoted;

/**
 * Checks what a request says of itself: its revision, and what its header fields repeat of its body, since what is
 * between client and agent goes by them (revision 2026-07-28, Streamable HTTP, "Server Validation").
 */
final class RequestMetadata {
    private RequestMetadata() {}

    /** @throws RpcException if header fields and body do not agree, or the revision is not spoken */
    static void check(RpcRequest message, McpHeaders headers) throws RpcException {
        if (!message.isModern()) {
            if (headers.version() != null && !Revision.isLegacy(headers.version())) {
                throw Revision.SUPPORTED.contains(headers.version())
                        ? RpcException.of(
                                message.id(),
                                RpcException.INVALID_PARAMS,
                                "Invalid params: no " + RpcReader.VERSION + " in params._meta")
                        : RpcException.unsupportedVersion(message.id(), headers.version());
            }
            return;
        }
        requireEqual(message, "MCP-Protocol-Version", headers.version(), message.protocolVersion());
        if (!message.protocolVersion().equals(Revision.MODERN)) {
            throw RpcException.unsupportedVersion(message.id(), message.protocolVersion());
        }
        requireEqual(message, "Mcp-Method", headers.method(), message.method());
        if (message.toolName() != null && message.method().equals("tools/call")) {
            requireEqual(message, "Mcp-Name", headers.name(), message.toolName());
        }
        if (!message.hasCapabilities()) {
            throw RpcException.of(
                    message.id(),
                    RpcException.INVALID_PARAMS,
                    "Invalid params: no " + RpcReader.CAPABILITIES + " in params._meta");
        }
    }

    private static void requireEqual(RpcRequest message, String header, String sent, String expected)
            throws RpcException {
        if (!expected.equals(sent)) {
            String found = sent == null ? "is missing" : "is " + Quoted.text(sent);
            throw RpcException.of(
                    message.id(),
                    RpcException.HEADER_MISMATCH,
                    "Header mismatch: " + header + ' ' + found + ", the body has " + Quoted.text(expected));
        }
    }
}
