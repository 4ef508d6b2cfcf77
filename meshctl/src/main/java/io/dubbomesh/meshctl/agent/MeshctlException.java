package io.dubbomesh.meshctl.agent;

/** The failure of a command: a line for the operator. */
public final class MeshctlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MeshctlException(String message) {
        super(message);
    }
}
