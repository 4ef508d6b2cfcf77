package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.SocketFailure;

/** A call that failed: refused by etcd, or ended by the connection. */
public final class GrpcException extends Exception {
    private static final long serialVersionUID = 1;

    private final GrpcStatus status;

    GrpcException(GrpcStatus status, String message) {
        this(status, message, null);
    }

    private GrpcException(GrpcStatus status, String message, Throwable cause) {
        // Without a stack trace: etcd may be away for days, and nothing is wrong with the agent.
        super(message, cause, false, false);
        this.status = status;
    }

    /** Returns the failure with which etcd ended a call, in the words of gRPC's own clients. */
    static GrpcException endedBy(GrpcStatus status, String description) {
        return new GrpcException(status, status + ": " + description);
    }

    /** Returns the failure of a connection, with the reason that the system names. */
    static GrpcException ofConnection(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new GrpcException(GrpcStatus.UNAVAILABLE, SocketFailure.reason(root), cause);
    }

    public GrpcStatus status() {
        return status;
    }
}
