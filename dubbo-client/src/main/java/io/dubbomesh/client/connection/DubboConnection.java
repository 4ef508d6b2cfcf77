package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One TCP connection to the provider: reads its answers and events, and keeps it alive by heartbeats. Owned by its
 * event loop.
 */
public final class DubboConnection extends FrameHandler {
    private static final int STATUS_OK = 20;
    private static final int STATUS_BAD_REQUEST = 40;
    /** Events are null or a short string, of which protostuff makes 60 bytes. */
    private static final int MAX_EVENT_LENGTH = 256;

    private static final int HEARTBEATS_MISSED = 3;
    /** Checks in the time after which a provider counts as silent. */
    private static final int CHECKS = 3;

    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_POLL_MS = 10;

    private static final String NO_CALLBACKS = "callbacks are refused";

    private final DubboUpstream upstream;
    private final ResponseListener responses;
    private final Turn turn;
    private final DubboSettings settings;
    private Channel channel;
    /**
     * Whether reading was stopped since answers wait, and they still did when last looked at: one wait stops it once.
     */
    private boolean pausedForAnswers;

    private OutboundBatch batch;
    private Future<?> heartbeat;
    private Future<?> check;
    private boolean everReceived;
    private boolean everAnswered;
    private boolean receivedSinceBeat;
    private int silentBeats;
    private boolean receivedSinceCheck;
    private boolean answeredSinceCheck;
    private int silentChecks;
    /** Bytes that no system call had taken at the last check. */
    private long unwrittenAtCheck;

    private int checks;
    private boolean silent;
    private boolean closesWhenIdle;
    /** Whether the next frame changes what is known of the provider. */
    private boolean awaitsSign = true;

    private long lastHeartbeatId;
    private long idleBatchNumber;
    private String closeReason = "closed by the provider";

    DubboConnection(DubboUpstream upstream, ResponseListener responses, Turn turn, DubboSettings settings) {
        super(DubboHeader.LENGTH, turn.memory());
        this.upstream = upstream;
        this.responses = responses;
        this.turn = turn;
        this.settings = settings;
    }

    public Channel channel() {
        return channel;
    }

    /** To append requests to. */
    public OutboundBatch batch() {
        return batch;
    }

    /**
     * Check intervals that have passed in which the provider has sent something: a frozen provider's calls do not grow
     * older.
     */
    public int checks() {
        return checks;
    }

    public long checkIntervalMs() {
        return Math.max(1, settings.silenceMs() / CHECKS);
    }

    /** Whether the provider has sent nothing for long, though it has calls and a heartbeat to answer. */
    boolean isSilent() {
        return silent;
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    boolean hasReceived() {
        return everReceived;
    }

    /** Whether the provider has answered a call. */
    boolean hasAnswered() {
        return everAnswered;
    }

    /** Whether it is closed as soon as the provider has answered all calls; from then on it gets no new ones. */
    void closeWhenIdle(boolean closes) {
        closesWhenIdle = closes;
    }

    /** Never in the middle of a read. */
    private void closeIfIdle() {
        if (!closesWhenIdle || responses.awaitsAnswers(this)) {
            return;
        }
        // One-way calls may not be written yet.
        if (flush()) {
            closesWhenIdle = false;
            upstream.left(this);
            close("has answered its last call");
        }
    }

    /** Returns whether the system has taken everything. */
    boolean flush() {
        batch.flush();
        return unwritten() == 0;
    }

    public void close(String reason) {
        stopReading();
        lost(reason);
        channel.close();
    }

    /** Before the channel is closed, so that nothing more is written to it. */
    private void lost(String reason) {
        upstream.lost(this, reason);
        ByteBuf unsent = batch.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        batch = OutboundBatch.recoverable(channel, turn, Use.UNREAD_REQUESTS, 32 * 1024);
        long everyMs = settings.heartbeatMs();
        heartbeat = PeriodicTask.start(channel.eventLoop(), "heartbeat of the provider", everyMs, this::beat);
        check = PeriodicTask.start(channel.eventLoop(), "check of the provider", checkIntervalMs(), this::check);
        upstream.connected(this);
    }

    private void beat() {
        silentBeats = receivedSinceBeat || !reads() ? 0 : silentBeats + 1;
        if (silentBeats >= HEARTBEATS_MISSED) {
            close("no frame for " + HEARTBEATS_MISSED * settings.heartbeatMs() + " ms");
            return;
        }
        boolean wrote = batch.number() != idleBatchNumber;
        idleBatchNumber = batch.number();
        if (!receivedSinceBeat || !wrote) {
            writeHeartbeat();
            // The flush of the heartbeat itself does not count.
            idleBatchNumber++;
        }
        receivedSinceBeat = false;
    }

    /**
     * A provider answers heartbeats on its event loop, whatever its threads do: one that does not is frozen, or its
     * machine is gone. While it is being sent a long request, the heartbeat stands behind that: then it is enough that
     * the system takes bytes. It takes none for a frozen provider once the socket buffers are full.
     */
    private void check() {
        closeIfIdle();
        boolean heard = receivedSinceCheck;
        boolean answered = answeredSinceCheck;
        receivedSinceCheck = false;
        answeredSinceCheck = false;
        if (heard) {
            checks++;
            responses.checked(this);
        }
        boolean awaits = !answered && responses.awaitsAnswers(this);
        long unwritten = unwritten();
        boolean takesBytes = unwritten < unwrittenAtCheck;
        unwrittenAtCheck = unwritten;
        silentChecks = awaits && !heard && !takesBytes && reads() ? silentChecks + 1 : 0;
        if (silent) {
            return;
        }
        // The first of these checks may come at once after the call.
        if (silentChecks > CHECKS) {
            fallSilent();
        } else if (awaits) {
            writeHeartbeat();
        }
    }

    private long unwritten() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        // The progress is that of the first buffer, which counts as a whole until all of it is written.
        return outbound == null ? 0 : outbound.totalPendingWriteBytes() - outbound.currentProgress();
    }

    private void fallSilent() {
        silent = true;
        awaitsSign = true;
        upstream.fellSilent(this);
    }

    /** Takes no calls before the provider has sent something. */
    void expectSign() {
        silent = true;
        writeHeartbeat();
    }

    private void writeHeartbeat() {
        Serialization serialization = settings.serialization();
        int flags = DubboHeader.REQUEST | DubboHeader.TWO_WAY | DubboHeader.EVENT | serialization.id();
        // Calls have positive ids.
        write(flags, 0, --lastHeartbeatId, serialization.body(null));
    }

    private void write(int flags, int status, long id, byte[] body) {
        // First, since it may fail: then nothing of the frame is written.
        ByteBuf out = batch.buffer().ensureWritable(DubboHeader.LENGTH + body.length);
        DubboHeader.write(out, flags, status, id, body.length);
        out.writeBytes(body);
    }

    /** Leaves answers with the provider while those that were read wait for consumer agents which do not read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        closeIfIdle();
        if (!answersWait()) {
            pausedForAnswers = false;
        } else if (!pausedForAnswers) {
            pausedForAnswers = true;
            channel.config().setAutoRead(false);
            readOnWhenTaken(System.nanoTime());
        }
    }

    /** Whether what the provider sends is read; nothing is heard of it otherwise. */
    private boolean reads() {
        return channel.config().isAutoRead();
    }

    private boolean answersWait() {
        MemoryBudget memory = turn.memory();
        return memory.used(Use.ANSWERS) > memory.capacity() / 2;
    }

    /**
     * Also after a while in any case: then those that do not fit are dropped, so that one consumer agent does not hold
     * up all others.
     */
    private void readOnWhenTaken(long sinceNs) {
        boolean waiting = answersWait();
        if (!waiting || System.nanoTime() - sinceNs > LONGEST_PAUSE_NS) {
            // Before the next read, which may be in this call.
            pausedForAnswers = waiting;
            channel.config().setAutoRead(true);
        } else {
            channel.eventLoop().schedule(() -> readOnWhenTaken(sinceNs), PAUSE_POLL_MS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        batch.countUnwritten();
        upstream.writabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (channel == null) {
            return;
        }
        heartbeat.cancel(false);
        check.cancel(false);
        lost(closeReason);
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
        // Part of a frame is a sign too: a long one may take many checks to come.
        receivedSinceCheck = true;
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
    protected void frame(ByteBuf in, int offset, int length) {
        receivedSinceBeat = true;
        if (awaitsSign) {
            signReceived();
        }
        if (DubboHeader.isEvent(in, offset)) {
            if (DubboHeader.isRequest(in, offset)) {
                event(in, offset, length - DubboHeader.LENGTH);
            }
        } else if (DubboHeader.isRequest(in, offset)) {
            refuseCallback(in, offset);
        } else {
            answeredSinceCheck = true;
            everAnswered |= responses.answered(this, in, offset);
        }
    }

    private void signReceived() {
        awaitsSign = false;
        everReceived = true;
        if (silent) {
            silent = false;
            upstream.heard(this);
        }
    }

    private void event(ByteBuf in, int offset, int bodyLength) {
        int body = offset + DubboHeader.LENGTH;
        if (DubboHeader.isTwoWay(in, offset)) {
            echo(in, offset, bodyLength);
        } else if (contains(in, body, bodyLength, 'R')) {
            upstream.readOnly();
        } else if (contains(in, body, bodyLength, 'W')) {
            upstream.writable();
        }
    }

    /**
     * A provider that does not read what there is gets no answer: it has enough to read, and one that reads nothing
     * would have them pile up.
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
