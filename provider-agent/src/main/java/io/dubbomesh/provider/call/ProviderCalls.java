package io.dubbomesh.provider.call;

import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.provider.dubbo.DubboConnection;
import io.dubbomesh.provider.dubbo.DubboUpstream;
import io.dubbomesh.provider.dubbo.ResponseListener;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

import java.util.ArrayDeque;

/**
 * The calls of one event loop that wait for a permit or for the provider's answer. Owned by the loop; only the {@link ServiceLimit} is shared
 * with other loops.
 */
public final class ProviderCalls implements ResponseListener {
    /** Some versions lose requests when their pool is exhausted; a permit must not be lost with each of them. */
    private static final int BEATS_UNTIL_FORGOTTEN = 10;

    private final EventLoop eventLoop;
    private final DubboUpstream upstream;
    private final ServiceLimit limit;
    private final int maxPayload;
    private final PendingCalls<ProviderCall> pending;
    private final DeadlineSweep sweep;
    private final ArrayDeque<ProviderCall> free = new ArrayDeque<>();
    private final CallCounters counters = new CallCounters();
    private boolean continuing;

    /** @param maxPayload bytes of the longest body that the provider takes */
    public ProviderCalls(EventLoop eventLoop, DubboUpstream upstream, ServiceLimit limit, int maxPayload) {
        this.eventLoop = eventLoop;
        this.upstream = upstream;
        this.limit = limit;
        this.maxPayload = maxPayload;
        pending = new PendingCalls<>(System.nanoTime());
        sweep = new DeadlineSweep(eventLoop, pending);
    }

    public CallCounters counters() {
        return counters;
    }

    /**
     * Begins a call: writes it to the provider, or has it wait for a permit.
     *
     * @param flags of the request, see {@link io.dubbomesh.protocol.mesh.Flags}
     * @return false if the provider takes no calls now, or there is neither a permit nor room in the queue; then nothing was done, and the
     *     listener is not called
     */
    public boolean begin(CallListener listener, long requestId, int flags, DubboRequest method, RequestBody body) {
        DubboConnection connection = upstream.connection();
        if (connection == null || limit.isFull()) {
            return false;
        }
        ProviderCall call = free.pollLast();
        if (call == null) {
            call = new ProviderCall(this);
        }
        // Before a permit is taken, since it can fail.
        call.bind(listener, requestId, flags, method);
        call.copy(body, connection.channel().alloc());
        if (limit.tryAcquire()) {
            call.send(connection);
            return true;
        }
        return call.await(System.nanoTime());
    }

    @Override
    public void answered(DubboConnection connection, ByteBuf in, int offset) {
        ProviderCall call = pending.get(DubboHeader.requestId(in, offset));
        if (call == null || !call.isInFlightOn(connection)) {
            counters.lateResponses++;
            return;
        }
        pending.remove(call);
        call.completed(in, offset);
    }

    /** Ends the calls that the provider has not answered for much longer than any timeout. */
    @Override
    public void heartbeat(DubboConnection connection) {
        int beat = connection.beats() - BEATS_UNTIL_FORGOTTEN;
        pending.forEach(call -> {
            if (call.isInFlightOn(connection) && call.wasSentBefore(beat)) {
                call.forget();
            }
        });
    }

    @Override
    public void connectionLost(DubboConnection connection, String reason) {
        pending.forEach(call -> {
            if (call.isInFlightOn(connection)) {
                call.connectionLost(reason);
            }
        });
    }

    /** The provider takes no calls any more: those that wait for a permit are given back. */
    public void giveBackWaiting() {
        pending.forEach(call -> {
            if (call.isWaiting()) {
                call.giveUpWaiting();
            }
        });
    }

    /** Drops all calls without calling their listeners. */
    public void close() {
        pending.forEach(ProviderCall::discard);
        free.forEach(ProviderCall::release);
        free.clear();
    }

    // --- for ProviderCall ---

    EventLoop eventLoop() {
        return eventLoop;
    }

    DubboUpstream upstream() {
        return upstream;
    }

    ServiceLimit limit() {
        return limit;
    }

    int maxPayload() {
        return maxPayload;
    }

    /**
     * Goes on with a call that has got its permit. False if this was called by another such call, which has released its permit: in a long queue
     * of calls that end at once the stack would overflow.
     */
    boolean tryContinue(ProviderCall call) {
        if (continuing) {
            return false;
        }
        continuing = true;
        try {
            call.run();
        } finally {
            continuing = false;
        }
        return true;
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

    /** There are never more of them than the limit and the queue allow. */
    void free(ProviderCall call) {
        free.addLast(call);
    }
}
