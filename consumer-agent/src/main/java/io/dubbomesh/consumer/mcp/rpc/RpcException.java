package io.dubbomesh.consumer.mcp.rpc;

import io.dubbomesh.protocol.Outcome;

import java.util.Collection;

/** A request that is answered by an error of JSON-RPC. */
public final class RpcException extends Exception {
    private static final long serialVersionUID = 1;

    public static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    private static final int INTERNAL_ERROR = -32603;
    /** Outside of the range that JSON-RPC and MCP keep for themselves, as is the next one. */
    private static final int RATE_LIMITED = 429;

    private static final int FORBIDDEN = 403;

    public static final int HEADER_MISMATCH = -32020;
    public static final int UNSUPPORTED_VERSION = -32022;

    private final transient JsonSlice id;
    private final int code;
    private final Outcome outcome;
    private final String requestedVersion;
    private final long retryAfterS;

    private RpcException(
            JsonSlice id, int code, Outcome outcome, String message, String requestedVersion, long retryAfterS) {
        super(message, null, false, false);
        this.id = id;
        this.code = code;
        this.outcome = outcome;
        this.requestedVersion = requestedVersion;
        this.retryAfterS = retryAfterS;
    }

    /** @param id null if it could not be read */
    public static RpcException of(JsonSlice id, int code, String message) {
        Outcome outcome = code == METHOD_NOT_FOUND ? Outcome.NOT_FOUND : Outcome.BAD_REQUEST;
        return new RpcException(id, code, outcome, message, null, 0);
    }

    public static RpcException unsupportedVersion(JsonSlice id, String requested) {
        return new RpcException(
                id, UNSUPPORTED_VERSION, Outcome.BAD_REQUEST, "Unsupported protocol version", requested, 0);
    }

    /** @param scopes of which the caller needs one */
    public static RpcException insufficientScope(JsonSlice id, Collection<String> scopes) {
        return new RpcException(
                id,
                FORBIDDEN,
                Outcome.FORBIDDEN,
                "no tool is for this caller (expected: a token with one of the scopes " + String.join(", ", scopes)
                        + ')',
                null,
                0);
    }

    /** @param seconds until the next call may be made */
    public static RpcException rateLimited(JsonSlice id, long seconds) {
        return new RpcException(
                id,
                RATE_LIMITED,
                Outcome.RATE_LIMITED,
                "more calls of tools than mcp.rate allows (expected: the next one in " + seconds + " s)",
                null,
                seconds);
    }

    public static RpcException overloaded(JsonSlice id, String message) {
        return new RpcException(id, INTERNAL_ERROR, Outcome.OVERLOADED, message, null, 1);
    }

    /** Returns whether the request was understood as such, and only asks for what there is not. */
    public boolean isAnswer() {
        return code == METHOD_NOT_FOUND || code == INVALID_PARAMS;
    }

    /** Returns the seconds until the request may come again; 0 where it will not be taken either. */
    public long retryAfterS() {
        return retryAfterS;
    }

    public JsonSlice id() {
        return id;
    }

    public int code() {
        return code;
    }

    /** Returns the outcome that has the HTTP status of the answer. */
    public Outcome outcome() {
        return outcome;
    }

    /** Returns the version that is not supported; null for other errors. */
    public String requestedVersion() {
        return requestedVersion;
    }
}
