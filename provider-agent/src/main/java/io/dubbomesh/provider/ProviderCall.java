package io.dubbomesh.provider;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.CallArguments;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.transport.call.CallPromise;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of a mesh link on its way to the provider and back. Holds its own copy of the request's body, to give it back when it
 * turns out that nothing was executed. Reused by its loop, which owns it.
 * <pre>
 *   FREE --> WAITING --> IN_FLIGHT --> FREE
 *     \         |                     ^
 *      \        `--> ABANDONED -------|   left while a place was being granted
 *       `--------------> IN_FLIGHT ---'
 * </pre>
 */
final class ProviderCall extends CallPromise implements ServiceLimit.Waiter, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderCall.class);
    private static final long NS_PER_MS = 1_000_000;
    /** A buffer that had to grow larger than this is not kept for the next call. */
    private static final int KEPT_CAPACITY = 4 * 1024;

    private enum State {
        FREE,
        WAITING,
        ABANDONED,
        IN_FLIGHT
    }

    private final LoopState loop;
    private State state = State.FREE;
    private MeshServerLink link;
    private long meshId;
    private boolean form;
    private ResultFormat format;
    private boolean oneWay;
    private DubboRequest request;

    private final CallArguments arguments = new CallArguments();
    private ByteBuf body;
    private int attachmentsOffset;
    private int attachmentsLength;
    private int argumentsOffset;
    private int argumentsLength;
    private long timeLeftMs;

    /** Where it was written to, and in which of that connection's batches. */
    private DubboConnection connection;

    private long batchNumber;
    private int sentAtBeat;

    ProviderCall(LoopState loop) {
        this.loop = loop;
    }

    /** Becomes the call of this request; its body {@code in[offset, end)} is copied. */
    void take(
            MeshServerLink from,
            long requestId,
            int flags,
            DubboRequest prepared,
            ByteBuf in,
            int offset,
            int end,
            RequestBody parts) {
        assert state == State.FREE;
        copyBody(from, in, offset, end);
        link = from;
        meshId = requestId;
        form = (flags & Flags.TEXT) != 0;
        format = ResultFormat.of(form, (flags & Flags.CLASS_NAMES) != 0, prepared.isGeneric());
        oneWay = (flags & Flags.ONE_WAY) != 0;
        request = prepared;
        attachmentsOffset = parts.attachmentsOffset() - offset;
        attachmentsLength = parts.attachmentsLength();
        argumentsOffset = parts.argumentsOffset() - offset;
        argumentsLength = parts.argumentsLength();
        timeLeftMs = parts.timeLeftMs();
        link.began();
    }

    private void copyBody(MeshServerLink from, ByteBuf in, int offset, int end) {
        boolean copied = false;
        try {
            if (body == null) {
                body = from.channel().alloc().directBuffer(Math.max(1024, end - offset));
            }
            body.clear().writeBytes(in, offset, end - offset);
            copied = true;
        } finally {
            if (!copied) {
                releaseBuffer();
            }
        }
    }

    /** Whether it is on the way on this connection, so that an answer of its id there is its answer. */
    boolean isInFlightOn(DubboConnection candidate) {
        return state == State.IN_FLIGHT && connection == candidate;
    }

    /** Goes to the provider. The call has its place, which is free again if it cannot be written. */
    void send(DubboConnection to) {
        try {
            write(to);
        } catch (CallException e) {
            refuse(e.outcome(), e.getMessage());
            return;
        } catch (RuntimeException | Error e) {
            fail(e);
            return;
        }
        loop.counters().sent++;
        if (oneWay) {
            // The provider never says when it is done, so there is nothing that could hold a place longer than the
            // write.
            loop.pending().remove(this);
            endAndRelease();
            return;
        }
        state = State.IN_FLIGHT;
        connection = to;
        batchNumber = to.batch().number();
        sentAtBeat = to.beats();
    }

    /** When this fails, nothing of the frame is in the batch and the call is not pending. */
    private void write(DubboConnection to) throws CallException {
        ByteBuf out = to.batch().buffer();
        int frame = out.writerIndex();
        boolean written = false;
        long id = loop.pending().add(this);
        try {
            if (form) {
                arguments.form(body, argumentsOffset, argumentsLength);
            } else {
                arguments.json(body, argumentsOffset, argumentsLength);
            }
            request.encode(
                    out,
                    id,
                    oneWay,
                    arguments.attachments(attachmentsOffset, attachmentsLength).timeLeftMs(timeLeftMs));
            int payload = out.writerIndex() - frame - DubboHeader.LENGTH;
            if (payload > loop.settings().maxPayload()) {
                throw new CallException(
                        Outcome.BODY_TOO_LARGE,
                        "a Dubbo request of " + payload + " bytes (expected: at most "
                                + loop.settings().maxPayload() + ")");
            }
            written = true;
        } finally {
            if (!written) {
                out.writerIndex(frame);
                loop.pending().remove(this);
            }
        }
    }

    private void refuse(Outcome outcome, String detail) {
        loop.counters().refused++;
        try {
            if (!oneWay) {
                link.responses().problem(meshId, outcome, detail);
            }
        } finally {
            endAndRelease();
        }
    }

    private void fail(Throwable cause) {
        loop.counters().refused++;
        try {
            if (!oneWay) {
                link.responses().failed(meshId, cause);
            }
        } finally {
            endAndRelease();
        }
    }

    /** Stands in line for a place until its deadline; false if the line is full, and then the call is free again. */
    boolean await(ServiceLimit limit) {
        state = State.WAITING;
        boolean waits = false;
        try {
            loop.addWaiting(this, System.nanoTime() + timeLeftMs * NS_PER_MS);
            waits = limit.tryWait(this);
        } finally {
            if (!waits) {
                if (id() != 0) {
                    loop.pending().remove(this);
                }
                end();
            }
        }
        return waits;
    }

    @Override
    public void granted() {
        if (loop.eventLoop().inEventLoop()) {
            run();
            return;
        }
        try {
            loop.eventLoop().execute(this);
        } catch (RuntimeException | Error e) {
            LOG.warn("a call that waited could not be continued on its event loop: {}", String.valueOf(e));
            loop.limit().release();
        }
    }

    /** A place was granted. */
    @Override
    public void run() {
        if (state == State.ABANDONED) {
            endAndRelease();
            return;
        }
        assert state == State.WAITING;
        timeLeftMs = (deadlineNs() - System.nanoTime()) / NS_PER_MS;
        loop.pending().remove(this);
        DubboConnection to = loop.provider().connection();
        if (timeLeftMs <= 0 || link.isGone()) {
            loop.counters().expired++;
            endAndRelease();
        } else if (to == null) {
            giveBack();
            endAndRelease();
        } else {
            send(to);
        }
    }

    /** The provider takes no calls: one that waits is given back. Not to be called for others. */
    void giveUpWaiting() {
        loop.pending().remove(this);
        giveBack();
        leaveLine();
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    private void leaveLine() {
        if (loop.limit().leave(this)) {
            end();
        } else {
            state = State.ABANDONED;
        }
    }

    /** The deadline of one that waits has passed: its caller has been told so by the consumer agent. */
    @Override
    protected void failed(Outcome outcome, String detail) {
        assert state == State.WAITING : "only those that wait have a deadline here";
        loop.counters().expired++;
        leaveLine();
    }

    /** The provider has answered. */
    @Override
    protected void completed(ByteBuf in, int offset) {
        try {
            if (DubboHeader.status(in, offset) == DubboStatus.POOL_EXHAUSTED) {
                giveBack();
            } else if (!link.isGone()) {
                loop.counters().answered++;
                link.responses().result(meshId, format, in, offset);
            }
        } finally {
            endAndRelease();
        }
    }

    /** The provider has had its time many times over and seems to have forgotten the call; its peer has long since. */
    void forgetIfSentBefore(int beat) {
        if (sentAtBeat < beat) {
            loop.pending().remove(this);
            loop.counters().forgotten++;
            try {
                if (!link.isGone()) {
                    link.responses().problem(meshId, Outcome.TIMEOUT, "the provider never answered");
                }
            } finally {
                endAndRelease();
            }
        }
    }

    /** The connection is gone. What was not handed to its channel was certainly not executed. */
    void connectionLost(String reason) {
        loop.pending().remove(this);
        loop.counters().lost++;
        try {
            if (batchNumber == connection.batch().number()) {
                giveBack();
            } else if (!link.isGone()) {
                link.responses().problem(meshId, Outcome.PROVIDER_ERROR, reason);
            }
        } finally {
            endAndRelease();
        }
    }

    private void giveBack() {
        if (!oneWay && !link.isGone()) {
            loop.counters().notExecuted++;
            link.responses().notExecuted(meshId, body, 0, body.writerIndex());
        }
    }

    /** The loop ends, and with it all that it owns. */
    void discard() {
        loop.pending().remove(this);
        state = State.ABANDONED;
        releaseBuffer();
    }

    private void endAndRelease() {
        try {
            end();
        } finally {
            // Last, since it can begin another call, which may be this very object.
            loop.limit().release();
        }
    }

    private void end() {
        state = State.FREE;
        MeshServerLink was = link;
        link = null;
        request = null;
        connection = null;
        if (body != null && body.capacity() > KEPT_CAPACITY) {
            releaseBuffer();
        }
        loop.free(this);
        was.ended();
    }

    void releaseBuffer() {
        if (body != null) {
            body.release();
            body = null;
        }
    }
}
