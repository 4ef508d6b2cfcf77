package io.dubbomesh.transport.http2;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

import java.nio.channels.ClosedChannelException;
import java.util.Objects;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The client's end of one HTTP/2 connection (RFC 9113), with prior knowledge or behind TLS with ALPN: opens streams for
 * requests that are complete, hands over what the peer answers, and keeps to the windows of both sides. Owned by the
 * event loop of its channel.
 * <pre>
 *   NEW      --active--------------------> UNHEARD
 *   UNHEARD  --SETTINGS------------------> OPEN
 *   OPEN     --GOAWAY--------------------> ENDING
 *   each     --closed, broken or ended---> LOST
 * </pre>
 * Streams are opened in UNHEARD and OPEN, as long as there are ids. The states of a stream are those of
 * {@link Http2Stream}.
 *
 * <p>Requests come as finished HPACK blocks of literals, so that no table is kept of what the peer has got. Of a
 * request whose content is longer than the peer's windows the rest waits here, counted in the memory budget of the
 * loop.
 */
public final class Http2Client extends FrameHandler {
    /** The longest payload that is taken: the least that RFC 9113 allows. */
    private static final int MAX_PAYLOAD = 16 * 1024;
    /** SETTINGS have to be answered: so many are of a peer that does not read. */
    private static final int MAX_ACKS_UNREAD = 64;
    /** Any other useless frame is less work. */
    private static final int COST_OF_SETTINGS = 16;

    private static final int MAX_REASON = 128;
    private static final int PRIORITY_LENGTH = 5;

    private enum State {
        NEW,
        UNHEARD,
        OPEN,
        ENDING,
        LOST
    }

    private final Turn turn;
    private final Http2Limits limits;
    private final Http2Listener listener;
    private final PeerSettings peer = new PeerSettings();
    private final StreamTable streams;
    private final ReceiveWindow window;
    private final Runnable sendWaiting = this::sendWaiting;
    private final Runnable notifyOfRoom = this::notifyOfRoom;
    private State state = State.NEW;
    private Channel channel;
    private OutboundBatch batch;
    private FrameWriter writer;
    private WaitingRequests waiting;
    private HeaderBlock block;
    private UselessFrames useless;
    /** Why the connection has to end by what the peer has sent. */
    private Http2Error violation = Http2Error.PROTOCOL_ERROR;
    /** The last stream that the peer may process. */
    private int lastStreamId = Integer.MAX_VALUE;

    private int acksUnread;
    private long pings;
    private long pongs;
    private String closeReason = "closed by the peer";

    /** @param turn of the loop that owns the channel; its budget counts what waits */
    public Http2Client(Turn turn, Http2Limits limits, Http2Listener listener) {
        this(turn, limits, listener, 1);
    }

    /** Makes one whose first stream has another id. */
    Http2Client(Turn turn, Http2Limits limits, Http2Listener listener, int firstId) {
        super(FrameHeader.LENGTH, turn.memory());
        this.turn = turn;
        this.limits = limits;
        this.listener = listener;
        streams = new StreamTable(limits.streamWindow(), firstId);
        window = new ReceiveWindow(limits.connectionWindow());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        channel = ctx.channel();
    }

    public Channel channel() {
        return channel;
    }

    /** Returns the batch that is written to, for its {@link OutboundBatch#handedOverBytes}. */
    public OutboundBatch batch() {
        return batch;
    }

    /** Returns whether a stream can be opened now: the connection is not ending, and the peer takes one more. */
    public boolean canOpen() {
        return (state == State.UNHEARD || state == State.OPEN) && streams.hasIds() && streams.size() < maxStreams();
    }

    /**
     * Returns whether no stream can be opened on this connection any more: the peer has said so, the ids are used up,
     * or the connection has ended. Streams that are open may go on.
     */
    public boolean isEnding() {
        return state == State.ENDING || state == State.LOST || !streams.hasIds();
    }

    /** Returns the number of streams that are open. */
    public int openStreams() {
        return streams.size();
    }

    /** Returns how many streams may be open at once, by the peer's settings and the own limit. */
    public int maxStreams() {
        return Math.min(limits.maxStreams(), peer.maxStreams());
    }

    /**
     * Opens a stream with a complete request; {@link #canOpen} must be true. The bytes are copied. If this throws, the
     * request was certainly not executed, and there is no stream.
     *
     * @param fields the header fields as an HPACK block that names no entry of the dynamic table and adds none
     * @param data   the content, whole; nothing if {@code dataLength} is 0
     * @return the stream's id
     */
    public int open(ByteBuf in, int fields, int fieldsLength, int data, int dataLength) {
        assert turn.eventLoop().inEventLoop();
        if (!canOpen()) {
            throw new IllegalStateException(
                    "no stream can be opened: " + state + ", " + streams.size() + " of " + maxStreams() + " are open");
        }
        Http2Stream stream = streams.open();
        int id = stream.id;
        try {
            stream.endAppendedAt = writer.headers(id, in, fields, fieldsLength, dataLength == 0, peer.maxFrameSize());
        } catch (RuntimeException | Error e) {
            streams.close(stream);
            throw e;
        }
        streams.keepId();
        useless.onUseful();
        try {
            waiting.send(stream, in, data, dataLength);
        } catch (RuntimeException | Error e) {
            abandon(stream);
            throw e;
        }
        return id;
    }

    /** Ends a stream of whose request only a part could be written. */
    private void abandon(Http2Stream stream) {
        int id = stream.id;
        end(stream);
        try {
            writer.reset(id, Http2Error.CANCEL);
        } catch (RuntimeException | Error e) {
            // Else the peer would keep the stream for ever.
            close("no memory to write to it: " + SocketFailure.reason(e));
        }
    }

    /**
     * Ends a stream whose answer is not wanted any more, and drops what waits of its request. Nothing is called for it
     * afterwards. Does nothing if it has ended.
     */
    public void reset(int streamId, Http2Error error) {
        Http2Stream stream = streams.get(streamId);
        if (stream != null) {
            end(stream);
            if (state != State.LOST) {
                writer.reset(streamId, error);
            }
        }
    }

    /** Closes a stream: gives back what is not consumed of it and drops what waits. */
    private void end(Http2Stream stream) {
        boolean wasWritable = hasRoom();
        waiting.drop(stream);
        int unconsumed = stream.unconsumed;
        streams.close(stream);
        giveBack(unconsumed);
        if (!wasWritable && hasRoom()) {
            // Not now: the listener might close the connection within the end of a stream.
            turn.ready(notifyOfRoom);
        }
    }

    private void notifyOfRoom() {
        if (state != State.LOST) {
            listener.writabilityChanged();
        }
    }

    /**
     * Gives bytes of {@link Http2Listener#data} back to the windows of the peer. With the end of a stream all of its
     * bytes are given back to that of the connection, and this does nothing.
     */
    public void consumed(int streamId, int bytes) {
        Http2Stream stream = streams.get(streamId);
        if (stream == null || state == State.LOST) {
            return;
        }
        assert bytes <= stream.unconsumed : bytes + " bytes consumed of " + stream.unconsumed;
        int given = Math.min(bytes, stream.unconsumed);
        stream.unconsumed -= given;
        int increment = stream.window.consume(given);
        if (increment > 0) {
            writer.windowUpdate(streamId, increment);
        }
        giveBack(given);
    }

    /** Gives bytes back to the window of the connection. */
    private void giveBack(int bytes) {
        if (state == State.LOST) {
            return;
        }
        int increment = window.consume(bytes);
        if (increment > 0) {
            writer.windowUpdate(0, increment);
        }
    }

    /**
     * Returns whether the peer has certainly not got the whole request of an open stream, so that it has not executed
     * it: its end waits for the windows, or no system call has taken the frame with it.
     */
    public boolean isUnsent(int streamId) {
        Http2Stream stream = streams.get(streamId);
        return stream != null && (stream.waiting != null || batch.isUnsent(stream.endAppendedAt));
    }

    /** Returns whether more requests should be written: neither the channel nor the windows hold up too much. */
    public boolean isWritable() {
        return state != State.NEW && channel.isWritable() && hasRoom();
    }

    private boolean hasRoom() {
        return waiting.bytes() < limits.maxWaiting();
    }

    /**
     * Sends a PING.
     *
     * @return the length of its frame
     */
    public int ping() {
        if (state == State.NEW || state == State.LOST) {
            return 0;
        }
        writer.ping(++pings, false);
        return FrameWriter.PING_LENGTH;
    }

    /** Sends what waits in the batch. Returns whether the system has taken everything, and nothing waits for windows. */
    public boolean flush() {
        batch.flush();
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        return waiting.isEmpty() && (outbound == null || outbound.totalPendingWriteBytes() == 0);
    }

    /**
     * Ends the connection, with GOAWAY where nothing waits in front of it; {@link Http2Listener#lost} is called with
     * this reason before this returns. Does nothing if it has ended.
     */
    public void close(String reason) {
        close(Http2Error.NO_ERROR, reason);
    }

    private void close(Http2Error error, String reason) {
        if (state == State.LOST) {
            return;
        }
        boolean greeted = state != State.NEW;
        stopReading();
        onLost(reason);
        if (greeted && unwritten() == 0 && channel.isActive()) {
            sendGoAway(error, reason);
        }
        if (channel != null) {
            channel.close();
        }
    }

    private long unwritten() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        return outbound == null ? 0 : outbound.totalPendingWriteBytes();
    }

    private void sendGoAway(Http2Error error, String reason) {
        ByteBuf out = channel.alloc().directBuffer(FrameHeader.LENGTH + MAX_REASON);
        FrameWriter.goAway(out, error, reason);
        channel.writeAndFlush(out, channel.voidPromise());
    }

    /** Called before the channel is closed by this side, so that nothing more is written to it. */
    private void onLost(String reason) {
        boolean wasActive = state != State.NEW && state != State.LOST;
        state = State.LOST;
        if (!wasActive) {
            return;
        }
        listener.lost(reason);
        waiting.dropAll();
        block.release();
        ByteBuf unsent = batch.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (state != State.NEW) {
            return;
        }
        batch = OutboundBatch.recoverable(channel, turn, Use.UNREAD_REQUESTS, 32 * 1024);
        writer = new FrameWriter(batch);
        block = new HeaderBlock(limits.maxHeaderListSize(), channel.alloc(), turn.memory());
        useless = new UselessFrames(nowNs());
        waiting = new WaitingRequests(channel, writer, peer, useless, turn.memory());
        state = State.UNHEARD;
        writer.preface(limits);
        listener.active();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state != State.NEW && state != State.LOST) {
            listener.readComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (state == State.NEW || state == State.LOST) {
            return;
        }
        batch.countUnwritten();
        if (channel.isWritable()) {
            acksUnread = 0;
            if (!waiting.isEmpty()) {
                turn.ready(sendWaiting);
            }
        }
        listener.writabilityChanged();
    }

    private void sendWaiting() {
        if (state == State.LOST) {
            return;
        }
        boolean wasWritable = hasRoom();
        try {
            waiting.send();
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            close("no memory to write to it: " + SocketFailure.reason(e));
            return;
        }
        if (!wasWritable && hasRoom()) {
            turn.ready(notifyOfRoom);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        onLost(closeReason);
        if (batch != null) {
            batch.countUnwritten();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        if (!(cause instanceof ClosedChannelException)) {
            closeReason = SocketFailure.reason(cause);
        }
        ctx.close();
    }

    @Override
    protected void received(int bytes) {
        if (state != State.LOST) {
            listener.received(bytes);
        }
    }

    @Override
    protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        if (state == State.UNHEARD) {
            requireHttp2(in, offset);
        }
        int payload = FrameHeader.payloadLength(in, offset);
        if (payload > MAX_PAYLOAD) {
            violation = Http2Error.FRAME_SIZE_ERROR;
            throw new MalformedFrameException(FrameHeader.name(FrameHeader.type(in, offset)) + " of " + payload
                    + " bytes (expected: at most " + MAX_PAYLOAD + ")");
        }
        return FrameHeader.LENGTH + payload;
    }

    private static void requireHttp2(ByteBuf in, int offset) throws MalformedFrameException {
        boolean isSettings = FrameHeader.type(in, offset) == FrameHeader.SETTINGS
                && (FrameHeader.flags(in, offset) & FrameHeader.ACK) == 0;
        if (!isSettings) {
            String first = in.toString(offset, FrameHeader.LENGTH, US_ASCII);
            throw new MalformedFrameException(
                    first.startsWith("HTTP/1.") ? "HTTP/1 (expected: HTTP/2)" : "no SETTINGS first: is it HTTP/2?");
        }
    }

    @Override
    protected void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
        listener.frameReceived();
        if (state == State.LOST) {
            return;
        }
        try {
            frame(in, offset, FrameHeader.type(in, offset), FrameHeader.streamId(in, offset));
        } catch (ProtocolViolation e) {
            violation = e.error();
            throw new MalformedFrameException(e.getMessage());
        }
    }

    private void frame(ByteBuf in, int offset, int type, int streamId) throws ProtocolViolation {
        int flags = FrameHeader.flags(in, offset);
        int payload = offset + FrameHeader.LENGTH;
        int length = FrameHeader.payloadLength(in, offset);
        if (block.isCollecting() && (type != FrameHeader.CONTINUATION || streamId != block.streamId())) {
            throw ProtocolViolation.of(FrameHeader.name(type) + " within a block of header fields");
        }
        switch (type) {
            case FrameHeader.DATA -> onData(in, payload, length, flags, used(type, streamId));
            case FrameHeader.HEADERS -> onHeaders(in, payload, length, flags, used(type, streamId));
            case FrameHeader.PRIORITY -> {
                requireLength(type, length, PRIORITY_LENGTH);
                requireStream(type, streamId);
                onUseless();
            }
            case FrameHeader.RST_STREAM -> {
                requireLength(type, length, Integer.BYTES);
                onReset(used(type, streamId), in.getUnsignedInt(payload));
            }
            case FrameHeader.SETTINGS -> {
                requireConnection(type, streamId);
                onSettings(in, payload, length, flags);
            }
            case FrameHeader.PING -> {
                requireConnection(type, streamId);
                requireLength(type, length, Long.BYTES);
                onPing(in.getLong(payload), flags);
            }
            case FrameHeader.GOAWAY -> {
                requireConnection(type, streamId);
                onGoAway(in, payload, length);
            }
            case FrameHeader.WINDOW_UPDATE -> {
                requireLength(type, length, Integer.BYTES);
                onWindowUpdate(streamId, in.getInt(payload) & ~FrameHeader.RESERVED_BIT);
            }
            case FrameHeader.CONTINUATION -> onContinuation(in, payload, length, flags);
            case FrameHeader.PUSH_PROMISE -> throw ProtocolViolation.of("PUSH_PROMISE, which is disabled");
            default -> onUseless();
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

    private void onUseless() throws ProtocolViolation {
        useless.onUseless(1, nowNs());
    }

    private long nowNs() {
        return channel.eventLoop().ticker().nanoTime();
    }

    /** Returns the length of the padding, with the byte that tells it; 0 for none. */
    private static int padding(ByteBuf in, int payload, int length, int flags, int required) throws ProtocolViolation {
        if ((flags & FrameHeader.PADDED) == 0) {
            if (length < required) {
                throw new ProtocolViolation(Http2Error.FRAME_SIZE_ERROR, "a frame of " + length + " bytes");
            }
            return 0;
        }
        if (length <= required) {
            throw new ProtocolViolation(Http2Error.FRAME_SIZE_ERROR, "a padded frame of " + length + " bytes");
        }
        int padding = 1 + in.getUnsignedByte(payload);
        if (padding + required > length) {
            throw ProtocolViolation.of("padding of " + (padding - 1) + " bytes in a frame of " + length);
        }
        return padding;
    }

    private void onData(ByteBuf in, int payload, int length, int flags, int streamId) throws ProtocolViolation {
        int padding = padding(in, payload, length, flags, 0);
        window.receive(length);
        Http2Stream stream = streams.get(streamId);
        if (stream == null) {
            giveBack(length);
            onUseless();
            return;
        }
        stream.window.receive(length);
        stream.unconsumed += length;
        if (!stream.answered) {
            fail(stream, "content without header fields");
            return;
        }
        boolean ends = (flags & FrameHeader.END_STREAM) != 0;
        int data = padding == 0 ? payload : payload + 1;
        int dataLength = length - padding;
        if (dataLength > 0 || ends) {
            useless.onUseful();
        } else {
            onUseless();
        }
        if (ends) {
            endByPeer(stream);
        } else if (padding > 0) {
            consumed(streamId, padding);
        }
        if (dataLength > 0 || ends) {
            listener.data(streamId, in, data, dataLength, ends);
        }
    }

    /** Ends a stream with its answer. */
    private void endByPeer(Http2Stream stream) {
        int id = stream.id;
        boolean incomplete = stream.waiting != null;
        end(stream);
        if (incomplete) {
            writer.reset(id, Http2Error.CANCEL);
        }
    }

    private void fail(Http2Stream stream, String reason) {
        int id = stream.id;
        reset(id, Http2Error.PROTOCOL_ERROR);
        listener.failed(id, reason);
    }

    private void onHeaders(ByteBuf in, int payload, int length, int flags, int streamId) throws ProtocolViolation {
        int priority = (flags & FrameHeader.WITH_PRIORITY) == 0 ? 0 : PRIORITY_LENGTH;
        int padding = padding(in, payload, length, flags, priority);
        int fields = payload + (padding == 0 ? 0 : 1) + priority;
        int fieldsLength = length - padding - priority;
        boolean ends = (flags & FrameHeader.END_STREAM) != 0;
        if ((flags & FrameHeader.END_HEADERS) == 0) {
            block.begin(streamId, ends, in, fields, fieldsLength);
            return;
        }
        try {
            onFields(streamId, block.decode(streamId, in, fields, fieldsLength), ends);
        } catch (Http2Exception.StreamException e) {
            onBadFields(streamId, e);
        }
    }

    private void onContinuation(ByteBuf in, int payload, int length, int flags) throws ProtocolViolation {
        if (!block.isCollecting()) {
            throw ProtocolViolation.of("CONTINUATION without HEADERS");
        }
        block.add(in, payload, length);
        if ((flags & FrameHeader.END_HEADERS) == 0) {
            return;
        }
        try {
            onFields(block.streamId(), block.decodeCollected(), block.endsStream());
        } catch (Http2Exception.StreamException e) {
            onBadFields(block.streamId(), e);
        }
    }

    private void onBadFields(int streamId, Http2Exception cause) throws ProtocolViolation {
        Http2Stream stream = streams.get(streamId);
        if (stream == null) {
            onUseless();
        } else {
            fail(stream, "header fields: " + PrintableText.of(cause.getMessage()));
        }
    }

    private void onFields(int streamId, Http2Headers fields, boolean ends) throws ProtocolViolation {
        Http2Stream stream = streams.get(streamId);
        if (stream == null) {
            onUseless();
            return;
        }
        String fault = stream.answered
                ? ResponseFields.faultOfTrailers(fields, ends)
                : ResponseFields.faultOfHead(fields, ends);
        if (fault != null) {
            fail(stream, fault);
            return;
        }
        if (!stream.answered && ResponseFields.isInformational(fields)) {
            onUseless();
            return;
        }
        useless.onUseful();
        stream.answered = true;
        if (ends) {
            endByPeer(stream);
        }
        listener.headers(streamId, fields, ends);
    }

    private void onReset(int streamId, long errorCode) throws ProtocolViolation {
        Http2Stream stream = streams.get(streamId);
        if (stream == null) {
            onUseless();
        } else {
            endWithCode(stream, errorCode);
        }
    }

    /** Ends a stream that the peer does not go on with. */
    private void endWithCode(Http2Stream stream, long errorCode) {
        int id = stream.id;
        boolean isFalse = stream.answered && errorCode == Http2Error.REFUSED_STREAM.code();
        end(stream);
        listener.reset(id, isFalse ? Http2Error.INTERNAL_ERROR.code() : errorCode);
    }

    private void onSettings(ByteBuf in, int payload, int length, int flags) throws ProtocolViolation {
        if ((flags & FrameHeader.ACK) != 0) {
            requireLength(FrameHeader.SETTINGS, length, 0);
            onUseless();
            return;
        }
        if (length % PeerSettings.ENTRY_LENGTH != 0) {
            throw ProtocolViolation.ofSize(FrameHeader.SETTINGS, length);
        }
        boolean isFirst = state == State.UNHEARD;
        if (isFirst) {
            state = State.OPEN;
            peer.onFirst();
        } else {
            useless.onUseless(COST_OF_SETTINGS, nowNs());
        }
        int maxStreams = maxStreams();
        int initialWindow = peer.initialWindow();
        peer.read(in, payload, length);
        if (peer.initialWindow() != initialWindow) {
            waiting.onInitialWindow();
            turn.ready(sendWaiting);
        }
        acknowledge();
        if (isFirst || maxStreams() != maxStreams) {
            listener.settings();
        }
    }

    private void acknowledge() throws ProtocolViolation {
        if (!channel.isWritable() && ++acksUnread > MAX_ACKS_UNREAD) {
            throw new ProtocolViolation(Http2Error.ENHANCE_YOUR_CALM, "SETTINGS whose answers are not read");
        }
        writer.settingsAck();
    }

    /**
     * A peer that does not read what there is gets no answer: it has enough to read, and one that reads nothing would
     * have them pile up.
     */
    private void onPing(long content, int flags) throws ProtocolViolation {
        if ((flags & FrameHeader.ACK) == 0) {
            onUseless();
            if (channel.isWritable()) {
                writer.ping(content, true);
            }
        } else if (content > pongs && content <= pings) {
            pongs = content;
            listener.pong();
        } else {
            onUseless();
        }
    }

    private void onGoAway(ByteBuf in, int payload, int length) throws ProtocolViolation {
        if (length < 2 * Integer.BYTES) {
            throw ProtocolViolation.ofSize(FrameHeader.GOAWAY, length);
        }
        int last = in.getInt(payload) & ~FrameHeader.RESERVED_BIT;
        if (state == State.ENDING && last >= lastStreamId) {
            onUseless();
            return;
        }
        state = State.ENDING;
        lastStreamId = Math.min(last, lastStreamId);
        long errorCode = in.getUnsignedInt(payload + Integer.BYTES);
        String debug = PrintableText.of(in, payload + 2 * Integer.BYTES, length - 2 * Integer.BYTES);
        closeReason = closeReason(errorCode, debug);
        listener.goAway(lastStreamId, errorCode, debug);
        for (int id : streams.idsAbove(last)) {
            Http2Stream stream = streams.get(id);
            if (stream != null && state != State.LOST) {
                endWithCode(stream, Http2Error.REFUSED_STREAM.code());
            }
        }
    }

    private static String closeReason(long errorCode, String debug) {
        if (errorCode == Http2Error.NO_ERROR.code()) {
            return "closed by the peer";
        }
        String error = Objects.toString(Http2Error.valueOf(errorCode), "error " + errorCode);
        return "closed by the peer: " + (debug.isEmpty() ? error : error + ", " + debug);
    }

    private void onWindowUpdate(int streamId, int increment) throws ProtocolViolation {
        if (increment == 0) {
            throw ProtocolViolation.of("WINDOW_UPDATE by 0 on stream " + streamId);
        }
        onUseless();
        if (streamId == 0) {
            waiting.onConnectionUpdate(increment);
        } else {
            Http2Stream stream = streams.get(used(FrameHeader.WINDOW_UPDATE, streamId));
            if (stream == null) {
                return;
            }
            waiting.onStreamUpdate(stream, increment);
        }
        if (!waiting.isEmpty()) {
            turn.ready(sendWaiting);
        }
    }

    @Override
    protected void malformed(String reason) {
        close(violation, "malformed frame: " + reason);
    }
}
