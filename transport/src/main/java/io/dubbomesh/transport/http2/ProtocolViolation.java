package io.dubbomesh.transport.http2;

import io.netty.handler.codec.http2.Http2Error;

/**
 * A frame after which the connection cannot go on, with the code that its GOAWAY names. A peer can cause it at will,
 * hence no stack trace.
 */
final class ProtocolViolation extends Exception {
    private static final long serialVersionUID = 1L;

    private final Http2Error error;

    ProtocolViolation(Http2Error error, String message) {
        super(message, null, false, false);
        this.error = error;
    }

    static ProtocolViolation of(String message) {
        return new ProtocolViolation(Http2Error.PROTOCOL_ERROR, message);
    }

    static ProtocolViolation ofSize(int type, int length) {
        return new ProtocolViolation(Http2Error.FRAME_SIZE_ERROR, FrameHeader.name(type) + " of " + length + " bytes");
    }

    Http2Error error() {
        return error;
    }
}
