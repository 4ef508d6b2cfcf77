package io.dubbomesh.protocol;

/**
 * Bytes that are not a frame of their protocol: the connection has to be closed. A peer can cause it at will, hence no
 * stack trace.
 */
public final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedFrameException(String message) {
        super(message, null, false, false);
    }
}
