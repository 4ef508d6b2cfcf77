package io.dubbomesh.transport.http2;

import io.netty.handler.codec.http2.Http2Error;

/**
 * The bytes that the peer may still send, on one stream or on all together. Consumed ones are given back when they are
 * half of the window, so that few frames do it and the peer never waits while all is consumed.
 */
final class ReceiveWindow {
    private final int initialSize;
    private int size;
    /** What the peer may send yet. */
    private int left;
    /** Consumed, and not given back yet. */
    private int due;

    ReceiveWindow(int initialSize) {
        this.initialSize = initialSize;
        size = initialSize;
        left = initialSize;
    }

    void reset() {
        size = initialSize;
        left = initialSize;
        due = 0;
    }

    /** Returns what the peer may send yet. */
    int left() {
        return left;
    }

    void receive(int bytes) throws ProtocolViolation {
        if (bytes > left) {
            throw new ProtocolViolation(
                    Http2Error.FLOW_CONTROL_ERROR, "DATA of " + bytes + " bytes (expected: at most " + left + ")");
        }
        left -= bytes;
    }

    /** Counts consumed bytes. Returns by how much the peer's window is to be raised now; 0 for not yet. */
    int consume(int bytes) {
        due += bytes;
        return giveBack();
    }

    /** Makes the window as large as this, if it is smaller. Returns by how much the peer's is to be raised now. */
    int widen(int newSize) {
        if (newSize <= size) {
            return 0;
        }
        due += newSize - size;
        size = newSize;
        return giveBack();
    }

    private int giveBack() {
        if (due < size / 2) {
            return 0;
        }
        int increment = due;
        left += increment;
        due = 0;
        return increment;
    }
}
