package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Headers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A client on an embedded channel whose peer is played by the bytes of a test. Keeps what the listener was called with,
 * and what the client has sent, frame by frame.
 */
final class PlayedPeer implements Http2Listener, AutoCloseable {
    /** The client's preface with the limits of {@link #LIMITS}. */
    static final String PREFACE = "'PRI * HTTP/2.0' 0d0a0d0a 'SM' 0d0a0d0a"
            + "000012 04 00 00000000  0002 00000000  0004 00020000  0006 00000400";
    /** Behind it: the window of the connection is 256 KiB. */
    static final String PREFACE_WINDOW = "000004 08 00 00000000 00030001";

    static final Http2Limits LIMITS = new Http2Limits(8, 128 * 1024, 256 * 1024, 1024, 100_000);

    static final String SETTINGS = "000000 04 00 00000000";
    static final String SETTINGS_ACK = "000000 04 01 00000000";
    /** {@code :status: 200}, in one byte. */
    static final String HEAD = "000001 01 04 00000001 88";
    /** {@code grpc-status: 0}, at the end of stream 1. */
    static final String TRAILERS = "00000f 01 05 00000001 00 0b 'grpc-status' 01 '0'";

    final EmbeddedChannel channel = new EmbeddedChannel();
    final MemoryBudget memory;
    final Turn turn;
    final Http2Client client;
    final List<String> events = new ArrayList<>();
    private final FlushGate gate = new FlushGate();
    /** Whether content is given back as it comes. */
    boolean consumes = true;
    /** Run with each event. */
    Runnable onEvent = () -> {};

    PlayedPeer() {
        this(LIMITS, 1);
    }

    PlayedPeer(Http2Limits limits, int firstId) {
        this(limits, firstId, new MemoryBudget(1 << 20));
    }

    PlayedPeer(ByteBufAllocator allocator) {
        this(LIMITS, 1, new MemoryBudget(1 << 20), allocator);
    }

    PlayedPeer(Http2Limits limits, int firstId, MemoryBudget memory) {
        this(limits, firstId, memory, ByteBufAllocator.DEFAULT);
    }

    private PlayedPeer(Http2Limits limits, int firstId, MemoryBudget memory, ByteBufAllocator allocator) {
        this.memory = memory;
        channel.config().setAllocator(allocator);
        channel.freezeTime();
        turn = new Turn(channel.eventLoop(), memory);
        client = new Http2Client(turn, limits, this, firstId);
        channel.pipeline().addLast(gate, client);
        channel.pipeline().fireChannelActive();
    }

    /** Begins with the settings of the peer and what both send at first. */
    static PlayedPeer opened() {
        PlayedPeer peer = new PlayedPeer();
        peer.sends(SETTINGS);
        peer.received();
        peer.events.clear();
        return peer;
    }

    /** Sends bytes to the client, and ends its turn. */
    void sends(String... hex) {
        byte[] bytes = Hex.bytes(String.join("", hex));
        sends(bytes, 0, bytes.length);
    }

    void sends(byte[] bytes, int offset, int length) {
        channel.writeInbound(
                channel.config().getAllocator().directBuffer(length).writeBytes(bytes, offset, length));
        channel.runPendingTasks();
    }

    /** Opens a stream with the header field {@code :method: POST} and this content. */
    int open(String content) {
        byte[] bytes = Hex.bytes(content);
        return open(bytes);
    }

    int open(byte[] content) {
        ByteBuf in =
                channel.config().getAllocator().directBuffer().writeByte(0x83).writeBytes(content);
        try {
            return client.open(in, 0, 1, 1, content.length);
        } finally {
            in.release();
        }
    }

    /** Begins a stream with the header field {@code :method: POST}. */
    int begin() {
        ByteBuf in = channel.config().getAllocator().directBuffer().writeByte(0x83);
        try {
            return client.begin(in, 0, 1);
        } finally {
            in.release();
        }
    }

    /** Sends content of a stream that was begun. */
    void send(int stream, int length) {
        ByteBuf in = channel.config().getAllocator().directBuffer().writeZero(length);
        try {
            client.send(stream, in, 0, length);
        } finally {
            in.release();
        }
    }

    /** Returns the bytes that the client has sent since the last call. */
    byte[] receivedBytes() {
        channel.runPendingTasks();
        ByteBuf all = channel.config().getAllocator().buffer();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            all.writeBytes(out);
            out.release();
        }
        byte[] bytes = ByteBufUtil.getBytes(all);
        all.release();
        return bytes;
    }

    /** Returns the frames that the client has sent since the last call; a preface is skipped. */
    List<String> received() {
        byte[] bytes = receivedBytes();
        int start = bytes.length > 0 && bytes[0] == 'P' ? 24 : 0;
        return frames(bytes, start);
    }

    private List<String> frames(byte[] bytes, int start) {
        List<String> frames = new ArrayList<>();
        ByteBuf in = channel.config().getAllocator().buffer().writeBytes(bytes);
        for (int at = start; at < bytes.length; ) {
            int length = FrameHeader.payloadLength(in, at);
            int type = FrameHeader.type(in, at);
            String flags = FrameHeader.flags(in, at) == 0 ? "" : " flags " + FrameHeader.flags(in, at);
            String payload = length > 64 ? length + " bytes" : ByteBufUtil.hexDump(in, at + FrameHeader.LENGTH, length);
            frames.add(FrameHeader.name(type) + " " + FrameHeader.streamId(in, at) + flags
                    + (payload.isEmpty() ? "" : " " + payload));
            at += FrameHeader.LENGTH + length;
        }
        in.release();
        return frames;
    }

    /** Returns what the listener was called with since the last call. */
    List<String> happened() {
        List<String> all = List.copyOf(events);
        events.clear();
        return all;
    }

    private void happened(String event) {
        events.add(event);
        onEvent.run();
    }

    /** Keeps what is flushed from the socket, as if that were full, until it is opened again. */
    void blockFlushes(boolean blocks) {
        gate.closed = blocks;
        if (!blocks) {
            channel.flush();
        }
    }

    void setWritable(boolean writable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
        channel.runPendingTasks();
    }

    /** Closes the connection, and checks that nothing is left of it. */
    @Override
    public void close() {
        channel.finishAndReleaseAll();
        if (memory.used() != 0) {
            throw new AssertionError(memory.used() + " bytes are counted after the connection");
        }
    }

    @Override
    public void active() {
        happened("active");
    }

    @Override
    public void headers(int streamId, Http2Headers headers, boolean endStream) {
        StringBuilder text = new StringBuilder("headers " + streamId);
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            text.append(' ').append(field.getKey()).append('=').append(field.getValue());
        }
        happened(text + (endStream ? " end" : ""));
    }

    @Override
    public void data(int streamId, ByteBuf in, int offset, int length, boolean endStream) {
        String content = length > 64 ? length + " bytes" : ByteBufUtil.hexDump(in, offset, length);
        happened("data " + streamId + (length == 0 ? "" : " " + content) + (endStream ? " end" : ""));
        if (consumes) {
            client.consumed(streamId, length);
        }
    }

    @Override
    public void reset(int streamId, long errorCode) {
        happened("reset " + streamId + " " + errorCode);
    }

    @Override
    public void failed(int streamId, String reason) {
        happened("failed " + streamId + ": " + reason);
    }

    @Override
    public void goAway(int lastStreamId, long errorCode, String debug) {
        happened("goaway " + lastStreamId + " " + errorCode + (debug.isEmpty() ? "" : " " + debug));
    }

    @Override
    public void settings() {
        happened("settings");
    }

    @Override
    public void writabilityChanged() {
        happened(client.isWritable() ? "writable" : "not writable");
    }

    @Override
    public void lost(String reason) {
        happened("lost: " + reason);
    }

    /** In front of the client, so that a test decides when the system takes bytes. */
    @ChannelHandler.Sharable
    private static final class FlushGate extends ChannelOutboundHandlerAdapter {
        private boolean closed;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (!closed) {
                ctx.flush();
            }
        }
    }
}
