package io.dubbomesh.transport.http2;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Puts together and decodes the blocks of header fields that a peer sends. A block of one frame is decoded in place.
 * <pre>
 *   COMPLETE  --HEADERS without END_HEADERS-->   COLLECTING, in which nothing but CONTINUATION may come
 *   COLLECTING  --CONTINUATION, END_HEADERS-->   COMPLETE
 * </pre>
 * Each block has to be decoded, also of a stream that has ended: it may change the table that the following ones use.
 */
final class ReceivedFields {
    /** RFC 9113 does not want them to be full. */
    private static final int MAX_CONTINUATIONS = 128;

    private static final int INITIAL_CAPACITY = 1024;

    private final DefaultHttp2HeadersDecoder decoder;
    /** Bytes of a block; one that is shorter than what is in it is read whole, so that the connection goes on. */
    private final int maxLength;

    private final ByteBufAllocator allocator;
    private final MemoryBudget memory;
    /** What was collected; null if the block is complete. */
    private ByteBuf collected;
    /** The bytes of that which the budget counts. */
    private int counted;

    private int continuations;
    private int streamId;
    private boolean endsStream;

    ReceivedFields(int maxHeaderListSize, ByteBufAllocator allocator, MemoryBudget memory) {
        decoder = new DefaultHttp2HeadersDecoder(true, true, maxHeaderListSize);
        maxLength = (int) Math.min(2L * maxHeaderListSize, Integer.MAX_VALUE);
        this.allocator = allocator;
        this.memory = memory;
    }

    boolean isCollecting() {
        return collected != null;
    }

    /** Returns the stream of the block that is collected. */
    int streamId() {
        return streamId;
    }

    /** Returns whether the block that is, or was, collected ends its stream. */
    boolean endsStream() {
        return endsStream;
    }

    /** Begins to collect a block. */
    void begin(int newStreamId, boolean newEndsStream, ByteBuf in, int offset, int length) throws ProtocolViolation {
        streamId = newStreamId;
        endsStream = newEndsStream;
        continuations = 0;
        collected = allocator.directBuffer(Math.max(length, INITIAL_CAPACITY));
        collect(in, offset, length);
    }

    /** Adds a CONTINUATION to the block that is collected. */
    void add(ByteBuf in, int offset, int length) throws ProtocolViolation {
        if (++continuations > MAX_CONTINUATIONS) {
            throw new ProtocolViolation(
                    Http2Error.ENHANCE_YOUR_CALM, "more than " + MAX_CONTINUATIONS + " CONTINUATION for a block");
        }
        collect(in, offset, length);
    }

    private void collect(ByteBuf in, int offset, int length) throws ProtocolViolation {
        requireShort(collected.readableBytes() + length);
        collected.writeBytes(in, offset, length);
        count(collected.capacity());
    }

    private void count(int bytes) {
        memory.add(Use.PARTIAL_FRAMES, bytes - counted);
        counted = bytes;
    }

    private void requireShort(int length) throws ProtocolViolation {
        if (length > maxLength) {
            throw new ProtocolViolation(
                    Http2Error.ENHANCE_YOUR_CALM,
                    "a block of header fields of " + length + " bytes (expected: at most " + maxLength + ")");
        }
    }

    /**
     * Decodes the block that was collected.
     *
     * @throws Http2Exception.StreamException as {@link #decode}
     */
    Http2Headers decodeCollected() throws ProtocolViolation, Http2Exception.StreamException {
        try {
            return decode(streamId, collected, collected.readerIndex(), collected.readableBytes());
        } finally {
            release();
        }
    }

    /**
     * Decodes a whole block.
     *
     * @throws Http2Exception.StreamException if only this stream cannot go on
     */
    Http2Headers decode(int ofStream, ByteBuf in, int offset, int length)
            throws ProtocolViolation, Http2Exception.StreamException {
        requireShort(length);
        int readerIndex = in.readerIndex();
        int writerIndex = in.writerIndex();
        // The decoder reads all that there is. A slice would be an object for each block.
        in.setIndex(offset, offset + length);
        try {
            return decoder.decodeHeaders(ofStream, in);
        } catch (Http2Exception.StreamException e) {
            throw e;
        } catch (Http2Exception e) {
            throw new ProtocolViolation(e.error(), "a block of header fields: " + reason(e));
        } finally {
            in.setIndex(readerIndex, writerIndex);
        }
    }

    private static String reason(Http2Exception e) {
        // What the decoder has not foreseen it wraps; that names the buffer.
        return e.getCause() == null ? PeerText.of(e.getMessage()) : "not one of HPACK, or cut off";
    }

    /** Releases what was collected. */
    void release() {
        if (collected != null) {
            collected.release();
            collected = null;
            count(0);
        }
    }
}
