package io.dubbomesh.client.call;

import io.dubbomesh.client.connection.AnswerForm;
import io.dubbomesh.client.connection.ProviderConnection;
import io.dubbomesh.client.trace.CallTrace;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.call.PendingCall;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way to the provider and back. Reused by its event loop, which owns it.
 * <pre>
 *           permit free                    answer, loss, forgotten
 *   FREE ------------------> IN_FLIGHT ---------------------------> FREE
 *     |                        ^   |  long answer            read
 *     |                        |   `--------------> READING ------> FREE
 *     | no permit free         | permit granted
 *     v                        |
 *   WAITING -------------------'
 *     |  |  ^  permit granted while it is undecided whether the provider takes calls, or its connection is full
 *     |  v  |  connected, or a place on the connection is free, and there is room in the queue
 *     | PARKED
 *     |    |  deadline, provider gone, connected without room in the queue
 *     |    `-------------------------------------------------------> FREE
 *     |  deadline, provider gone, evicted from the queue
 *     |------------------------------------------------------------> FREE
 *     |  deadline or provider gone, while another loop granted a permit or evicted the call
 *     `-----> ABANDONED -------------------------------------------> FREE, when this loop knows of it
 *
 *   from FREE or WAITING, for a method that returns a stream:
 *      sent            first message              end, failure, cancelled
 *   ---------> OPENED ---------------> STREAMING -------------------------> FREE
 *                 `----- end, failure, cancelled ------------------------> FREE
 * </pre>
 * A stream holds a permit until its first message: it may last for hours, and a provider need not work for it.
 *
 * <p>
 * In IN_FLIGHT and READING the call holds a permit, and in ABANDONED it is about to get one unless it was evicted. In
 * PARKED it holds none: other event loops may use it. In READING nothing ends it but {@link LongAnswers}. A call that
 * cannot be written, and a one-way call, which has no answer, go from FREE or WAITING to FREE at once. A call that is
 * sent a second time, through {@code $invoke}, stays in IN_FLIGHT and keeps its permit.
 */
final class ProviderCall extends PendingCall implements LongAnswers.Listener, OpenStream {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderCall.class);
    private static final long NS_PER_MS = 1_000_000;
    /**
     * The provider may be that much later than the deadline before the call counts as lost: as long again, but within
     * these bounds.
     */
    private static final long MIN_GRACE_MS = 1_000;

    private static final long MAX_GRACE_MS = 10_000;
    /** Why a call is given back that waited while another event loop has found the provider's protocol. */
    private static final String OTHER_PROTOCOL = "the provider is called by another protocol now";
    /** Why a call is given back that the provider has refused while it ends. */
    private static final String UNEXPORTED = "the provider does not export the service any more";
    /** The bytes of a buffer for a long request beside its arguments. */
    private static final int MARGIN = 1024;

    enum State {
        FREE,
        WAITING,
        PARKED,
        ABANDONED,
        IN_FLIGHT,
        READING,
        OPENED,
        STREAMING
    }

    private final ProviderCalls calls;
    private final CallOrigin origin;
    private final RequestCopy request;
    private State state = State.FREE;

    private DubboRequest method;
    /**
     * The request that the provider has refused as it does not know the method; null unless the call was sent again,
     * through {@code $invoke}.
     */
    private DubboRequest refused;
    /** Whether what was written is not a call of {@code $invoke}. */
    private boolean isNative;

    /** The connection that it was written to, what that has returned, and when: null unless in flight. */
    private ProviderConnection connection;

    private long sent;
    private int sentAtCheck;
    /** The time at which the call was sent, for a learnt limit. */
    private long sentNs;
    /**
     * The time at which it was received, or until which it was held, or at which it got the permit that it waited for.
     */
    private long startedNs;
    /** The time at which the answer was received that is being read. */
    private long answeredNs;

    /** Null until it waits for the first time: most calls never do. */
    private Place place;

    /** The place in the queue of the limit, which is called by other loops. */
    private final class Place extends PeerQueue.Waiter {
        private final Runnable continued = ProviderCall.this::permitGranted;
        private final Runnable givenBack = ProviderCall.this::evicted;

        @Override
        void granted() {
            if (!schedule(continued)) {
                calls.limit().release();
            }
        }

        @Override
        void evicted() {
            schedule(givenBack);
        }

        /** Runs a task in the loop's own turn, or has the loop run it if another one has called. */
        private boolean schedule(Runnable task) {
            Turn turn = calls.turn();
            try {
                if (turn.eventLoop().inEventLoop()) {
                    turn.ready(task);
                } else {
                    turn.eventLoop().execute(task);
                }
                return true;
            } catch (RuntimeException | Error e) {
                FatalErrors.check(e);
                LOG.warn("a call that waited could not be continued on its event loop: {}", String.valueOf(e));
                return false;
            }
        }
    }

    ProviderCall(ProviderCalls calls) {
        this.calls = calls;
        origin = new CallOrigin(calls.counters(), calls.timing());
        request = new RequestCopy(calls.memory());
    }

    State state() {
        return state;
    }

    // --- from FREE ---

    /** Becomes the call of a request, whose body is to be {@linkplain #copy copied} next. */
    void bind(CallListener listener, long requestId, int flags, CalledMethod called) {
        assert state == State.FREE;
        method = called.request().current();
        origin.bind(listener, requestId, flags, called, method);
        startedNs = origin.receivedNs();
    }

    /** Copies the request. When this fails, the call can be dropped: it holds nothing. */
    void copy(RequestBody body, CalledMethod called, ByteBufAllocator allocator) {
        request.copy(body, origin.form(), allocator);
        startedNs += body.heldNs();
        if (calls.tracer() != null) {
            origin.trace(calls.tracer().begin(body, called.name(), origin.receivedNs()));
        }
    }

    /** Goes to the provider. The call has its permit, which is released if it cannot be written. */
    void send(ProviderConnection to) {
        try {
            write(to);
        } catch (CallException e) {
            calls.counters().refused++;
            failAndRelease(e.outcome(), e.getMessage());
            return;
        } catch (RuntimeException | Error e) {
            calls.counters().refused++;
            failAndRelease(e);
            return;
        }
        calls.counters().sent++;
        if (origin.isOneWay()) {
            origin.sentOneWay();
            // The provider never says when it is done, so nothing could hold a permit longer than the write.
            calls.remove(this);
            endAndRelease();
            return;
        }
        sent(to);
        if (method.streaming() == Streaming.SERVER) {
            state = State.OPENED;
            calls.counters().streamsOpened++;
            to.stream(sent);
            if (!origin.streamOpened(this)) {
                fail(Outcome.BAD_REQUEST, "the id of the request is that of another stream");
            }
        }
    }

    private void sent(ProviderConnection to) {
        state = State.IN_FLIGHT;
        connection = to;
        sentAtCheck = to.checks();
        sentNs = calls.latencies() == null ? 0 : System.nanoTime();
    }

    /** Writes the request. When this fails, nothing of the frame is in the batch and the call is not pending. */
    private void write(ProviderConnection to) throws CallException {
        if (method.isOverloaded()) {
            CalledMethod meant = origin.method().overload(request.arguments());
            method = meant.request().current();
            origin.overload(meant, method);
        }
        if (method.streaming() != Streaming.NONE) {
            origin.requireStream(method.streaming(), to.carriesStreams());
            if (to.openStreams() >= to.maxStreams()) {
                throw new CallException(
                        Outcome.OVERLOADED,
                        "too many streams: " + to.openStreams()
                                + " on one connection to the provider (expected: at most " + to.maxStreams() + ")");
            }
            // The time-out is that of one answer.
            request.arguments().timeLeftMs(0);
        }
        ByteBuf out = to.requestBuffer(request.body().readableBytes() + MARGIN);
        int frame = out.writerIndex();
        boolean written = false;
        long id = calls.addInFlight(this);
        CallTrace trace = origin.trace();
        try {
            if (trace != null) {
                trace.writing(request.body(), method.isTriple());
            }
            boolean generic = method.encode(out, id, origin.isOneWay(), request.arguments());
            if (generic != method.isGeneric()) {
                origin.markGeneric();
            }
            if (generic && method.streaming() != Streaming.NONE) {
                throw new CallException(
                        Outcome.NOT_IMPLEMENTED,
                        "arguments that only a generic call can carry, which returns no stream (expected: arguments of"
                                + " types that are known, see dubbo.api.jars)");
            }
            isNative = !generic;
            int payload = to.bodyLength(out, frame);
            if (payload > calls.maxPayload()) {
                throw new CallException(
                        Outcome.BODY_TOO_LARGE,
                        "a Dubbo request of " + payload + " bytes (expected: at most " + calls.maxPayload() + ")");
            }
            AnswerForm form = AnswerForm.of(origin.isOneWay(), method.isMessage());
            sent = to.send(out, frame, id, form, request.arguments().timeLeftMs());
            written = true;
        } finally {
            if (trace != null) {
                trace.written(request.body());
            }
            if (!written) {
                out.writerIndex(frame);
                calls.remove(this);
            }
        }
    }

    /**
     * Waits in the queue of the limit until its deadline; false if the queue is full, and then the call is free again.
     */
    boolean await(long nowNs) {
        state = State.WAITING;
        if (place == null) {
            place = new Place();
        }
        boolean waits = false;
        try {
            calls.addWaiting(this, nowNs + request.arguments().timeLeftMs() * NS_PER_MS);
            waits = calls.limit().tryWait(origin.listener().queue(), place, nowNs);
        } finally {
            if (!waits) {
                calls.remove(this);
                reset();
            }
        }
        return waits;
    }

    // --- from WAITING, PARKED and ABANDONED ---

    boolean isWaiting() {
        return state == State.WAITING || state == State.PARKED;
    }

    boolean isParked() {
        return state == State.PARKED;
    }

    /** Called when a permit was granted. */
    void permitGranted() {
        if (state == State.ABANDONED) {
            endAndRelease();
            return;
        }
        assert state == State.WAITING;
        ProviderConnection to = calls.upstream().connection();
        if (to == null ? calls.upstream().isUndecided() : !to.canSend()) {
            // Each call that a lost connection ends grants a permit to the next one: all would be given back in turn.
            // The permit is passed on, since other event loops may have their connections.
            state = State.PARKED;
            calls.limit().release();
            return;
        }
        startedNs = System.nanoTime();
        long timeLeftMs = (deadlineNs() - startedNs) / NS_PER_MS;
        calls.remove(this);
        if (timeLeftMs <= 0 || origin.isClosed()) {
            calls.counters().expired++;
            endAndRelease();
        } else if (to == null) {
            giveBackAndRelease(calls.unavailability());
        } else if (!to.takes(method)) {
            giveBackAndRelease(OTHER_PROTOCOL);
        } else {
            request.arguments().timeLeftMs(timeLeftMs);
            send(to);
        }
    }

    /** Called when the provider takes calls again: a parked one waits for a permit as one that comes now. */
    void waitAgain(long nowNs) {
        state = State.WAITING;
        PeerQueue queue = origin.listener().queue();
        if (!calls.limit().admits(queue, deadlineNs() - nowNs, nowNs)
                || !calls.limit().tryWait(queue, place, nowNs)) {
            calls.remove(this);
            giveBack(null);
        }
    }

    /** Called when its place in the queue was given to a call of a peer that has fewer. */
    private void evicted() {
        if (state == State.WAITING) {
            calls.remove(this);
            origin.notExecuted(request.body(), null);
        }
        end();
    }

    /** Called when the provider takes no calls: one that waits is given back. */
    void giveUpWaiting() {
        calls.remove(this);
        if (state == State.PARKED) {
            giveBack(calls.unavailability());
            return;
        }
        origin.notExecuted(request.body(), calls.unavailability());
        leaveQueue();
    }

    /** Called when the deadline of one that waits has passed; the consumer agent has told its client so. */
    void expired() {
        assert isWaiting() : "only calls that wait have a deadline here";
        calls.counters().expired++;
        if (state == State.PARKED) {
            end();
        } else {
            leaveQueue();
        }
    }

    private void leaveQueue() {
        if (calls.limit().remove(place)) {
            end();
        } else {
            state = State.ABANDONED;
        }
    }

    // --- from IN_FLIGHT ---

    /** Returns whether an answer with its id on this connection is its answer. */
    boolean isInFlightOn(ProviderConnection candidate) {
        return connection == candidate
                && (state == State.IN_FLIGHT || state == State.OPENED || state == State.STREAMING);
    }

    /**
     * Returns whether the provider should have answered long ago.
     *
     * @param checks    of the connection so far
     * @param intervalMs between them
     */
    boolean isOverdue(int checks, long intervalMs) {
        if (state != State.IN_FLIGHT) {
            return false;
        }
        long timeLeftMs = request.arguments().timeLeftMs();
        long graceMs = Math.max(MIN_GRACE_MS, Math.min(timeLeftMs, MAX_GRACE_MS));
        return (long) age(checks) * intervalMs > timeLeftMs + graceMs;
    }

    /** Checks since it was sent. */
    int age(int checks) {
        return checks - sentAtCheck;
    }

    /** Called when the provider has answered. */
    void completed(ByteBuf in, int offset) {
        int status = DubboHeader.status(in, offset);
        if (status == DubboStatus.POOL_EXHAUSTED && state != State.STREAMING) {
            long nowNs = System.nanoTime();
            calls.limit().poolExhausted(nowNs);
            if (origin.trace() != null) {
                origin.trace().answered(status, nowNs);
            }
            poolExhausted();
            return;
        }
        if (state != State.STREAMING
                && DubboStatus.isUnexported(in, offset)
                && origin.method().isExecuted()) {
            origin.traceAnswer(status, connection.readNs());
            calls.onServiceMissing();
            giveBackAndRelease(UNEXPORTED);
            return;
        }
        if (status != DubboStatus.OK) {
            if (method.isUnknownMethod(in, offset)) {
                if (state == State.IN_FLIGHT && sendThroughInvoke()) {
                    return;
                }
                calls.onServiceMissing();
            }
            if (method.isKnown()) {
                origin.methodIsKnown();
            }
        } else {
            if (calls.latencies() != null) {
                calls.latencies().add(sentNs, System.nanoTime());
            }
            if (isNative) {
                method.answered();
            } else if (refused != null) {
                refused.implementedByGenericService();
            }
        }
        answeredNs = connection.readNs();
        origin.traceAnswer(status, answeredNs);
        Outcome outcome = null;
        boolean ends = true;
        try {
            if (origin.listens()) {
                outcome = origin.answered(in, offset, startedNs, answeredNs);
                ends = outcome != null;
            }
        } finally {
            if (ends) {
                answered(outcome);
            }
        }
        if (!ends) {
            readElsewhere(in, offset);
        }
    }

    private void answered(Outcome outcome) {
        if (outcome == Outcome.OK) {
            // A method that throws may do so at once: what is measured with it would draw calls to a broken provider.
            calls.limit().answeredAfter(answeredNs - origin.receivedNs());
            calls.counters().executed++;
            calls.counters().executedNs += answeredNs - startedNs;
        }
        try {
            if (outcome == Outcome.SERVICE_NOT_FOUND) {
                calls.onServiceMissing();
            }
        } finally {
            endAndRelease();
        }
    }

    private void readElsewhere(ByteBuf in, int offset) {
        if (state != State.IN_FLIGHT) {
            failAndRelease(Outcome.PROVIDER_ERROR, "the stream has failed, and its reason is too long to be read");
            return;
        }
        state = State.READING;
        boolean reads;
        try {
            ByteBufAllocator allocator = connection.allocator();
            reads = calls.longAnswers().read(this, origin.format(), origin.resultType(), in, offset, allocator);
        } catch (RuntimeException | Error e) {
            failAndRelease(e);
            return;
        }
        if (!reads) {
            failAndRelease(Outcome.PROVIDER_ERROR, LongAnswers.noRoom(DubboHeader.bodyLength(in, offset)));
        }
    }

    /**
     * Sends the call, which was not executed, once more: a provider that implements {@code GenericService} knows no
     * method but {@code $invoke}, and from Dubbo 3 on nothing else tells that it does. Returns false if the call was
     * such a one, or cannot be one: then its answer is what the provider has said.
     */
    private boolean sendThroughInvoke() {
        DubboRequest first = method;
        ProviderConnection answeredOn = connection;
        ProviderConnection to = calls.upstream().connection();
        try {
            DubboRequest other = first.throughInvoke();
            if (other == null) {
                return false;
            }
            if (to == null || !to.canSend()) {
                giveBackAndRelease(calls.unavailability());
                return true;
            }
            if (!to.takes(other)) {
                giveBackAndRelease(OTHER_PROTOCOL);
                return true;
            }
            long nowNs = System.nanoTime();
            long timeLeftMs = request.arguments().timeLeftMs() - (nowNs - startedNs) / NS_PER_MS;
            if (timeLeftMs <= 0 || origin.isClosed()) {
                calls.counters().expired++;
                endAndRelease();
                return true;
            }
            request.arguments().timeLeftMs(timeLeftMs);
            method = other;
            // A connection that ends by this write must not end the call, too.
            connection = null;
            write(to);
        } catch (CallException e) {
            method = first;
            connection = answeredOn;
            return false;
        } catch (RuntimeException | Error e) {
            failAndRelease(e);
            return true;
        }
        refused = first;
        origin.markGeneric();
        sent(to);
        return true;
    }

    /**
     * Called when the provider has not answered for much longer than the call may take; the consumer agent has long
     * answered its client.
     */
    void abandon() {
        calls.remove(this);
        connection.abandon(sent);
        calls.counters().forgotten++;
        failAndRelease(Outcome.TIMEOUT, "the provider never answered");
    }

    /** Called when the provider says, or it is otherwise certain, that it has not executed the call. */
    void notExecuted(String unavailability) {
        calls.remove(this);
        giveBackAndRelease(unavailability);
    }

    /** Called when it has ended without an answer. */
    void failed(Outcome outcome, String detail) {
        calls.remove(this);
        failAndRelease(outcome, detail);
    }

    /** Called when the connection is lost. What no system call has taken was certainly not executed. */
    void connectionLost(String reason) {
        calls.remove(this);
        calls.counters().lost++;
        if (connection.isUnsent(sent)) {
            giveBackAndRelease(reason);
        } else {
            failAndRelease(Outcome.PROVIDER_ERROR, reason);
        }
    }

    // --- from OPENED and STREAMING ---

    /** Called with a message of the stream. */
    void message(ByteBuf in, int offset, int windowBytes) {
        if (origin.trace() != null) {
            origin.trace().message();
        }
        if (state == State.OPENED) {
            state = State.STREAMING;
            method.answered();
            calls.limit().answeredAfter(connection.readNs() - origin.receivedNs());
            calls.limit().release();
        }
        if (!origin.listens()) {
            cancel();
        } else if (origin.message(in, offset, windowBytes) != Outcome.OK) {
            // If that ends the connection, this is none of its calls any more.
            calls.remove(this);
            connection.cancel(sent);
            endAndRelease();
        } else {
            calls.counters().streamMessages++;
        }
    }

    @Override
    public void consumed(int windowBytes) {
        connection.consumed(sent, windowBytes);
    }

    /** Called when the provider has ended the stream. */
    void streamEnded() {
        calls.remove(this);
        calls.counters().executed++;
        calls.counters().streamsCompleted++;
        try {
            origin.streamEnded(startedNs, connection.readNs());
        } finally {
            endAndRelease();
        }
    }

    @Override
    public void cancel() {
        calls.remove(this);
        calls.counters().streamsCancelled++;
        connection.cancel(sent);
        endAndRelease();
    }

    @Override
    public void fail(Outcome outcome, String detail) {
        calls.remove(this);
        connection.cancel(sent);
        failAndRelease(outcome, detail);
    }

    // --- from READING ---

    @Override
    public boolean isAwaited() {
        return origin.listens();
    }

    @Override
    public void read(Outcome outcome, ByteBuf document) {
        assert state == State.READING;
        answered(origin.listens() ? origin.read(outcome, document, startedNs, answeredNs) : null);
    }

    @Override
    public void readFailed(Throwable cause) {
        assert state == State.READING;
        failAndRelease(cause);
    }

    @Override
    public void discarded() {
        assert state == State.READING;
        endAndRelease();
    }

    // --- to FREE ---

    private void giveBack(String unavailability) {
        try {
            origin.notExecuted(request.body(), unavailability);
        } finally {
            end();
        }
    }

    private void giveBackAndRelease(String unavailability) {
        try {
            origin.notExecuted(request.body(), unavailability);
        } finally {
            endAndRelease();
        }
    }

    private void poolExhausted() {
        try {
            origin.poolExhausted(request.body());
        } finally {
            endAndRelease();
        }
    }

    private void failAndRelease(Outcome outcome, String detail) {
        try {
            origin.failed(outcome, detail);
        } finally {
            endAndRelease();
        }
    }

    private void failAndRelease(Throwable cause) {
        try {
            origin.failed(cause);
        } finally {
            endAndRelease();
        }
    }

    private void endAndRelease() {
        boolean holdsPermit = state != State.STREAMING;
        try {
            end();
        } finally {
            if (holdsPermit) {
                calls.limit().release();
            }
        }
    }

    private void end() {
        CallListener listener = origin.listener();
        origin.recordTrace();
        if (state == State.OPENED || state == State.STREAMING) {
            calls.counters().streamsEnded++;
            origin.streamClosed(this);
        }
        reset();
        listener.ended();
    }

    private void reset() {
        state = State.FREE;
        origin.clear();
        method = null;
        refused = null;
        connection = null;
        request.trim();
        calls.free(this);
    }

    /** Called when the event loop ends, and with it all that it owns. */
    void discard() {
        calls.remove(this);
        state = State.ABANDONED;
        release();
    }

    void release() {
        request.release();
    }
}
