package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.loop.PeerSilence;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One TCP connection to the provider: reads its answers and events, and keeps it alive by heartbeats. Owned by its
 * event loop.
 * <pre>
 *   UNHEARD --expectFrame--> AWAITED --frame--> HEARD
 *   UNHEARD --frame--------> HEARD   --silence--> SILENT --frame--> HEARD
 *   UNHEARD --silence------> AWAITED
 * </pre>
 * The provider takes calls in UNHEARD, as far as this connection is concerned, and in HEARD.
 *
 * <p>A provider answers heartbeats on its event loop even if its threads are stuck. Two silences are watched:
 * <pre>
 *   silence of                 counts                            ends the
 *   ------------------------   -------------------------------   -----------------------------------------
 *   three heartbeat intervals  without a whole frame             connection
 *   dubbo.silence              without a byte, while calls wait  state: the provider gets nothing new
 *                              and the system takes none either
 * </pre>
 */
final class DubboConnection extends FrameHandler implements UpstreamConnection {
    private static final int STATUS_OK = 20;
    private static final int STATUS_BAD_REQUEST = 40;
    /** Events are null or a short string, of which protostuff makes 60 bytes. */
    private static final int MAX_EVENT_LENGTH = 256;

    private static final int HEARTBEATS_MISSED = 3;
    /** Checks in the time after which a provider counts as silent. */
    private static final int CHECKS = 3;

    private static final String NO_CALLBACKS = "callbacks are refused";

    /** Whether the provider has been heard on this connection, and is. */
    enum State {
        /** No frame has come, and none was asked for. */
        UNHEARD,
        /** No frame has come, and the provider takes no calls before one has. */
        AWAITED,
        HEARD,
        /** Frames have come, and then nothing for long, though calls and a heartbeat wait for answers. */
        SILENT
    }

    private final DubboUpstream upstream;
    private final ResponseListener responses;
    private final Turn turn;
    private final DubboSettings settings;
    private State state = State.UNHEARD;
    private Channel channel;
    private OutboundBatch batch;
    private AnswerPause answerPause;
    private Future<?> heartbeat;
    private Future<?> check;
    /** The silence by whole frames, checked in heartbeat intervals. */
    private PeerSilence frameSilence;
    /** The silence by bytes, checked more often: a long frame may take many checks to come. */
    private PeerSilence byteSilence;
    /** Check intervals in which something was received. */
    private int checks;
    /** Bytes that no system call had taken at the last check. */
    private long unwrittenAtCheck;
    /** Whether the provider has answered a call. */
    private boolean answered;

    private boolean answeredSinceCheck;
    private boolean closesWhenIdle;

    private long lastHeartbeatId;
    private String closeReason = "closed by the provider";

    DubboConnection(DubboUpstream upstream, ResponseListener responses, Turn turn, DubboSettings settings) {
        super(DubboHeader.LENGTH, turn.memory());
        this.upstream = upstream;
        this.responses = responses;
        this.turn = turn;
        this.settings = settings;
    }

    State state() {
        return state;
    }

    Channel channel() {
        return channel;
    }

    @Override
    public ChannelHandler handler() {
        return this;
    }

    @Override
    public ByteBuf requestBuffer(int bytes) {
        return batch.buffer(bytes);
    }

    @Override
    public int bodyLength(ByteBuf request, int offset) {
        return DubboHeader.bodyLength(request, offset);
    }

    /** The frame stands in the batch, which is flushed at the end of the turn. */
    @Override
    public long send(ByteBuf request, int offset, long requestId, boolean oneWay) {
        return batch.number();
    }

    /** What no system call has taken is unsent. */
    @Override
    public boolean isUnsent(long batchNumber) {
        return batch.isUnsent(batchNumber);
    }

    @Override
    public int checks() {
        return checks;
    }

    @Override
    public long checkIntervalMs() {
        return Math.max(1, settings.silenceMs() / CHECKS);
    }

    @Override
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    @Override
    public boolean isSilent() {
        return state == State.AWAITED || state == State.SILENT;
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public boolean hasReceived() {
        return state == State.HEARD || state == State.SILENT;
    }

    @Override
    public boolean hasAnswered() {
        return answered;
    }

    @Override
    public void closeWhenIdle(boolean closes) {
        closesWhenIdle = closes;
    }

    /** Called between reads, never in the middle of one. */
    private void closeIfIdle() {
        if (!closesWhenIdle || responses.awaitsAnswers(this)) {
            return;
        }
        // One-way calls may not be written yet.
        if (flush()) {
            closesWhenIdle = false;
            upstream.onIdle(this);
            close("has answered its last call");
        }
    }

    @Override
    public boolean flush() {
        batch.flush();
        return unwritten() == 0;
    }

    @Override
    public void close(String reason) {
        stopReading();
        onLost(reason);
        channel.close();
    }

    /** Called before the channel is closed, so that nothing more is written to it. */
    private void onLost(String reason) {
        upstream.onLost(this, reason);
        ByteBuf unsent = batch.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        batch = OutboundBatch.recoverable(channel, turn, Use.UNREAD_REQUESTS, 32 * 1024);
        answerPause = new AnswerPause(channel, turn.memory());
        long heartbeatMs = settings.heartbeatMs();
        long checkMs = checkIntervalMs();
        frameSilence = new PeerSilence(TimeUnit.MILLISECONDS.toNanos(heartbeatMs), 1, nowNs());
        byteSilence = new PeerSilence(TimeUnit.MILLISECONDS.toNanos(checkMs), CHECKS, nowNs());
        heartbeat = PeriodicTask.start(channel.eventLoop(), "heartbeat of the provider", heartbeatMs, this::beat);
        check = PeriodicTask.start(channel.eventLoop(), "check of the provider", checkMs, this::check);
        upstream.onConnected(this);
    }

    private long nowNs() {
        return channel.eventLoop().ticker().nanoTime();
    }

    private void beat() {
        frameSilence.check(!isReading(), batch.handedOverBytes(), nowNs());
        if (frameSilence.silentNs() >= HEARTBEATS_MISSED * TimeUnit.MILLISECONDS.toNanos(settings.heartbeatMs())) {
            close("no frame for " + HEARTBEATS_MISSED * settings.heartbeatMs() + " ms");
        } else if (frameSilence.isHeartbeatDue()) {
            frameSilence.onHeartbeatWritten(writeHeartbeat());
        }
    }

    /**
     * Called three times in the time after which a provider counts as silent. While it is being sent a long request,
     * the heartbeat stands behind that: then it is enough that the system takes bytes. It takes none for a frozen
     * provider once the socket buffers are full.
     */
    private void check() {
        closeIfIdle();
        if (byteSilence.hasReceived()) {
            checks++;
            responses.checked(this);
        }
        boolean awaits = !answeredSinceCheck && responses.awaitsAnswers(this);
        answeredSinceCheck = false;
        long unwritten = unwritten();
        boolean takesBytes = unwritten < unwrittenAtCheck;
        unwrittenAtCheck = unwritten;
        byteSilence.check(!awaits || takesBytes || !isReading(), batch.handedOverBytes(), nowNs());
        if (isSilent()) {
            return;
        }
        // The first of these checks may come at once after the call.
        if (byteSilence.silentNs() >= (CHECKS + 1) * TimeUnit.MILLISECONDS.toNanos(checkIntervalMs())) {
            onSilence();
        } else if (awaits) {
            writeHeartbeat();
        }
    }

    private long unwritten() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        // The progress is that of the first buffer, which counts as a whole until all of it is written.
        return outbound == null ? 0 : outbound.totalPendingWriteBytes() - outbound.currentProgress();
    }

    private void onSilence() {
        state = state == State.UNHEARD ? State.AWAITED : State.SILENT;
        upstream.onSilence(this);
    }

    @Override
    public void expectFrame() {
        assert state == State.UNHEARD || state == State.AWAITED;
        state = State.AWAITED;
        writeHeartbeat();
    }

    /** Returns the length of the frame. */
    private int writeHeartbeat() {
        Serialization serialization = settings.serialization();
        int flags = DubboHeader.REQUEST | DubboHeader.TWO_WAY | DubboHeader.EVENT | serialization.id();
        byte[] body = serialization.body(null);
        // Calls have positive ids.
        write(flags, 0, --lastHeartbeatId, body);
        return DubboHeader.LENGTH + body.length;
    }

    private void write(int flags, int status, long id, byte[] body) {
        // First, since it may fail: then nothing of the frame is written.
        ByteBuf out = batch.buffer().ensureWritable(DubboHeader.LENGTH + body.length);
        DubboHeader.write(out, flags, status, id, body.length);
        out.writeBytes(body);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        closeIfIdle();
        answerPause.onReadComplete();
    }

    /** Returns whether what the provider sends is read; nothing is received from it otherwise. */
    private boolean isReading() {
        return channel.config().isAutoRead();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        batch.countUnwritten();
        upstream.onWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (channel == null) {
            return;
        }
        heartbeat.cancel(false);
        check.cancel(false);
        onLost(closeReason);
        batch.countUnwritten();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        closeReason = SocketFailure.reason(cause);
        ctx.close();
    }

    @Override
    protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        if (DubboHeader.magic(in, offset) != DubboHeader.MAGIC) {
            throw new MalformedFrameException(
                    String.format("magic 0x%04x (expected: 0xdabb)", DubboHeader.magic(in, offset)));
        }
        int length = DubboHeader.bodyLength(in, offset);
        boolean event = DubboHeader.isEvent(in, offset);
        int longest = event ? MAX_EVENT_LENGTH : settings.maxPayload();
        if (length < 0 || length > longest) {
            throw new MalformedFrameException(
                    (event ? "an event" : "a body") + " of " + length + " bytes (expected: 0 to " + longest + ")");
        }
        int serialization = DubboHeader.serialization(in, offset);
        // Heartbeats have the serialization that the provider prefers, which may be any: they are echoed, not read. An
        // answer in one that the agent does not read becomes a problem document.
        if (!event && Serialization.dubboName(serialization) == null) {
            throw new MalformedFrameException("serialization id " + serialization + " (expected: that of "
                    + String.join(", ", Serialization.names()) + ")");
        }
        return DubboHeader.LENGTH + length;
    }

    @Override
    protected void received(int bytes) {
        byteSilence.onReceived();
    }

    @Override
    protected void frame(ByteBuf in, int offset, int length) {
        frameSilence.onReceived();
        if (state != State.HEARD) {
            onSign();
        }
        if (DubboHeader.isEvent(in, offset)) {
            if (DubboHeader.isRequest(in, offset)) {
                event(in, offset, length - DubboHeader.LENGTH);
            }
        } else if (DubboHeader.isRequest(in, offset)) {
            refuseCallback(in, offset);
        } else {
            answeredSinceCheck = true;
            answered |= responses.answered(this, in, offset);
        }
    }

    private void onSign() {
        boolean wasSilent = isSilent();
        state = State.HEARD;
        if (wasSilent) {
            upstream.onSign(this);
        }
    }

    private void event(ByteBuf in, int offset, int bodyLength) {
        int body = offset + DubboHeader.LENGTH;
        if (DubboHeader.isTwoWay(in, offset)) {
            echo(in, offset, bodyLength);
        } else if (contains(in, body, bodyLength, 'R')) {
            upstream.onReadOnly();
        } else if (contains(in, body, bodyLength, 'W')) {
            upstream.onTakesCalls();
        }
    }

    /**
     * Answers a heartbeat. A provider that does not read what there is gets no answer: it has enough to read, and one
     * that reads nothing would have them pile up.
     */
    private void echo(ByteBuf in, int offset, int bodyLength) {
        if (isWritable()) {
            ByteBuf out = batch.buffer().ensureWritable(DubboHeader.LENGTH + bodyLength);
            int flags = DubboHeader.EVENT | DubboHeader.serialization(in, offset);
            DubboHeader.write(out, flags, STATUS_OK, DubboHeader.requestId(in, offset), bodyLength);
            out.writeBytes(in, offset + DubboHeader.LENGTH, bodyLength);
        }
    }

    /**
     * The event strings are one letter, which every serialization writes as that byte; none of their other bytes is a
     * letter.
     */
    private static boolean contains(ByteBuf in, int offset, int length, char letter) {
        return length <= 8 && in.indexOf(offset, offset + length, (byte) letter) >= 0;
    }

    private void refuseCallback(ByteBuf in, int offset) {
        if (!DubboHeader.isTwoWay(in, offset) || !isWritable()) {
            return;
        }
        Serialization asked = Serialization.of(DubboHeader.serialization(in, offset));
        Serialization serialization = asked == null ? settings.serialization() : asked;
        byte[] body = serialization.body(NO_CALLBACKS);
        write(serialization.id(), STATUS_BAD_REQUEST, DubboHeader.requestId(in, offset), body);
    }

    @Override
    protected void malformed(String reason) {
        close("malformed frame: " + reason);
    }
}
