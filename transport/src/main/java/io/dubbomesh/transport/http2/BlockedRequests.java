package io.dubbomesh.transport.http2;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;

/**
 * Sends the content of requests as far as the peer's windows allow, and keeps the rest of them, counted in the budget.
 * The streams that wait take turns, so that a long request does not hold up all others; one whose own window is used up
 * is passed over.
 */
final class BlockedRequests {
    /** Bytes that a stream sends before others get their turn, and of a frame. */
    private static final int PIECE = 64 * 1024;

    private final Channel channel;
    private final FrameOutput writer;
    private final PeerSettings peer;
    private final UselessFrames useless;
    private final MemoryBudget memory;
    private long connectionWindow = Http2Limits.INITIAL_WINDOW;
    private Http2Stream first;
    private Http2Stream last;
    private int count;
    /** The bytes of the buffers of all streams that wait. */
    private long bytes;

    BlockedRequests(
            Channel channel, FrameOutput writer, PeerSettings peer, UselessFrames useless, MemoryBudget memory) {
        this.channel = channel;
        this.writer = writer;
        this.peer = peer;
        this.useless = useless;
        this.memory = memory;
    }

    boolean isEmpty() {
        return first == null;
    }

    long bytes() {
        return bytes;
    }

    /**
     * Sends content of a request, or as much as the windows allow; then the stream waits with the rest. It is the last
     * unless the request goes on. If this fails, a part of it may have been sent, and the end has not.
     */
    void send(Http2Stream stream, ByteBuf in, int offset, int length) {
        if (stream.waiting != null) {
            awaitToo(stream, in, offset, length);
            return;
        }
        int at = offset;
        int end = offset + length;
        while (at < end) {
            int payload = payload(stream, end - at);
            if (payload == 0) {
                await(stream, in, at, end - at);
                return;
            }
            write(stream, in, at, payload, at + payload == end && !stream.requestGoesOn);
            at += payload;
        }
    }

    /** Ends a request behind its content. */
    void finish(Http2Stream stream) {
        stream.requestGoesOn = false;
        if (stream.waiting == null) {
            write(stream, Unpooled.EMPTY_BUFFER, 0, 0, true);
        }
    }

    /** Returns how many bytes of so many can be sent in a frame now. */
    private int payload(Http2Stream stream, int wanted) {
        long window = Math.min(connectionWindow, window(stream));
        return (int) Math.max(0, Math.min(Math.min(wanted, PIECE), Math.min(peer.maxFrameSize(), window)));
    }

    private long window(Http2Stream stream) {
        return peer.initialWindow() + stream.sendCredit;
    }

    private void write(Http2Stream stream, ByteBuf in, int offset, int length, boolean ends) {
        stream.endAppendedAt = writer.data(stream.id, in, offset, length, ends);
        stream.sendCredit -= length;
        connectionWindow -= length;
        useless.onUseful();
    }

    private void await(Http2Stream stream, ByteBuf in, int offset, int length) {
        stream.waiting = channel.alloc().directBuffer(length, length).writeBytes(in, offset, length);
        count(length);
        addLast(stream);
    }

    /** Keeps more content behind that which waits. */
    private void awaitToo(Http2Stream stream, ByteBuf in, int offset, int length) {
        ByteBuf begin = stream.waiting;
        int all = begin.readableBytes() + length;
        ByteBuf both = channel.alloc().directBuffer(all, all);
        both.writeBytes(begin, begin.readerIndex(), begin.readableBytes()).writeBytes(in, offset, length);
        count(both.capacity() - begin.capacity());
        begin.release();
        stream.waiting = both;
    }

    private void count(int change) {
        bytes += change;
        memory.add(Use.UNREAD_REQUESTS, change);
    }

    /** Sends what the windows allow now, as long as the channel takes it. */
    void send() {
        int passedOver = 0;
        while (passedOver < count && connectionWindow > 0 && channel.isWritable()) {
            Http2Stream stream = first;
            ByteBuf in = stream.waiting;
            int payload = payload(stream, in.readableBytes());
            if (payload == 0) {
                passedOver++;
                remove(stream);
                addLast(stream);
                continue;
            }
            passedOver = 0;
            boolean isAll = payload == in.readableBytes();
            write(stream, in, in.readerIndex(), payload, isAll && !stream.requestGoesOn);
            in.skipBytes(payload);
            if (isAll) {
                drop(stream);
            } else {
                remove(stream);
                addLast(stream);
            }
        }
    }

    /** Called with a WINDOW_UPDATE of the connection. */
    void onConnectionUpdate(int increment) throws ProtocolViolation {
        connectionWindow += increment;
        requireNoOverflow(connectionWindow);
    }

    /** Called with a WINDOW_UPDATE of a stream; of one that has sent all it does not matter. */
    void onStreamUpdate(Http2Stream stream, int increment) throws ProtocolViolation {
        stream.sendCredit += increment;
        requireNoOverflow(window(stream));
    }

    /** Called when the peer's initial window has changed, and with it that of each stream. */
    void onInitialWindow() throws ProtocolViolation {
        for (Http2Stream stream = first; stream != null; stream = stream.next) {
            requireNoOverflow(window(stream));
        }
    }

    private static void requireNoOverflow(long window) throws ProtocolViolation {
        if (window > Integer.MAX_VALUE) {
            throw new ProtocolViolation(
                    Http2Error.FLOW_CONTROL_ERROR, "a window of " + window + " bytes (expected: at most 2147483647)");
        }
    }

    /** Releases what waits of a stream. */
    void drop(Http2Stream stream) {
        if (stream.waiting == null) {
            return;
        }
        int length = stream.waiting.capacity();
        stream.waiting.release();
        stream.waiting = null;
        bytes -= length;
        memory.release(Use.UNREAD_REQUESTS, length);
        remove(stream);
    }

    /** Releases what waits of all streams. */
    void dropAll() {
        while (first != null) {
            drop(first);
        }
    }

    private void addLast(Http2Stream stream) {
        stream.previous = last;
        if (last == null) {
            first = stream;
        } else {
            last.next = stream;
        }
        last = stream;
        count++;
    }

    private void remove(Http2Stream stream) {
        if (stream.previous == null) {
            first = stream.next;
        } else {
            stream.previous.next = stream.next;
        }
        if (stream.next == null) {
            last = stream.previous;
        } else {
            stream.next.previous = stream.previous;
        }
        stream.previous = null;
        stream.next = null;
        count--;
    }
}
