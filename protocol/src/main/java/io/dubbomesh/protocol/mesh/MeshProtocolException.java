package io.dubbomesh.protocol.mesh;

/** The peer broke the mesh protocol; its connection cannot go on. A peer can cause it at will, hence no stack trace. */
public final class MeshProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    public MeshProtocolException(String message) {
        super(message, null, false, false);
    }
}
