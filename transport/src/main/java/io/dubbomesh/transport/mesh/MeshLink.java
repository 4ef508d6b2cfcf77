package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.HeaderValidator;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.loop.PeerSilence;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.loop.WriteProgress;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.socket.TcpAbort;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A link between two agents: what both ends of it have in common, which are HELLO, heartbeat and GOAWAY. Owned by the
 * channel's event loop.
 * <pre>
 *   OPEN --GOAWAY of this side--> DRAINING --GOAWAY of the peer--> PEER_DRAINING
 *   OPEN --GOAWAY of the peer---> PEER_DRAINING
 *   OPEN, DRAINING, PEER_DRAINING --close--> CLOSING
 *   each --the connection ends--> CLOSED
 * </pre>
 * Requests are sent and taken in OPEN, once the {@link LinkOpening} is done; a GOAWAY of the peer before that closes
 * the link. In CLOSING nothing is taken any more, and the connection ends when the peer has read what was written.
 *
 * <p>
 * Whether the peer lives is checked eight times in a heartbeat interval, by bytes and not by frames, so that a slow
 * link which carries one long frame counts as alive ({@link PeerSilence}); this side may be silent for an interval,
 * then it sends a PING, unless so much waits to be written that the peer has enough to read.
 * <pre>
 *   after                          the link
 *   ---------------------------    -----------------------------------------------------
 *   2 intervals without a HELLO    is reset
 *   3 intervals of silence,        is reset
 *   less 2 checks
 *   the write timeout, if it has   is reset
 *   one, in which the peer has
 *   read nothing of what waits
 * </pre>
 * So no PING is sent where traffic flows both ways, and the PING of one side spares the other side its own. Who sends
 * one long frame hears in each interval that its peer lives. While this side does not read, it cannot answer the PINGs
 * of the peer: then its own ones show that it lives.
 *
 * <p>A check makes the time in which the peer reads nothing longer by no more than two checks take, as its silence. A
 * peer that dies while this side does not read is found by TCP_USER_TIMEOUT, and so is one that lives and does not read
 * where there is no write timeout: a provider agent leaves requests unread as long as its provider does.
 */
public abstract class MeshLink extends FrameHandler {
    /** The reason for the end of a link whose peer closed it without having said anything. */
    public static final String CLOSED_BEFORE_HELLO = "closed by the peer before its HELLO";

    private static final String CLOSED_WHILE_PROVING =
            "closed by the peer before it accepted the answer to its challenge (mesh.token-file)";

    /** Bytes of a GOAWAY's text that are read, and that it may have before the HELLO. */
    private static final int MAX_REASON = 1024;

    private static final int CHECKS_PER_HEARTBEAT = 8;
    /**
     * The checks of three intervals, less one that may pass before the first of them, and one by which the last may be
     * late.
     */
    private static final int CHECKS_UNTIL_DEAD = 3 * CHECKS_PER_HEARTBEAT - 2;

    private static final int CHECKS_UNTIL_HELLO = 2 * CHECKS_PER_HEARTBEAT - 1;

    enum State {
        OPEN,
        DRAINING,
        PEER_DRAINING,
        CLOSING,
        CLOSED
    }

    /** The reason for which a link was not opened, as far as it is this side's. */
    public enum Refusal {
        /** Nothing came in time, or not enough. */
        SILENCE,
        /** The received bytes broke the protocol. */
        MALFORMED
    }

    private final Turn turn;
    private final Use written;
    private final HeaderValidator headers;
    private final LinkMetrics metrics;
    private final long heartbeatMs;
    /** 0 for none. */
    private final long writeTimeoutMs;

    private final long checkMs;
    private final WriteProgress writes = new WriteProgress();
    private Channel channel;
    private OutboundBatch batch;
    private final LinkOpening opening = new LinkOpening();
    private State state = State.OPEN;
    /** Null before the connection is open. */
    private PeerSilence silence;
    /** The time for which the peer has taken nothing of what waits for it. */
    private long stalledNs;
    /** The time at which the PING was written whose PONG has not come; 0 for none. */
    private long pingNs;
    /** The bytes that the metrics have. */
    private long countedBytes;

    private Future<?> heartbeat;
    /** Null as long as nothing is known but that the peer has closed. */
    private String closeReason;
    /** Null unless this side has given it up before it was ready. */
    private Refusal refusal;

    /**
     * @param written     what frames count as that the peer has not read
     * @param maxFrame    bytes of the longest frame taken, header included
     * @param heartbeatMs without a byte from the peer until a PING; after almost three without a byte from the peer the
     *     link counts as dead
     * @param writeTimeoutMs in which a peer may read nothing of what is written to it; 0 for a peer that may have its
     *     reasons for any time
     * @param metrics     may be those of several links
     */
    protected MeshLink(
            Turn turn, Use written, int maxFrame, long heartbeatMs, long writeTimeoutMs, LinkMetrics metrics) {
        super(MeshHeader.LENGTH, turn.memory());
        this.turn = turn;
        this.metrics = metrics;
        this.written = written;
        headers = new HeaderValidator(maxFrame);
        this.heartbeatMs = heartbeatMs;
        this.writeTimeoutMs = writeTimeoutMs;
        checkMs = Math.max(1, heartbeatMs / CHECKS_PER_HEARTBEAT);
    }

    /** Returns the first frame of this side, sent at once; null if it is what {@link #answer} returns. */
    protected abstract Hello hello();

    /**
     * Called when the HELLO of the peer has arrived, and nothing is made of it yet.
     *
     * @return the first frame of this side, if {@link #hello} was null; the link is ready when the peer has accepted
     *     the credentials in it, or at once if there are none
     * @throws MalformedFrameException refuses the peer, with the message as reason
     */
    protected Hello answer(Hello peer) throws MalformedFrameException {
        return null;
    }

    /** Called when requests may be sent and are taken. */
    protected abstract void ready(Hello peer);

    /**
     * Called with a DEFINE, REQUEST or RESPONSE; the frame starts at {@code offset} and ends at {@code end}, its bytes
     * are valid during the call only.
     *
     * @throws MalformedFrameException closes the link, with the message as reason
     */
    protected abstract void frame(int type, ByteBuf in, int offset, int end) throws MalformedFrameException;

    /** Called when the peer takes no new requests on this link. */
    protected abstract void goingAway(String reason);

    /** Called when the link has ended; once, and only after the connection was open. */
    protected abstract void closed(String reason);

    /** Returns whether requests may be sent and are taken. */
    public final boolean isReady() {
        return state == State.OPEN && opening.isDone();
    }

    /** Returns whether no new requests are to be sent, or are taken, and the link is not closed yet. */
    public final boolean isDraining() {
        return state != State.OPEN && state != State.CLOSED;
    }

    public final boolean isClosed() {
        return state == State.CLOSED;
    }

    final State state() {
        return state;
    }

    /** Returns the batch to append frames to; null before the connection is open. */
    public final OutboundBatch batch() {
        return batch;
    }

    public final Channel channel() {
        return channel;
    }

    /** Tells the peer to send no new requests here; those in flight go on. */
    public final void goAway(String reason) {
        if (state == State.OPEN) {
            FrameWriter.goAway(batch.buffer(), reason);
            state = State.DRAINING;
        }
    }

    /** Closes when everything that was written is sent. */
    public final void close(String reason) {
        if (state == State.CLOSED || state == State.CLOSING || channel == null) {
            return;
        }
        state = State.CLOSING;
        closeReason = reason;
        stopReading();
        // What still comes is dropped; a peer that leaves is noticed.
        channel.config().setAutoRead(true);
        batch.flush();
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    /** Returns why this side has given the link up before it was ready; null if it has not. */
    protected final Refusal refusal() {
        return refusal;
    }

    /** Returns whether {@link #close} was called: nothing is taken from the peer any more. */
    protected final boolean isClosing() {
        return state == State.CLOSING;
    }

    /**
     * Takes, in {@link #closed}, the frames that the peer has certainly not received as a whole, in their order; null
     * for none. The caller releases it.
     */
    protected final ByteBuf takeUnsent() {
        ByteBuf unsent = batch.takeUnsent();
        if (unsent == null) {
            return null;
        }
        int sent = unsent.readerIndex();
        int frame = 0;
        while (frame < sent) {
            int end = frame + MeshHeader.LENGTH + MeshHeader.bodyLength(unsent, frame);
            if (end > sent) {
                break;
            }
            frame = end;
        }
        return unsent.readerIndex(frame);
    }

    @Override
    public final void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        batch = OutboundBatch.recoverable(channel, turn, written, 16 * 1024);
        silence = new PeerSilence(checksNs(1), CHECKS_PER_HEARTBEAT, System.nanoTime());
        heartbeat = PeriodicTask.start(channel.eventLoop(), "mesh heartbeat", checkMs, this::check);
        Hello first = hello();
        if (first != null) {
            FrameWriter.hello(batch.buffer(), first);
        }
    }

    private void check() {
        batch.countUnwritten();
        countSent();
        long nowNs = System.nanoTime();
        boolean paused = !channel.config().isAutoRead();
        long elapsedNs = silence.check(paused, batch.handedOverBytes(), nowNs);
        if (readsNothing(nowNs, elapsedNs)) {
            abort("the peer has read nothing for " + TimeUnit.NANOSECONDS.toMillis(stalledNs) + " ms");
        } else if (opening.isDone()) {
            if (silence.silentNs() >= checksNs(CHECKS_UNTIL_DEAD)) {
                abort("nothing received for " + TimeUnit.NANOSECONDS.toMillis(silence.silentNs()) + " ms");
            } else {
                pingIfDue();
            }
        } else {
            long waitedNs = opening.waited(paused ? 0 : elapsedNs);
            if (waitedNs >= checksNs(CHECKS_UNTIL_HELLO)) {
                refuse(Refusal.SILENCE);
                String missing =
                        opening.state() == LinkOpening.State.PROVING ? "no answer to this side's HELLO" : "no HELLO";
                abort(missing + " within " + 2 * heartbeatMs + " ms");
            }
        }
    }

    private boolean readsNothing(long nowNs, long elapsedNs) {
        if (writeTimeoutMs == 0) {
            return false;
        }
        boolean stalled = writes.isPending(channel, nowNs) && writes.stalledNs(nowNs) > 0;
        stalledNs = stalled ? stalledNs + elapsedNs : 0;
        return stalledNs >= TimeUnit.MILLISECONDS.toNanos(writeTimeoutMs);
    }

    private void countSent() {
        metrics.sent(batch.handedOverBytes() - countedBytes);
        countedBytes = batch.handedOverBytes();
    }

    @Override
    protected final void received(int bytes) {
        metrics.received(bytes);
    }

    private long checksNs(int count) {
        return TimeUnit.MILLISECONDS.toNanos(count * checkMs);
    }

    private void pingIfDue() {
        if (silence.isHeartbeatDue() && state != State.CLOSING && batch.isWritable()) {
            FrameWriter.ping(batch.buffer());
            if (pingNs == 0) {
                pingNs = System.nanoTime();
            }
        }
    }

    private void abort(String reason) {
        if (state != State.CLOSING) {
            closeReason = reason;
        }
        TcpAbort.abort(channel);
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext ctx) {
        // TLS passes the ends of its reads on before the connection is open.
        if (silence != null) {
            silence.onReceived();
        }
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        if (state != State.CLOSED && channel != null) {
            String reason = closeReason != null ? closeReason : closedByPeer();
            state = State.CLOSED;
            heartbeat.cancel(false);
            countSent();
            if (opening.isDone()) {
                metrics.closed();
            }
            closed(reason);
            ByteBuf unsent = batch.takeUnsent();
            if (unsent != null) {
                unsent.release();
            }
            batch.countUnwritten();
        }
    }

    private String closedByPeer() {
        return switch (opening.state()) {
            case AWAITING -> CLOSED_BEFORE_HELLO;
            case PROVING -> CLOSED_WHILE_PROVING;
            case DONE -> "closed by the peer";
        };
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        if (closeReason == null) {
            closeReason = SocketFailure.reason(cause);
        }
        ctx.close();
    }

    @Override
    protected final long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        headers.validate(in, offset);
        int bodyLength = MeshHeader.bodyLength(in, offset);
        if (opening.state() == LinkOpening.State.AWAITING) {
            checkOpening(MeshHeader.type(in, offset), bodyLength);
        }
        return MeshHeader.LENGTH + (long) bodyLength;
    }

    /** Called before the body is waited for: a peer without a HELLO holds no room for a large frame. */
    private static void checkOpening(int type, int bodyLength) throws MalformedFrameException {
        if (type != FrameType.HELLO && type != FrameType.GOAWAY) {
            throw new MalformedFrameException("frame type " + type + " before HELLO");
        }
        if (type == FrameType.GOAWAY && bodyLength > MAX_REASON) {
            throw new MalformedFrameException(
                    "body length " + bodyLength + " of a GOAWAY before HELLO (expected: 0 to " + MAX_REASON + ")");
        }
    }

    @Override
    protected final void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
        int type = MeshHeader.type(in, offset);
        if (opening.state() == LinkOpening.State.PROVING && type != FrameType.GOAWAY) {
            becomeReady(opening.onAccepted());
        }
        switch (type) {
            case FrameType.HELLO -> onHello(Hello.read(in, offset));
            case FrameType.PING -> onPing();
            case FrameType.PONG -> onPong();
            case FrameType.GOAWAY -> {
                int reasonLength = Math.min(length - MeshHeader.LENGTH, MAX_REASON);
                onGoAway(in.toString(offset + MeshHeader.LENGTH, reasonLength, UTF_8));
            }
            default -> frame(type, in, offset, offset + length);
        }
    }

    /** Called for each GOAWAY; what a peer repeats is not logged and not acted on again. */
    private void onGoAway(String reason) {
        if (state == State.PEER_DRAINING) {
            return;
        }
        String said = "the peer said: " + reason;
        if (!opening.isDone()) {
            close(said);
            return;
        }
        state = State.PEER_DRAINING;
        closeReason = said;
        goingAway(reason);
    }

    /**
     * Answers a PING. A peer that does not read what there is gets no PONG: it has enough to read, and one that reads
     * nothing would have them pile up.
     */
    private void onPing() {
        if (batch.isWritable()) {
            FrameWriter.pong(batch.buffer());
        }
    }

    /** Called for a PONG. They come in the order of the PINGs, of which only the first unanswered one is timed. */
    private void onPong() {
        if (pingNs != 0) {
            metrics.roundTrip(readNs() - pingNs);
            pingNs = 0;
        }
    }

    private void onHello(Hello peer) throws MalformedFrameException {
        opening.check(peer);
        Hello answer = answer(peer);
        if (answer != null) {
            FrameWriter.hello(batch.buffer(), answer);
        }
        if (answer == null || answer.credentials().isEmpty()) {
            opening.onHello();
            becomeReady(peer);
            return;
        }
        opening.onProof(peer);
        FrameWriter.ping(batch.buffer());
        pingNs = System.nanoTime();
    }

    private void becomeReady(Hello peer) {
        metrics.opened();
        ready(peer);
    }

    private void refuse(Refusal why) {
        if (!opening.isDone() && state != State.CLOSING) {
            refusal = why;
        }
    }

    @Override
    protected final void malformed(String reason) {
        refuse(Refusal.MALFORMED);
        FrameWriter.goAway(batch.buffer(), reason);
        close(reason);
    }
}
