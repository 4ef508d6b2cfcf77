package io.dubbomesh.meshctl;

/** Why a command could not do its work: a line for the operator. */
final class MeshctlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MeshctlException(String message) {
        super(message);
    }
}
