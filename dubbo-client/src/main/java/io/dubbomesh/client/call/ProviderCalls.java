package io.dubbomesh.client.call;

import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.ProviderConnection;
import io.dubbomesh.client.connection.ResponseListener;
import io.dubbomesh.client.trace.CallTracer;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The calls of one event loop that wait for a permit or for the provider's answer. Owned by the loop; only the
 * {@link ServiceLimit} is shared with other loops.
 */
public final class ProviderCalls implements ResponseListener {
    private static final long NS_PER_MS = 1_000_000;

    private final Turn turn;
    private final DubboUpstream upstream;
    private final ServiceLimit limit;
    private final MemoryBudget memory;
    private final LongAnswers longAnswers;
    private final int maxPayload;
    private final CallTiming timing;
    private final PendingCalls<ProviderCall> pending;
    private final DeadlineSweep sweep;
    private final ArrayDeque<ProviderCall> free = new ArrayDeque<>();
    private final CallCounters counters = new CallCounters();
    /** Null unless the limit is learnt. */
    private final LatencySamples latencies;
    /** Null if no spans are recorded. */
    private final CallTracer tracer;

    private final Runnable onServiceMissing;
    private boolean closed;

    /**
     * @param tracer         null if no spans are recorded
     * @param onServiceMissing is run for each call that the provider answers as if it did not export the service
     */
    public ProviderCalls(
            Turn turn,
            DubboUpstream upstream,
            ServiceLimit limit,
            MemoryBudget memory,
            LongAnswers longAnswers,
            DubboSettings settings,
            CallTracer tracer,
            Runnable onServiceMissing) {
        this.turn = turn;
        this.upstream = upstream;
        this.limit = limit;
        this.memory = memory;
        this.longAnswers = longAnswers;
        maxPayload = settings.maxPayload();
        timing = new CallTiming(settings.provider().toString());
        this.tracer = tracer;
        this.onServiceMissing = onServiceMissing;
        pending = new PendingCalls<>(System.nanoTime(), ProviderCall::expired);
        sweep = new DeadlineSweep(turn.eventLoop(), pending);
        latencies = limit.isLearnt() ? new LatencySamples(limit) : null;
    }

    public CallCounters counters() {
        return counters;
    }

    /** Returns the limit, which has the queues of the peers. */
    public ServiceLimit limit() {
        return limit;
    }

    /**
     * Begins a call: writes it to the provider, or has it wait for a permit.
     *
     * @param flags of the request, see {@link io.dubbomesh.protocol.mesh.Flags}
     * @return false if the provider takes no calls now, there is neither a permit nor room in the queue, or no memory
     *     for a large call; then nothing was done, and the listener is not called
     */
    public boolean begin(CallListener listener, long requestId, int flags, CalledMethod method, RequestBody body) {
        ProviderConnection connection = upstream.connection();
        if (connection == null || !connection.canSend() || !hasRoom(body.length())) {
            return false;
        }
        boolean permitted = limit.tryAcquire();
        if (!permitted && !limit.admits(listener.queue(), body.timeLeftMs() * NS_PER_MS, System.nanoTime())) {
            return false;
        }
        ProviderCall call = free.pollLast();
        if (call == null) {
            call = new ProviderCall(this);
        }
        call.bind(listener, requestId, flags, method);
        boolean copied = false;
        try {
            call.copy(body, method, connection.allocator());
            copied = true;
        } finally {
            if (permitted && !copied) {
                limit.release();
            }
        }
        if (permitted) {
            call.send(connection);
            return true;
        }
        return call.await(System.nanoTime());
    }

    /** Returns why the provider takes no calls now; null if it does, and a call that does not begin is one too many. */
    public String unavailability() {
        return upstream.unavailability();
    }

    /** Returns whether the request of a call can be kept while the call lasts; short ones always can. */
    private boolean hasRoom(int requestBytes) {
        return requestBytes <= MemoryBudget.LARGE || memory.hasRoom(Use.CALLS, requestBytes);
    }

    @Override
    public boolean answered(ProviderConnection connection, ByteBuf in, int offset) {
        ProviderCall call = pending.get(DubboHeader.requestId(in, offset));
        if (call == null || !call.isInFlightOn(connection)) {
            counters.lateResponses++;
            limit.answeredAfterAll(System.nanoTime());
            return false;
        }
        pending.remove(call);
        call.completed(in, offset);
        return true;
    }

    @Override
    public void notExecuted(ProviderConnection connection, long requestId, String unavailability) {
        ProviderCall call = pending.get(requestId);
        if (call != null && call.isInFlightOn(connection)) {
            call.notExecuted(unavailability);
        }
    }

    @Override
    public void failed(ProviderConnection connection, long requestId, Outcome outcome, String detail) {
        ProviderCall call = pending.get(requestId);
        if (call != null && call.isInFlightOn(connection)) {
            call.failed(outcome, detail);
        }
    }

    @Override
    public void hasRoom(ProviderConnection connection, int calls) {
        if (upstream.connection() == connection) {
            resume(calls);
        }
    }

    @Override
    public void message(ProviderConnection connection, ByteBuf in, int offset, int windowBytes) {
        ProviderCall call = pending.get(DubboHeader.requestId(in, offset));
        if (call != null && call.isInFlightOn(connection)) {
            call.message(in, offset, windowBytes);
        }
    }

    @Override
    public void streamEnded(ProviderConnection connection, long requestId) {
        ProviderCall call = pending.get(requestId);
        if (call != null && call.isInFlightOn(connection)) {
            call.streamEnded();
        }
    }

    @Override
    public boolean awaitsAnswers(ProviderConnection connection) {
        boolean[] awaits = new boolean[1];
        pending.forEach(call -> awaits[0] |= call.isInFlightOn(connection));
        return awaits[0];
    }

    /**
     * Gives back the permits of calls that the provider has probably lost, the oldest first: the calls of one slow
     * method must not use up what may be forgotten.
     */
    @Override
    public void checked(ProviderConnection connection) {
        ProviderCall call = oldestOverdue(connection);
        while (call != null && limit.mayForget(System.nanoTime())) {
            call.abandon();
            call = oldestOverdue(connection);
        }
    }

    private ProviderCall oldestOverdue(ProviderConnection connection) {
        int checks = connection.checks();
        ProviderCall[] oldest = new ProviderCall[1];
        pending.forEach(call -> {
            if (call.isInFlightOn(connection)
                    && call.isOverdue(checks, connection.checkIntervalMs())
                    && (oldest[0] == null || call.age(checks) > oldest[0].age(checks))) {
                oldest[0] = call;
            }
        });
        return oldest[0];
    }

    /** Returns how many wait for a permit. */
    public int waiting() {
        int[] waiting = new int[1];
        pending.forEach(call -> waiting[0] += call.isWaiting() ? 1 : 0);
        return waiting[0];
    }

    /** Returns how many the provider executes. */
    public int inService() {
        return pending.size() - waiting();
    }

    @Override
    public void connectionLost(ProviderConnection connection, String reason) {
        pending.forEach(call -> {
            if (call.isInFlightOn(connection)) {
                call.connectionLost(reason);
            }
        });
    }

    /**
     * Called when the provider takes calls: those wait for a permit again, in their order, that got one while it was
     * not known whether it does.
     */
    public void resume() {
        resume(Integer.MAX_VALUE);
    }

    private void resume(int most) {
        List<ProviderCall> parked = new ArrayList<>();
        pending.forEach(call -> {
            if (call.isParked()) {
                parked.add(call);
            }
        });
        parked.sort(Comparator.comparingLong(ProviderCall::id));
        parked.stream().limit(most).forEach(call -> call.waitAgain(System.nanoTime()));
    }

    /** Called when the provider takes no calls any more: those that wait for a permit are given back. */
    public void giveBackWaiting() {
        pending.forEach(call -> {
            if (call.isWaiting()) {
                call.giveUpWaiting();
            }
        });
    }

    /**
     * Ends all calls, those in flight as if the connection were lost, so that the permits are there for other event
     * loops; then as {@link #close}.
     */
    public void end(String reason) {
        giveBackWaiting();
        pending.forEach(call -> call.connectionLost(reason));
        close();
    }

    /** Drops all calls; only those that wait for their long answers to be read are told that they have ended. */
    public void close() {
        closed = true;
        pending.forEach(ProviderCall::discard);
        longAnswers.close();
        free.forEach(ProviderCall::release);
        free.clear();
    }

    // --- for ProviderCall ---

    Turn turn() {
        return turn;
    }

    DubboUpstream upstream() {
        return upstream;
    }

    MemoryBudget memory() {
        return memory;
    }

    LongAnswers longAnswers() {
        return longAnswers;
    }

    int maxPayload() {
        return maxPayload;
    }

    void onServiceMissing() {
        onServiceMissing.run();
    }

    /** Returns null if no spans are recorded. */
    public CallTracer tracer() {
        return tracer;
    }

    /** Returns the timing, to be set and written at once. */
    CallTiming timing() {
        return timing;
    }

    /** Returns null unless the limit is learnt. */
    LatencySamples latencies() {
        return latencies;
    }

    /** Returns the id that the answer will have. */
    long addInFlight(ProviderCall call) {
        return pending.add(call);
    }

    void addWaiting(ProviderCall call, long deadlineNs) {
        pending.add(call, deadlineNs);
        sweep.added(deadlineNs);
    }

    void remove(ProviderCall call) {
        if (call.id() != 0) {
            pending.remove(call);
        }
    }

    /** Keeps a call for reuse. There are never more of them than the limit and the queue allow. */
    void free(ProviderCall call) {
        if (closed) {
            call.release();
        } else {
            free.addLast(call);
        }
    }
}
