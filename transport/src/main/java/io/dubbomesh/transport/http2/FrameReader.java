package io.dubbomesh.transport.http2;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Reads frames in place, and checks what RFC 9113 demands of each by itself: its length, its padding, where it may
 * come. What they mean is up to the {@link Receiver}.
 */
final class FrameReader {
    /** The longest payload that is taken: the least that RFC 9113 allows. */
    static final int MAX_PAYLOAD = 16 * 1024;

    private static final int PRIORITY_LENGTH = 5;

    /** Gets what frames say. Ids of streams are of such as are open or were. */
    interface Receiver {
        /** @param windowLength what counts in the windows: the content and its padding */
        void content(int streamId, ByteBuf in, int offset, int length, int windowLength, boolean ends)
                throws ProtocolViolation;

        void fields(int streamId, Http2Headers fields, boolean ends) throws ProtocolViolation;

        /** Called with fields that only their stream suffers from. */
        void badFields(int streamId, String reason) throws ProtocolViolation;

        void reset(int streamId, long errorCode) throws ProtocolViolation;

        void settings(ByteBuf in, int offset, int length) throws ProtocolViolation;

        /** Called with SETTINGS that acknowledge those of this side. */
        void acknowledged() throws ProtocolViolation;

        /** Called with a PING that is to be answered. */
        void ping(long content) throws ProtocolViolation;

        void goAway(int lastStreamId, long errorCode, String debug) throws ProtocolViolation;

        /** @param streamId 0 for the connection */
        void windowUpdate(int streamId, int increment) throws ProtocolViolation;

        /** Called with what may come, and of which nothing follows. */
        void useless() throws ProtocolViolation;
    }

    private final StreamTable streams;
    private final ReceivedFields block;
    private final Receiver receiver;

    FrameReader(StreamTable streams, ReceivedFields block, Receiver receiver) {
        this.streams = streams;
        this.block = block;
        this.receiver = receiver;
    }

    /** Requires that the first frame of a peer, whose header starts at the offset, is SETTINGS. */
    static void requireSettings(ByteBuf in, int offset) throws MalformedFrameException {
        boolean isSettings = FrameHeader.type(in, offset) == FrameHeader.SETTINGS
                && (FrameHeader.flags(in, offset) & FrameHeader.ACK) == 0;
        if (!isSettings) {
            String first = in.toString(offset, FrameHeader.LENGTH, US_ASCII);
            throw new MalformedFrameException(
                    first.startsWith("HTTP/1.") ? "HTTP/1 (expected: HTTP/2)" : "no SETTINGS first: is it HTTP/2?");
        }
    }

    /** Reads the frame that starts at the offset, and is there wholly. */
    void read(ByteBuf in, int offset) throws ProtocolViolation {
        int type = FrameHeader.type(in, offset);
        int flags = FrameHeader.flags(in, offset);
        int streamId = FrameHeader.streamId(in, offset);
        int payload = offset + FrameHeader.LENGTH;
        int length = FrameHeader.payloadLength(in, offset);
        if (block.isCollecting() && (type != FrameHeader.CONTINUATION || streamId != block.streamId())) {
            throw ProtocolViolation.of(FrameHeader.name(type) + " within a block of header fields");
        }
        switch (type) {
            case FrameHeader.DATA -> readData(in, payload, length, flags, used(type, streamId));
            case FrameHeader.HEADERS -> readHeaders(in, payload, length, flags, used(type, streamId));
            case FrameHeader.PRIORITY -> {
                requireLength(type, length, PRIORITY_LENGTH);
                requireStream(type, streamId);
                receiver.useless();
            }
            case FrameHeader.RST_STREAM -> {
                requireLength(type, length, Integer.BYTES);
                receiver.reset(used(type, streamId), in.getUnsignedInt(payload));
            }
            case FrameHeader.SETTINGS -> {
                requireConnection(type, streamId);
                readSettings(in, payload, length, flags);
            }
            case FrameHeader.PING -> {
                requireConnection(type, streamId);
                requireLength(type, length, Long.BYTES);
                readPing(in, payload, flags);
            }
            case FrameHeader.GOAWAY -> {
                requireConnection(type, streamId);
                readGoAway(in, payload, length);
            }
            case FrameHeader.WINDOW_UPDATE -> {
                requireLength(type, length, Integer.BYTES);
                int increment = in.getInt(payload) & ~FrameHeader.RESERVED_BIT;
                if (increment == 0) {
                    throw ProtocolViolation.of("WINDOW_UPDATE by 0 on stream " + streamId);
                }
                receiver.windowUpdate(streamId == 0 ? 0 : used(type, streamId), increment);
            }
            case FrameHeader.CONTINUATION -> readContinuation(in, payload, length, flags);
            case FrameHeader.PUSH_PROMISE -> throw ProtocolViolation.of("PUSH_PROMISE, which is disabled");
            default -> receiver.useless();
        }
    }

    private static void requireLength(int type, int length, int expected) throws ProtocolViolation {
        if (length != expected) {
            throw ProtocolViolation.ofSize(type, length);
        }
    }

    private static void requireConnection(int type, int streamId) throws ProtocolViolation {
        if (streamId != 0) {
            throw ProtocolViolation.of(FrameHeader.name(type) + " on stream " + streamId + " (expected: 0)");
        }
    }

    private static void requireStream(int type, int streamId) throws ProtocolViolation {
        if (streamId == 0) {
            throw ProtocolViolation.of(FrameHeader.name(type) + " on stream 0");
        }
    }

    /** Returns the id of a stream that is open or was. */
    private int used(int type, int streamId) throws ProtocolViolation {
        requireStream(type, streamId);
        if (streams.isIdle(streamId)) {
            throw ProtocolViolation.of(FrameHeader.name(type) + " on stream " + streamId + ", which was never opened");
        }
        return streamId;
    }

    /**
     * Returns the length of the padding, with the byte that tells it; 0 for none.
     *
     * @param required bytes of the frame beside the padding
     */
    private static int padding(ByteBuf in, int payload, int length, int flags, int required) throws ProtocolViolation {
        boolean isPadded = (flags & FrameHeader.PADDED) != 0;
        if (length < required + (isPadded ? 1 : 0)) {
            throw new ProtocolViolation(
                    Http2Error.FRAME_SIZE_ERROR, (isPadded ? "a padded frame of " : "a frame of ") + length + " bytes");
        }
        if (!isPadded) {
            return 0;
        }
        int padding = 1 + in.getUnsignedByte(payload);
        if (padding + required > length) {
            throw ProtocolViolation.of("padding of " + (padding - 1) + " bytes in a frame of " + length);
        }
        return padding;
    }

    private void readData(ByteBuf in, int payload, int length, int flags, int streamId) throws ProtocolViolation {
        int padding = padding(in, payload, length, flags, 0);
        boolean ends = (flags & FrameHeader.END_STREAM) != 0;
        receiver.content(streamId, in, padding == 0 ? payload : payload + 1, length - padding, length, ends);
    }

    private void readHeaders(ByteBuf in, int payload, int length, int flags, int streamId) throws ProtocolViolation {
        int priority = (flags & FrameHeader.WITH_PRIORITY) == 0 ? 0 : PRIORITY_LENGTH;
        int padding = padding(in, payload, length, flags, priority);
        int fields = payload + (padding == 0 ? 0 : 1) + priority;
        int fieldsLength = length - padding - priority;
        boolean ends = (flags & FrameHeader.END_STREAM) != 0;
        if ((flags & FrameHeader.END_HEADERS) == 0) {
            block.begin(streamId, ends, in, fields, fieldsLength);
            return;
        }
        Http2Headers decoded;
        try {
            decoded = block.decode(streamId, in, fields, fieldsLength);
        } catch (Http2Exception.StreamException e) {
            receiver.badFields(streamId, PeerText.of(e.getMessage()));
            return;
        }
        receiver.fields(streamId, decoded, ends);
    }

    private void readContinuation(ByteBuf in, int payload, int length, int flags) throws ProtocolViolation {
        if (!block.isCollecting()) {
            throw ProtocolViolation.of("CONTINUATION without HEADERS");
        }
        block.add(in, payload, length);
        if ((flags & FrameHeader.END_HEADERS) == 0) {
            return;
        }
        int streamId = block.streamId();
        Http2Headers decoded;
        try {
            decoded = block.decodeCollected();
        } catch (Http2Exception.StreamException e) {
            receiver.badFields(streamId, PeerText.of(e.getMessage()));
            return;
        }
        receiver.fields(streamId, decoded, block.endsStream());
    }

    private void readSettings(ByteBuf in, int payload, int length, int flags) throws ProtocolViolation {
        if ((flags & FrameHeader.ACK) != 0) {
            requireLength(FrameHeader.SETTINGS, length, 0);
            receiver.acknowledged();
            return;
        }
        if (length % PeerSettings.ENTRY_LENGTH != 0) {
            throw ProtocolViolation.ofSize(FrameHeader.SETTINGS, length);
        }
        receiver.settings(in, payload, length);
    }

    private void readPing(ByteBuf in, int payload, int flags) throws ProtocolViolation {
        if ((flags & FrameHeader.ACK) != 0) {
            // This side sends none.
            receiver.useless();
        } else {
            receiver.ping(in.getLong(payload));
        }
    }

    private void readGoAway(ByteBuf in, int payload, int length) throws ProtocolViolation {
        int debug = 2 * Integer.BYTES;
        if (length < debug) {
            throw ProtocolViolation.ofSize(FrameHeader.GOAWAY, length);
        }
        receiver.goAway(
                in.getInt(payload) & ~FrameHeader.RESERVED_BIT,
                in.getUnsignedInt(payload + Integer.BYTES),
                PeerText.of(in, payload + debug, length - debug));
    }
}
