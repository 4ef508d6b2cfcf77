package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.call.PeerQueue;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.request.Requester;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RESPONSEs of a direct link in a turn of its loop, passed on at the turn's end: so no call gets its answer while
 * it is being sent, and permits are given back before the next call is sent. Owned by the loop.
 */
final class Answers implements Requester {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    private static final int INITIAL_CAPACITY = 4 * 1024;

    private final Turn turn;
    private final MemoryBudget memory;
    private final DirectLink link;
    private final LinkListener listener;
    private final PeerQueue queue;
    private final ServiceLimit limit;
    private final Runnable passOn = this::passOn;
    /** The frames of this turn; null as long as there are none. */
    private ByteBuf frames;

    /** Bytes of them that the budget has. */
    private int counted;

    private long receivedNs;
    private long passedOnNs;
    /** The calls in service at the provider, or waiting for a permit. */
    private int calls;

    private boolean passingOn;
    /** Whether the link is to be told when the last call has ended. */
    private boolean awaitingLast;

    private boolean closed;

    Answers(
            Turn turn,
            MemoryBudget memory,
            DirectLink link,
            LinkListener listener,
            PeerQueue queue,
            ServiceLimit limit) {
        this.turn = turn;
        this.memory = memory;
        this.link = link;
        this.listener = listener;
        this.queue = queue;
        this.limit = limit;
    }

    @Override
    public ByteBuf buffer(int frameBytes) {
        if (frames != null) {
            frames.ensureWritable(frameBytes);
        } else {
            frames = PooledByteBufAllocator.DEFAULT.directBuffer(Math.max(INITIAL_CAPACITY, frameBytes));
            turn.ready(passOn);
        }
        return frames;
    }

    private void passOn() {
        ByteBuf passedOn = frames;
        frames = null;
        // From here on their holder counts them.
        count(0);
        passedOnNs = System.nanoTime();
        passingOn = true;
        try {
            int end = passedOn.writerIndex();
            for (int at = 0, next; at < end && !closed; at = next) {
                next = at + MeshHeader.LENGTH + MeshHeader.bodyLength(passedOn, at);
                passOn(passedOn, at, next);
            }
        } finally {
            passingOn = false;
            passedOn.release();
        }
        link.closeIfDrained();
    }

    private void passOn(ByteBuf in, int offset, int end) {
        try {
            listener.responded(link, in, offset, end);
        } catch (MalformedFrameException | RuntimeException | Error e) {
            FatalErrors.check(e);
            LOG.error("a response of provider {} could not be passed on", link, e);
        }
    }

    @Override
    public boolean hasRoom(int answerBytes) {
        return memory.hasRoom(Use.ANSWERS, answerBytes);
    }

    /** Sends the frames before the end of the turn, as there may be many in one. */
    @Override
    public void flush() {
        count(frames.readableBytes());
    }

    private void count(int bytes) {
        memory.add(Use.ANSWERS, bytes - counted);
        counted = bytes;
    }

    /** Fails the call at its deadline, when the client gets its answer. */
    @Override
    public void fail() {
        LOG.error("a response of provider {} was dropped", link);
    }

    /** Returns whether calls have not ended yet, or their answers are not passed on. */
    boolean areAwaited() {
        return calls > 0 || frames != null || passingOn;
    }

    /**
     * Takes no more calls, and has the link told when the last one has ended: a one-way call has no answer to be passed
     * on.
     */
    void awaitLast() {
        awaitingLast = true;
    }

    @Override
    public void callBegins() {
        calls++;
    }

    @Override
    public void callEnded() {
        calls--;
        if (awaitingLast && calls == 0) {
            turn.ready(link::closeIfDrained);
        }
    }

    @Override
    public boolean takesStreams() {
        return true;
    }

    @Override
    public boolean takesUnserved() {
        return false;
    }

    @Override
    public boolean takesRequests() {
        return !awaitingLast && !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    void receivedNs(long nowNs) {
        receivedNs = nowNs;
    }

    @Override
    public long receivedNs() {
        return receivedNs;
    }

    /** Returns the time at which the frames were passed on that are being passed on now. */
    long passedOnNs() {
        return passedOnNs;
    }

    @Override
    public ServiceLimit reportedLoad() {
        return limit;
    }

    @Override
    public PeerQueue queue() {
        return queue;
    }
}
