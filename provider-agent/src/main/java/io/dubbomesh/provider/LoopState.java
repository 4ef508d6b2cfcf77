package io.dubbomesh.provider;

import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.provider.discovery.ServedServices;
import io.dubbomesh.provider.discovery.ServiceDefinitions;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * All that one event loop of the provider agent owns: its mesh links, its connection to the provider, the calls that are under way or
 * wait. Only the limit on calls in service is shared with other loops. Everything here runs on the loop.
 */
final class LoopState {
    private static final long DRAIN_CHECK_MS = 20;

    private final EventLoop eventLoop;
    private final EventLoops loops;
    private final ProviderSettings settings;
    private final ServiceLimit limit;
    private final RegistrationControl control;
    private final Turn turn;
    private final PendingCalls<ProviderCall> pending;
    private final DeadlineSweep sweep;
    private final DubboProvider provider;
    private final DubboResponseReader reader;
    private final RequestBody requestBody = new RequestBody();
    private final ArrayDeque<ProviderCall> freeCalls = new ArrayDeque<>();
    private final Set<MeshServerLink> links = new LinkedHashSet<>();
    private final Counters counters = new Counters();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private ServiceDefinitions definitions = ServiceDefinitions.NONE;
    private boolean draining;

    /** @param control hears of the provider's state; null on all loops but one */
    LoopState(
            EventLoop eventLoop,
            EventLoops loops,
            ProviderSettings settings,
            ServiceLimit limit,
            RegistrationControl control) {
        this.eventLoop = eventLoop;
        this.loops = loops;
        this.settings = settings;
        this.limit = limit;
        this.control = control;
        reader = new DubboResponseReader(
                DubboResponseReader.MAX_DOCUMENT, settings.errorsStack(), settings.serialization());
        turn = new Turn(eventLoop);
        pending = new PendingCalls<>(System.nanoTime());
        sweep = new DeadlineSweep(eventLoop, pending);
        provider = new DubboProvider(this);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    ProviderSettings settings() {
        return settings;
    }

    ServedServices services() {
        return settings.services();
    }

    /** What discovery has found so far. */
    ServiceDefinitions definitions() {
        return definitions;
    }

    void define(ServiceDefinitions discovered) {
        assert eventLoop.inEventLoop();
        definitions = discovered;
    }

    ServiceLimit limit() {
        return limit;
    }

    Turn turn() {
        return turn;
    }

    PendingCalls<ProviderCall> pending() {
        return pending;
    }

    DubboProvider provider() {
        return provider;
    }

    DubboResponseReader reader() {
        return reader;
    }

    /** For the request that is being read. */
    RequestBody requestBody() {
        return requestBody;
    }

    Counters counters() {
        return counters;
    }

    // --- the provider ---

    ChannelFuture connect(InetSocketAddress address, DubboConnection handler) {
        return loops.connect(eventLoop, address, settings.sockets(), handler);
    }

    /** The provider takes calls again or no longer. */
    void providerChanged() {
        boolean takesCalls = provider.takesCalls();
        // A connection that is being opened again is no reason to leave the registry: it mostly takes less than a
        // millisecond.
        if (control != null && (takesCalls || !provider.isUndecided())) {
            control.providerChanged(takesCalls);
        }
        if (!takesCalls && !provider.isUndecided()) {
            pending.forEach(call -> {
                if (call.isWaiting()) {
                    call.giveUpWaiting();
                }
            });
        }
        backPressureChanged();
    }

    /** An answer of the provider has come. */
    void answered(DubboConnection connection, ByteBuf in, int offset) {
        ProviderCall call = pending.get(DubboHeader.requestId(in, offset));
        if (call == null || !call.isInFlightOn(connection)) {
            counters.lateAnswers++;
            return;
        }
        pending.remove(call);
        call.completed(in, offset);
    }

    void failCallsOn(DubboConnection connection, String reason) {
        pending.forEach(call -> {
            if (call.isInFlightOn(connection)) {
                call.connectionLost(reason);
            }
        });
    }

    /** Gives up calls that were sent before this heartbeat of the connection. */
    void forgetCallsOn(DubboConnection connection, int beat) {
        pending.forEach(call -> {
            if (call.isInFlightOn(connection)) {
                call.forgetIfSentBefore(beat);
            }
        });
    }

    // --- calls ---

    ProviderCall newCall() {
        ProviderCall call = freeCalls.pollLast();
        return call != null ? call : new ProviderCall(this);
    }

    /** There are never more of them than the limit and the line allow. */
    void free(ProviderCall call) {
        freeCalls.addLast(call);
    }

    void addWaiting(ProviderCall call, long deadlineNs) {
        pending.add(call, deadlineNs);
        sweep.added(deadlineNs);
    }

    // --- mesh links ---

    void linkOpened(MeshServerLink link) {
        if (draining) {
            link.channel().close();
            return;
        }
        links.add(link);
        provider.open();
        link.followBackPressure();
    }

    void linkClosed(MeshServerLink link) {
        links.remove(link);
        if (draining && links.isEmpty()) {
            drained.complete(null);
        }
    }

    Set<MeshServerLink> links() {
        return links;
    }

    /** Whether requests are better left unread for now. */
    boolean isPaused() {
        return provider.isUndecided() || provider.isOverfull();
    }

    void backPressureChanged() {
        for (MeshServerLink link : links) {
            link.followBackPressure();
        }
    }

    // --- the end ---

    /** Completed once the last link is closed, after {@link #drain}. */
    CompletableFuture<Void> drained() {
        return drained;
    }

    /** Tells all peers to send no more, and goes on until each has what it waits for. */
    void drain() {
        draining = true;
        for (MeshServerLink link : links) {
            link.drain("shutting down");
        }
        if (links.isEmpty()) {
            drained.complete(null);
        } else {
            PeriodicTask.start(eventLoop, "closing of drained links", DRAIN_CHECK_MS, this::closeIdleLinks);
        }
    }

    private void closeIdleLinks() {
        long nowNs = System.nanoTime();
        // Two heartbeats are time enough for the farewell to arrive and for what was sent before it to come.
        long lingerNs = TimeUnit.MILLISECONDS.toNanos(2 * settings.heartbeatMs());
        for (MeshServerLink link : List.copyOf(links)) {
            link.closeIfIdle(nowNs, lingerNs);
        }
    }

    /** Ends everything, answered or not. */
    void close() {
        draining = true;
        for (MeshServerLink link : List.copyOf(links)) {
            link.channel().close();
        }
        provider.close();
        pending.forEach(ProviderCall::discard);
        freeCalls.forEach(ProviderCall::releaseBuffer);
        freeCalls.clear();
    }
}
