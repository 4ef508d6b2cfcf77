package io.dubbomesh.transport.grpc;

/** The codes with which a call of gRPC ends, in the order of their numbers. */
public enum GrpcStatus {
    OK,
    CANCELLED,
    UNKNOWN,
    INVALID_ARGUMENT,
    DEADLINE_EXCEEDED,
    NOT_FOUND,
    ALREADY_EXISTS,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    FAILED_PRECONDITION,
    ABORTED,
    OUT_OF_RANGE,
    UNIMPLEMENTED,
    INTERNAL,
    UNAVAILABLE,
    DATA_LOSS,
    UNAUTHENTICATED;

    private static final GrpcStatus[] BY_NUMBER = values();

    /** Returns the status of a trailer {@code grpc-status}; {@link #UNKNOWN} if there is no such number. */
    static GrpcStatus parse(CharSequence number) {
        try {
            return BY_NUMBER[Integer.parseInt(number.toString())];
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return UNKNOWN;
        }
    }
}
