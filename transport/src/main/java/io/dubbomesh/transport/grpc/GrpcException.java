package io.dubbomesh.transport.grpc;

import io.dubbomesh.runtime.SocketFailure;

/** A call that failed: refused by the server, or ended by the connection. */
public final class GrpcException extends Exception {
    private static final long serialVersionUID = 1;

    private final GrpcStatus status;
    private final boolean isAnswer;
    private final String details;

    /** Makes one of a call that the server has not answered as gRPC does. */
    public GrpcException(GrpcStatus status, String message) {
        this(status, message, false, null, null);
    }

    private GrpcException(GrpcStatus status, String message, boolean isAnswer, String details, Throwable cause) {
        // Without a stack trace: a server may be away for days, and nothing is wrong with the agent.
        super(message, cause, false, false);
        this.status = status;
        this.isAnswer = isAnswer;
        this.details = details;
    }

    /**
     * Returns the failure with which a server ended a call, in the words of gRPC's own clients.
     *
     * @param details null for none
     */
    static GrpcException endedBy(GrpcStatus status, String description, String details) {
        return new GrpcException(status, status + ": " + description, true, details, null);
    }

    /** Returns the failure of a call that the server, or what stands in front of it, does not take. */
    static GrpcException refused(String why) {
        return new GrpcException(GrpcStatus.UNAVAILABLE, why, true, null, null);
    }

    /** Returns the failure of a connection, with the reason that the system names. */
    static GrpcException ofConnection(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new GrpcException(GrpcStatus.UNAVAILABLE, SocketFailure.reason(root), false, null, cause);
    }

    public GrpcStatus status() {
        return status;
    }

    /** Returns what the server has said beside the message, in base64 as it has come; null for nothing. */
    public String details() {
        return details;
    }

    /** Returns whether the server has said this of the call, so that others on the same connection may succeed. */
    public boolean isAnswer() {
        return isAnswer;
    }
}
