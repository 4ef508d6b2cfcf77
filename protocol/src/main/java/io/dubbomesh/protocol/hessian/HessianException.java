package io.dubbomesh.protocol.hessian;

/** Bytes that are not Hessian 2, or not within the bounds set to them. Hostile peers make many, hence without a stack trace. */
public final class HessianException extends Exception {
    private static final long serialVersionUID = 1L;

    public HessianException(String detail) {
        super(detail, null, false, false);
    }
}
