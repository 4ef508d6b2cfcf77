package io.dubbomesh.transport.http2;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.http2.Http2Stream.Answer;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;

import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The client's end of one HTTP/2 connection (RFC 9113), with prior knowledge or behind TLS with ALPN: opens streams for
 * requests, hands over what the peer answers, and keeps to the windows of both sides. Owned by the
 * event loop of its channel.
 * <pre>
 *   NEW      --active--------------------> UNHEARD, or LOST if there is no memory for what is sent first
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
    /** SETTINGS have to be answered: so many are of a peer that does not read. */
    private static final int MAX_ACKS_UNREAD = 64;
    /** Any other useless frame is less work. */
    private static final int COST_OF_SETTINGS = 16;

    private static final int MAX_REASON = 128;

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
    private FrameOutput writer;
    private BlockedRequests waiting;
    private ReceivedFields block;
    private FrameReader reader;
    private UselessFrames useless;
    private ResetBudget resets;
    /** Resets what is abandoned; null if nothing is. */
    private Future<?> resetLater;
    /** Why the connection has to end by what the peer has sent. */
    private Http2Error violation = Http2Error.PROTOCOL_ERROR;
    /** The last stream that the peer may process. */
    private int lastStreamId = Integer.MAX_VALUE;

    private int acksUnread;
    /** The content that may still come for streams that were reset; at most what one window of the connection has. */
    private int lateContent;

    /** The SETTINGS that were sent, and those that the peer has acknowledged. */
    private long settingsSent;

    private long settingsAcknowledged;
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

    /** Returns the number of streams that are open and whose answers are wanted. */
    public int openStreams() {
        return streams.wanted();
    }

    /** Returns the number of streams that are open though their answers are not wanted any more, see {@link #reset}. */
    public int abandonedStreams() {
        return streams.abandoned();
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
        Http2Stream stream = openStream(in, fields, fieldsLength, dataLength == 0);
        sendContent(stream, in, data, dataLength);
        return stream.id;
    }

    /**
     * Opens a stream as {@link #open} does, whose request has its content by {@link #send} and goes on until
     * {@link #finish}. No such stream is {@linkplain #isUnsent unsent}: the peer may execute what it has got of it.
     */
    public int begin(ByteBuf in, int fields, int fieldsLength) {
        Http2Stream stream = openStream(in, fields, fieldsLength, false);
        stream.requestGoesOn = true;
        return stream.id;
    }

    /** Sends content of a stream that {@link #begin} has opened. Does nothing if it or its request has ended. */
    public void send(int streamId, ByteBuf in, int data, int dataLength) {
        Http2Stream stream = streamThatGoesOn(streamId);
        if (stream != null) {
            sendContent(stream, in, data, dataLength);
        }
    }

    /** Ends the request of a stream that {@link #begin} has opened. Does nothing if either has ended. */
    public void finish(int streamId) {
        Http2Stream stream = streamThatGoesOn(streamId);
        if (stream != null) {
            waiting.finish(stream);
        }
    }

    /** Returns null if no more can be sent of its request. */
    private Http2Stream streamThatGoesOn(int streamId) {
        Http2Stream stream = state == State.LOST ? null : streams.get(streamId);
        return stream != null && stream.requestGoesOn ? stream : null;
    }

    private Http2Stream openStream(ByteBuf in, int fields, int fieldsLength, boolean isComplete) {
        assert turn.eventLoop().inEventLoop();
        if (!canOpen()) {
            throw new IllegalStateException(
                    "no stream can be opened: " + state + ", " + streams.size() + " of " + maxStreams() + " are open");
        }
        Http2Stream stream = streams.open();
        try {
            stream.endAppendedAt = writer.headers(stream.id, in, fields, fieldsLength, isComplete, peer.maxFrameSize());
        } catch (RuntimeException | Error e) {
            streams.close(stream);
            throw e;
        }
        streams.keepId();
        useless.onUseful();
        return stream;
    }

    private void sendContent(Http2Stream stream, ByteBuf in, int data, int dataLength) {
        try {
            waiting.send(stream, in, data, dataLength);
        } catch (RuntimeException | Error e) {
            cutOff(stream);
            throw e;
        }
    }

    /** Ends a stream of whose request only a part could be written. */
    private void cutOff(Http2Stream stream) {
        resets.take(nowNs());
        endWithReset(stream, Http2Error.CANCEL);
    }

    /** Ends a stream at the peer, which may have sent content up to its window before it sees that. */
    private void endWithReset(Http2Stream stream, Http2Error error) {
        int id = stream.id;
        lateContent = (int) Math.min((long) lateContent + stream.window.left(), limits.connectionWindow());
        end(stream);
        try {
            writer.reset(id, error);
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            // Else the peer would keep the stream for ever.
            close("no memory to write to it: " + SocketFailure.reason(e));
        }
    }

    /**
     * Ends a stream whose answer is not wanted any more, and drops what waits of its request. Nothing is called for it
     * afterwards. Does nothing if it has ended.
     *
     * <p>Of many within seconds the peer is not told at once, if it has got the request: it may end the connection for
     * that. It still counts them as open, and so does {@link #canOpen}.
     */
    public void reset(int streamId, Http2Error error) {
        Http2Stream stream = streams.get(streamId);
        if (stream == null || stream.answer == Answer.ABANDONED) {
            return;
        }
        if (state == State.LOST) {
            end(stream);
        } else if (isIncomplete(stream)) {
            resets.take(nowNs());
            endWithReset(stream, error);
        } else if (resets.tryTake(nowNs())) {
            endWithReset(stream, error);
        } else {
            abandon(stream);
        }
    }

    /** Returns whether the peer waits for more of a request. */
    private static boolean isIncomplete(Http2Stream stream) {
        return stream.waiting != null || stream.requestGoesOn;
    }

    private void abandon(Http2Stream stream) {
        int unconsumed = stream.unconsumed;
        stream.unconsumed = 0;
        streams.abandon(stream);
        giveBack(stream, unconsumed);
        if (resetLater == null) {
            resetAbandonedLater();
        }
    }

    private void resetAbandonedLater() {
        resetLater = channel.eventLoop().schedule(this::resetAbandoned, ResetBudget.INTERVAL_NS, TimeUnit.NANOSECONDS);
    }

    private void resetAbandoned() {
        resetLater = null;
        Http2Stream stream = streams.nextAbandoned();
        boolean couldOpen = canOpen();
        while (state != State.LOST && stream != null && resets.tryTake(nowNs())) {
            endWithReset(stream, Http2Error.CANCEL);
            stream = streams.nextAbandoned();
        }
        if (!couldOpen && canOpen()) {
            turn.ready(notifyOfRoom);
        }
        if (state != State.LOST && stream != null) {
            resetAbandonedLater();
        }
    }

    /** Closes a stream of whose end the listener does not know that a new one can take its place. */
    private void endAbandoned(Http2Stream stream) {
        boolean couldOpen = canOpen();
        end(stream);
        if (!couldOpen && canOpen()) {
            turn.ready(notifyOfRoom);
        }
    }

    /** Closes a stream: gives back what is not consumed of it and drops what waits. */
    private void end(Http2Stream stream) {
        boolean wasWritable = hasRoom();
        waiting.drop(stream);
        int unconsumed = stream.unconsumed;
        streams.close(stream);
        giveBack(stream, unconsumed);
        if (!wasWritable && hasRoom() && state != State.LOST) {
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
        if (stream == null || stream.answer == Answer.ABANDONED || state == State.LOST) {
            return;
        }
        assert bytes <= stream.unconsumed : bytes + " bytes consumed of " + stream.unconsumed;
        int given = Math.min(bytes, stream.unconsumed);
        stream.unconsumed -= given;
        int increment = stream.window.consume(given);
        if (increment > 0) {
            writer.windowUpdate(streamId, increment);
        }
        giveBack(stream, given);
    }

    /**
     * Has the peer send so many bytes of an open stream before they are consumed, if its window is smaller. Does
     * nothing if the stream has ended.
     */
    public void widen(int streamId, int window) {
        Http2Stream stream = streams.get(streamId);
        if (stream == null || stream.answer == Answer.ABANDONED || state == State.LOST) {
            return;
        }
        int increment = stream.window.widen(window);
        if (increment > 0) {
            writer.windowUpdate(streamId, increment);
        }
    }

    /**
     * Has the bytes of an open stream count in its own window only, before they are {@linkplain #consumed consumed}: a
     * listener that keeps them back must not use up the window of all the others.
     */
    public void countAlone(int streamId) {
        Http2Stream stream = streams.get(streamId);
        if (stream != null) {
            stream.countsAlone = true;
        }
    }

    /** Gives bytes of a stream back to the window of the connection, unless that has them. */
    private void giveBack(Http2Stream stream, int bytes) {
        if (!stream.countsAlone) {
            giveBack(bytes);
        }
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
        return stream != null
                && stream.answer != Answer.ABANDONED
                && !stream.requestGoesOn
                && (stream.waiting != null || batch.isUnsent(stream.endAppendedAt));
    }

    /** Returns whether more requests should be written: neither the channel nor the windows hold up too much. */
    public boolean isWritable() {
        return state != State.NEW && channel.isWritable() && hasRoom();
    }

    /** Returns whether the peer has not answered the last {@link #probe} yet. */
    public boolean awaitsAcknowledgement() {
        return settingsAcknowledged < settingsSent;
    }

    private boolean hasRoom() {
        return waiting.bytes() < limits.maxWaiting();
    }

    /**
     * Sends SETTINGS that set nothing. The peer has to acknowledge them at once (RFC 9113, 6.5.3), as it has to answer
     * a PING, of which servers of gRPC take one in five minutes.
     *
     * @return the length of their frame
     */
    public int probe() {
        if (state == State.NEW || state == State.LOST) {
            return 0;
        }
        writer.emptySettings(0);
        settingsSent++;
        return FrameHeader.LENGTH;
    }

    /** Sends what waits in the batch. Returns whether the system has taken all, and nothing waits for windows. */
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
        FrameOutput.goAway(out, error, reason);
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
        if (resetLater != null) {
            resetLater.cancel(false);
        }
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
        writer = new FrameOutput(batch);
        block = new ReceivedFields(limits.maxHeaderListSize(), channel.alloc(), turn.memory());
        reader = new FrameReader(streams, block, new Received());
        useless = new UselessFrames(nowNs());
        resets = new ResetBudget(nowNs());
        waiting = new BlockedRequests(channel, writer, peer, useless, turn.memory());
        String failure = null;
        try {
            writer.preface(limits);
            settingsSent++;
            state = State.UNHEARD;
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            failure = "no memory to write to it: " + SocketFailure.reason(e);
            state = State.ENDING;
        }
        // Without it, the loss would be that of a connection that the listener does not know.
        listener.active();
        if (failure != null) {
            stopReading();
            onLost(failure);
            channel.close();
        }
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

    private long nowNs() {
        return channel.eventLoop().ticker().nanoTime();
    }

    @Override
    protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        if (state == State.UNHEARD) {
            FrameReader.requireSettings(in, offset);
        }
        int payload = FrameHeader.payloadLength(in, offset);
        if (payload > FrameReader.MAX_PAYLOAD) {
            violation = Http2Error.FRAME_SIZE_ERROR;
            throw new MalformedFrameException(FrameHeader.name(FrameHeader.type(in, offset)) + " of " + payload
                    + " bytes (expected: at most " + FrameReader.MAX_PAYLOAD + ")");
        }
        return FrameHeader.LENGTH + payload;
    }

    @Override
    protected void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
        listener.frameReceived();
        if (state == State.LOST) {
            return;
        }
        try {
            reader.read(in, offset);
        } catch (ProtocolViolation e) {
            violation = e.error();
            throw new MalformedFrameException(e.getMessage());
        }
    }

    @Override
    protected void malformed(String reason) {
        close(violation, "malformed frame: " + reason);
    }

    /** What the peer's frames do to the streams. What is told to the listener comes last: it may close or open some. */
    private final class Received implements FrameReader.Receiver {
        @Override
        public void useless() throws ProtocolViolation {
            useless.onUseless(1, nowNs());
        }

        @Override
        public void content(int streamId, ByteBuf in, int offset, int length, int windowLength, boolean ends)
                throws ProtocolViolation {
            window.receive(windowLength);
            Http2Stream stream = streams.get(streamId);
            if (stream == null) {
                giveBack(windowLength);
                if (length > 0 && windowLength <= lateContent) {
                    lateContent -= windowLength;
                } else {
                    useless();
                }
                return;
            }
            stream.window.receive(windowLength);
            if (length > 0 || ends) {
                useless.onUseful();
            } else {
                useless();
            }
            switch (stream.answer) {
                case AWAITED -> {
                    stream.unconsumed = windowLength;
                    giveBackAtOnce(stream, windowLength);
                    fail(stream, "content without header fields");
                }
                case ABANDONED -> {
                    giveBack(windowLength);
                    if (ends) {
                        endAbandoned(stream);
                    }
                }
                default -> {
                    stream.unconsumed += windowLength;
                    giveBackAtOnce(stream, windowLength);
                    if (ends) {
                        endByPeer(stream);
                    } else if (windowLength > length) {
                        consumed(streamId, windowLength - length);
                    }
                    if (length > 0 || ends) {
                        listener.data(streamId, in, offset, length, ends);
                    }
                }
            }
        }

        private void giveBackAtOnce(Http2Stream stream, int bytes) {
            if (stream.countsAlone) {
                giveBack(bytes);
            }
        }

        /** Ends a stream with its answer. */
        private void endByPeer(Http2Stream stream) {
            int id = stream.id;
            boolean incomplete = isIncomplete(stream);
            end(stream);
            if (incomplete) {
                resets.take(nowNs());
                writer.reset(id, Http2Error.CANCEL);
            }
        }

        private void fail(Http2Stream stream, String reason) {
            int id = stream.id;
            resets.take(nowNs());
            endWithReset(stream, Http2Error.PROTOCOL_ERROR);
            if (state != State.LOST) {
                listener.failed(id, reason);
            }
        }

        @Override
        public void badFields(int streamId, String reason) throws ProtocolViolation {
            Http2Stream stream = streams.get(streamId);
            if (stream == null || stream.answer == Answer.ABANDONED) {
                useless();
            } else {
                fail(stream, "header fields: " + reason);
            }
        }

        @Override
        public void fields(int streamId, Http2Headers fields, boolean ends) throws ProtocolViolation {
            Http2Stream stream = streams.get(streamId);
            if (stream == null || stream.answer == Answer.ABANDONED) {
                useless();
                if (stream != null && ends) {
                    endAbandoned(stream);
                }
                return;
            }
            boolean isHead = stream.answer == Answer.AWAITED;
            String fault =
                    isHead ? ResponseFields.faultOfHead(fields, ends) : ResponseFields.faultOfTrailers(fields, ends);
            if (fault != null) {
                fail(stream, fault);
                return;
            }
            if (isHead && ResponseFields.isInformational(fields)) {
                useless();
                return;
            }
            useless.onUseful();
            stream.answer = Answer.BEGUN;
            if (ends) {
                endByPeer(stream);
            }
            listener.headers(streamId, fields, ends);
        }

        @Override
        public void reset(int streamId, long errorCode) throws ProtocolViolation {
            Http2Stream stream = streams.get(streamId);
            if (stream == null) {
                useless();
            } else {
                endWithCode(stream, errorCode);
            }
        }

        /** Ends a stream that the peer does not go on with. */
        private void endWithCode(Http2Stream stream, long errorCode) {
            if (stream.answer == Answer.ABANDONED) {
                endAbandoned(stream);
                return;
            }
            int id = stream.id;
            boolean isFalse = stream.answer == Answer.BEGUN && errorCode == Http2Error.REFUSED_STREAM.code();
            end(stream);
            listener.reset(id, isFalse ? Http2Error.INTERNAL_ERROR.code() : errorCode);
        }

        @Override
        public void settings(ByteBuf in, int offset, int length) throws ProtocolViolation {
            boolean isFirst = state == State.UNHEARD;
            if (isFirst) {
                state = State.OPEN;
                peer.onFirst();
            } else {
                useless.onUseless(COST_OF_SETTINGS, nowNs());
            }
            int maxStreams = maxStreams();
            int initialWindow = peer.initialWindow();
            peer.read(in, offset, length);
            if (peer.initialWindow() != initialWindow) {
                waiting.onInitialWindow();
                turn.ready(sendWaiting);
            }
            acknowledge();
            if (isFirst || maxStreams() != maxStreams) {
                listener.settings();
            }
        }

        @Override
        public void acknowledged() throws ProtocolViolation {
            useless();
            settingsAcknowledged = Math.min(settingsSent, settingsAcknowledged + 1);
        }

        private void acknowledge() throws ProtocolViolation {
            if (!channel.isWritable() && ++acksUnread > MAX_ACKS_UNREAD) {
                throw new ProtocolViolation(Http2Error.ENHANCE_YOUR_CALM, "SETTINGS whose answers are not read");
            }
            writer.emptySettings(FrameHeader.ACK);
        }

        /**
         * A peer that does not read what there is gets no answer: it has enough to read, and one that reads nothing
         * would have them pile up.
         */
        @Override
        public void ping(long content) throws ProtocolViolation {
            useless();
            if (channel.isWritable()) {
                writer.pong(content);
            }
        }

        @Override
        public void goAway(int last, long errorCode, String debug) throws ProtocolViolation {
            if (state == State.ENDING && last >= lastStreamId) {
                useless();
                return;
            }
            state = State.ENDING;
            lastStreamId = Math.min(last, lastStreamId);
            closeReason = closeReason(errorCode, debug);
            listener.goAway(lastStreamId, errorCode, debug);
            for (int id : streams.idsAbove(lastStreamId)) {
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

        @Override
        public void windowUpdate(int streamId, int increment) throws ProtocolViolation {
            useless();
            if (streamId == 0) {
                waiting.onConnectionUpdate(increment);
            } else {
                Http2Stream stream = streams.get(streamId);
                if (stream == null) {
                    return;
                }
                waiting.onStreamUpdate(stream, increment);
            }
            if (!waiting.isEmpty()) {
                turn.ready(sendWaiting);
            }
        }
    }
}
