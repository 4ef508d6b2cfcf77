package io.dubbomesh.transport.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;

/**
 * The peer's settings (RFC 9113, 6.5.2). What it says of HPACK tables is of no use: the own encoder has none. So is its
 * limit for header fields, which it need not keep to.
 */
final class PeerSettings {
    static final int ENTRY_LENGTH = Short.BYTES + Integer.BYTES;
    static final int MIN_FRAME_SIZE = 16 * 1024;
    private static final int MAX_FRAME_SIZE = (1 << 24) - 1;
    /** Assumed of a peer that has not said anything yet; RFC 9113 advises none to allow less. */
    private static final int FIRST_STREAMS = 100;

    private static final int ENABLE_PUSH_ID = 2;
    private static final int MAX_CONCURRENT_STREAMS_ID = 3;
    private static final int INITIAL_WINDOW_SIZE_ID = 4;
    private static final int MAX_FRAME_SIZE_ID = 5;

    private int maxStreams = FIRST_STREAMS;
    private int initialWindow = Http2Limits.INITIAL_WINDOW;
    private int maxFrameSize = MIN_FRAME_SIZE;

    int maxStreams() {
        return maxStreams;
    }

    int initialWindow() {
        return initialWindow;
    }

    /** Returns the length of the longest payload that the peer takes. */
    int maxFrameSize() {
        return maxFrameSize;
    }

    /** Called in front of the first SETTINGS: what they do not name is unlimited. */
    void onFirst() {
        maxStreams = Integer.MAX_VALUE;
    }

    void read(ByteBuf in, int offset, int length) throws ProtocolViolation {
        for (int at = offset; at < offset + length; at += ENTRY_LENGTH) {
            set(in.getUnsignedShort(at), in.getUnsignedInt(at + Short.BYTES));
        }
    }

    private void set(int id, long value) throws ProtocolViolation {
        switch (id) {
            case ENABLE_PUSH_ID -> {
                if (value != 0) {
                    throw ProtocolViolation.of("SETTINGS with ENABLE_PUSH " + value + " (expected: 0 of a server)");
                }
            }
            case MAX_CONCURRENT_STREAMS_ID -> maxStreams = (int) Math.min(value, Integer.MAX_VALUE);
            case INITIAL_WINDOW_SIZE_ID -> {
                if (value > Integer.MAX_VALUE) {
                    throw new ProtocolViolation(
                            Http2Error.FLOW_CONTROL_ERROR,
                            "SETTINGS with INITIAL_WINDOW_SIZE " + value + " (expected: at most 2147483647)");
                }
                initialWindow = (int) value;
            }
            case MAX_FRAME_SIZE_ID -> {
                if (value < MIN_FRAME_SIZE || value > MAX_FRAME_SIZE) {
                    throw ProtocolViolation.of("SETTINGS with MAX_FRAME_SIZE " + value + " (expected: " + MIN_FRAME_SIZE
                            + " to " + MAX_FRAME_SIZE + ")");
                }
                maxFrameSize = (int) value;
            }
            default -> {
                // Those of HPACK, and what is not known.
            }
        }
    }
}
