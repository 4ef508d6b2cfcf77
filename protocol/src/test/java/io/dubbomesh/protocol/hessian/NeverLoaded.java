package io.dubbomesh.protocol.hessian;

/** Of this class path, and named by bytes only. */
final class NeverLoaded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    enum Constant {
        A
    }
}
