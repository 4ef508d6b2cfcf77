package io.dubbomesh.meshctl.mcp;

import java.util.Map;
import java.util.Optional;

/** An answer of JSON-RPC 2.0, which has one of both. */
record RpcAnswer(Optional<Map<String, Object>> result, Optional<RpcError> error) {
    /** The reason why a request has no result. */
    record RpcError(long code, String message) {}
}
