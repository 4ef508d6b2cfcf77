package io.dubbomesh.protocol.hessian;

/** A class on this class path that is named only in bytes. */
final class NeverLoaded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    enum Constant {
        A
    }
}
