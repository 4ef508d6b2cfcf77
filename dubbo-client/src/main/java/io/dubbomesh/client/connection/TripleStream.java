package io.dubbomesh.client.connection;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * The answer to one call of a {@link TripleConnection}, as far as it has come: header fields, and one message of gRPC.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+-----------------------------------------------+
 * |   Compressed  |              Message Length (32 bits)
 * +---------------+-----------------------------------------------+
 *                 |  Message ...
 * +---------------+
 * </pre>
 * <pre>
 *   HEADERS --header fields--> PREFIX --its last byte--> MESSAGE --its last byte--> COMPLETE
 *                                 `------ of length 0 ------------------------------^
 * </pre>
 * Each byte of content in HEADERS or COMPLETE is one too many. Reused; owns its buffer, of which the budget counts what
 * the message needs. Belongs to the event loop of the connection.
 */
final class TripleStream {
    private static final int PREFIX_LENGTH = Byte.BYTES + Integer.BYTES;
    private static final int INITIAL_CAPACITY = 1024;
    /** A buffer that had to grow larger than this is not kept for the next call. */
    private static final int KEPT_CAPACITY = 4 * 1024;
    /**
     * A message of a stream that is longer takes no window while it comes: else it might never be complete. Bytes that
     * were consumed are given back when they are half of the window; a shorter message fits in the other half.
     */
    private static final int MOST_HELD_BACK = MemoryBudget.STREAM / 2 - PREFIX_LENGTH;

    enum State {
        HEADERS,
        PREFIX,
        MESSAGE,
        COMPLETE
    }

    private final MemoryBudget memory;
    private final int maxPayload;
    private State state = State.HEADERS;
    private long requestId;
    private AnswerForm form = AnswerForm.VALUE;
    /** Whether the answer may have any number of messages. */
    private boolean streams;

    /** Whether the call has ended without this. */
    private boolean abandoned;

    private long deadlineNs;
    /** The check intervals of the connection, see {@link ProviderConnection#checks}, when the call was sent. */
    private int sentAtCheck;

    /** Whether the request was unsent when the connection was lost. */
    private boolean unsent;
    /** Null in HEADERS. */
    private Http2Headers headers;

    private int prefixBytes;
    private int flags;
    private int length;
    /** The bytes that the last {@link #append} has taken. */
    private int taken;
    /** The bytes of the message that the provider may replace already. */
    private int consumed;
    /** The bytes of messages that were handed over, and that the provider may not replace yet. */
    private int handedOver;
    /** Null until the first message, and after {@link #release}; has the prefix and what has come of the message. */
    private ByteBuf content;
    /** The bytes that the budget counts, and their use. */
    private int held;

    private Use heldFor = Use.PARTIAL_FRAMES;

    TripleStream(MemoryBudget memory, int maxPayload) {
        this.memory = memory;
        this.maxPayload = maxPayload;
    }

    /** Becomes the stream of a call. */
    void bind(long id, AnswerForm answerForm, long deadline, int checks) {
        state = State.HEADERS;
        requestId = id;
        form = answerForm;
        streams = false;
        consumed = 0;
        handedOver = 0;
        deadlineNs = deadline;
        sentAtCheck = checks;
        unsent = false;
        abandoned = false;
        prefixBytes = 0;
        length = 0;
    }

    State state() {
        return state;
    }

    long requestId() {
        return requestId;
    }

    /** Takes any number of messages from now on. */
    void stream() {
        streams = true;
    }

    boolean isStreaming() {
        return streams;
    }

    boolean isOneWay() {
        return form == AnswerForm.NONE;
    }

    /** Returns whether the answer has messages of protobuf. */
    boolean isMessage() {
        return form == AnswerForm.MESSAGE;
    }

    /** Called when the call has ended, and the end of the stream is waited for until then. */
    void abandon(long untilNs) {
        abandoned = true;
        deadlineNs = untilNs;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    /** Returns the check intervals since the call was sent. */
    int age(int checks) {
        return checks - sentAtCheck;
    }

    boolean isUnsent() {
        return unsent;
    }

    /** Called when the connection is lost. */
    void markUnsent() {
        unsent = true;
    }

    /** Returns the first header fields of the answer; null before they have come. */
    Http2Headers headers() {
        return headers;
    }

    /** Returns what has come of the message, behind its prefix. Valid until the stream is freed. */
    ByteBuf content() {
        return state == State.MESSAGE || state == State.COMPLETE ? content : Unpooled.EMPTY_BUFFER;
    }

    /** Returns the length of the message that has begun and is not complete; 0 for none. */
    int awaitedLength() {
        return state == State.MESSAGE ? length : 0;
    }

    /** Returns whether a part of a message has come. */
    boolean isCutOff() {
        return state == State.MESSAGE || state == State.PREFIX && prefixBytes > 0;
    }

    void onHeaders(Http2Headers first) {
        assert state == State.HEADERS;
        headers = first;
        state = State.PREFIX;
    }

    /** Returns the bytes that the last {@link #append} has taken. */
    int taken() {
        return taken;
    }

    /** Returns the bytes of the message so far that the provider may not replace yet. */
    int heldBack() {
        return (state == State.PREFIX ? prefixBytes : content().writerIndex()) - consumed;
    }

    /**
     * Returns the bytes that the provider may replace though their message is not complete; counts them. None while a
     * message before it is not taken: else a client that does not read would get one long message after the other.
     */
    int consumeEarly() {
        if (state != State.MESSAGE || length <= MOST_HELD_BACK || handedOver > 0) {
            return 0;
        }
        int bytes = heldBack();
        consumed += bytes;
        return bytes;
    }

    /** Called when bytes of messages that were handed over are taken. */
    void onTaken(int bytes) {
        handedOver -= bytes;
    }

    /** Makes this ready for another message of the stream. */
    void nextMessage() {
        int heldBack = heldBack();
        state = State.PREFIX;
        prefixBytes = 0;
        length = 0;
        handedOver += heldBack;
        consumed = 0;
        releaseHeld();
    }

    /**
     * Takes bytes of the content: of a stream up to the end of a message at most, else all of them.
     *
     * @return what is wrong with the answer; null for nothing
     */
    String append(ByteBuf in, int offset, int bytes, ByteBufAllocator allocator) {
        int at = offset;
        int end = offset + bytes;
        taken = bytes;
        while (at < end) {
            switch (state) {
                case PREFIX -> {
                    readPrefix(in.getByte(at++));
                    if (prefixBytes == PREFIX_LENGTH) {
                        String refusal = begin(Math.min(length, end - at), allocator);
                        if (refusal != null) {
                            return refusal;
                        }
                    }
                }
                case MESSAGE -> {
                    int kept = Math.min(end - at, PREFIX_LENGTH + length - content.writerIndex());
                    ensureWritable(kept);
                    content.writeBytes(in, at, kept);
                    at += kept;
                    if (content.writerIndex() == PREFIX_LENGTH + length) {
                        state = State.COMPLETE;
                    }
                }
                case COMPLETE -> {
                    if (streams) {
                        taken = at - offset;
                        return null;
                    }
                    return "more than one message";
                }
                default -> {
                    return "content without header fields";
                }
            }
        }
        return null;
    }

    private void readPrefix(byte next) {
        if (prefixBytes == 0) {
            flags = next;
        } else {
            length = length << Byte.SIZE | next & 0xff;
        }
        prefixBytes++;
    }

    private String begin(int comes, ByteBufAllocator allocator) {
        if (flags != 0) {
            return "a message with the flags " + (flags & 0xff) + " (expected: 0, not compressed)";
        }
        if (length < 0 || length > maxPayload) {
            return "a message of " + Integer.toUnsignedString(length) + " bytes (expected: 0 to " + maxPayload + ")";
        }
        heldFor = length > MemoryBudget.LARGE ? Use.FRAMES : Use.PARTIAL_FRAMES;
        if (length > MemoryBudget.LARGE && !memory.hasRoom(heldFor, length)) {
            return "no room for a message of " + length + " bytes; the method was executed";
        }
        int capacity = PREFIX_LENGTH + Math.max(comes, INITIAL_CAPACITY);
        if (content != null && content.capacity() < capacity) {
            release();
        }
        if (content == null) {
            content = allocator.directBuffer(capacity);
        }
        content.clear().writeByte(flags).writeInt(length);
        memory.add(heldFor, length);
        held = length;
        state = length == 0 ? State.COMPLETE : State.MESSAGE;
        return null;
    }

    /** Doubles the buffer, but not beyond the message. */
    private void ensureWritable(int bytes) {
        if (content.writableBytes() < bytes) {
            int needed = content.writerIndex() + bytes;
            content.capacity((int) Math.max(needed, Math.min(2L * content.capacity(), PREFIX_LENGTH + length)));
        }
    }

    /** Called when the call has ended. */
    void free() {
        state = State.HEADERS;
        headers = null;
        releaseHeld();
    }

    private void releaseHeld() {
        memory.release(heldFor, held);
        held = 0;
        if (content != null && content.capacity() > KEPT_CAPACITY) {
            release();
        }
    }

    void release() {
        if (content != null) {
            content.release();
            content = null;
        }
    }
}
