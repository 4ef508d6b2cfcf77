package io.dubbomesh.provider;

import io.dubbomesh.client.call.CallCounters;
import io.dubbomesh.client.call.LongAnswerThread;
import io.dubbomesh.client.call.LongAnswers;
import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.connection.UpstreamListener;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.method.ServedMethods;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.client.trace.CallTracer;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.provider.admin.ProviderLoopState;
import io.dubbomesh.provider.mesh.LinkLimit;
import io.dubbomesh.provider.mesh.MeshLinks;
import io.dubbomesh.provider.mesh.MeshServerLink;
import io.dubbomesh.provider.mesh.RequestReader;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.tracing.Tracing;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.Failure;
import io.dubbomesh.transport.metrics.LoopMetrics;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.tls.TlsConnector;
import io.dubbomesh.transport.tls.TlsConnector.Peer;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * The parts of the provider agent on one event loop: its mesh links, its calls, its connection to the provider. No
 * request passes through here; it makes the parts and tells the others when the provider changes. Everything but the
 * constructor and {@link #execute} runs on the loop.
 */
final class ProviderLoop implements UpstreamListener {
    /** Bytes; hundreds of methods. */
    private static final long LEAST_FOR_NAMES = 1 << 20;

    private final EventLoop eventLoop;
    private final ProviderSettings settings;
    /** Null on all loops but one. */
    private final RegistrationControl registration;

    private final MemoryBudget memory;
    private final Turn turn;
    private final DubboUpstream upstream;
    private final ProviderCalls calls;
    private final CallMetrics metrics;
    private final LoopMetrics loop;
    private final ServedMethods methods;
    private final MeshLinks links;
    private final RequestReader requests;
    private final DubboResponseReader results;

    /**
     * @param meshTokens   of which consumer agents must have one; null if they need none
     * @param events       of all event loops
     * @param protocols    by which the provider is called, of all event loops
     * @param tls          whether it is called with TLS, of all event loops
     * @param tracing      null if no spans are recorded
     * @param registration is told by the loop with index 0 when the provider changes, and by each when it exports less
     *     than before
     */
    ProviderLoop(
            EventLoop eventLoop,
            int index,
            EventLoops loops,
            ProviderSettings settings,
            ServiceLimit limit,
            LinkLimit connections,
            MeshTokenFile meshTokens,
            SharedEvents events,
            ProtocolChoice protocols,
            ProviderTls tls,
            Tracing tracing,
            RegistrationControl registration) {
        this.eventLoop = eventLoop;
        this.settings = settings;
        this.registration = index == 0 ? registration : null;
        memory = new MemoryBudget(settings.memoryBudget() / settings.io().threads());
        turn = new Turn(eventLoop, memory);
        loop = new LoopMetrics(eventLoop, index, memory);
        upstream = new DubboUpstream(
                eventLoop, opener(loops, tls.connector(false), protocols), turn, settings.dubbo(), events, protocols);
        DubboResponseReader reader = new DubboResponseReader(
                DubboResponseReader.MAX_DOCUMENT,
                settings.mesh().errorsStack(),
                settings.dubbo().serialization());
        results = reader.brief(ReadingTime.ofTurn(turn::number));
        calls = new ProviderCalls(
                turn,
                upstream,
                limit,
                memory,
                new LongAnswers(new LongAnswerThread(eventLoop), reader, memory),
                settings.dubbo(),
                tracing == null
                        ? null
                        : new CallTracer(tracing, settings.dubbo().provider()),
                settings.dubbo().check() ? () -> registration.onServiceMissing(System.nanoTime()) : () -> {});
        upstream.listen(calls, this);
        metrics = new CallMetrics(CallMetricNames.PROVIDER, settings.metricsMethods());
        methods = new ServedMethods(
                settings.services(),
                settings.dubbo().serialization(),
                settings.dubbo().provider(),
                tls.isFor(false),
                metrics,
                settings.discovery().validation());
        int maxOpening =
                Math.max(1, settings.mesh().maxOpening() / settings.io().threads());
        links = new MeshLinks(eventLoop, settings.mesh(), upstream, limit, connections, meshTokens, maxOpening, events);
        requests = new RequestReader(
                methods,
                new RequestServer(methods, calls, AgentRole.PROVIDER),
                Math.max(LEAST_FOR_NAMES, memory.capacity() / 2));
    }

    /** @param tls null for plain text */
    private BiFunction<InetSocketAddress, ChannelHandler, Future<?>> opener(
            EventLoops loops, TlsConnector tls, ProtocolChoice protocols) {
        SocketSettings sockets = settings.io().sockets();
        if (tls == null) {
            return (address, handler) -> loops.connect(eventLoop, address, sockets, handler);
        }
        HostPort provider = settings.dubbo().provider();
        return (address, handler) -> {
            boolean isTriple = protocols.current() == ProviderProtocol.TRIPLE;
            Peer peer = isTriple ? Peer.ofHttp2(provider) : Peer.at(provider);
            return tls.connect(loops, eventLoop, address, sockets, handler, peer);
        };
    }

    /** Runs a task on the loop; from any thread. */
    void execute(Runnable task) {
        eventLoop.execute(task);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    DubboUpstream upstream() {
        return upstream;
    }

    ProviderCalls calls() {
        return calls;
    }

    MeshLinks links() {
        return links;
    }

    RequestReader requests() {
        return requests;
    }

    Turn turn() {
        return turn;
    }

    MemoryBudget memory() {
        return memory;
    }

    /** Returns what a scrape finds here. */
    MetricSamples samples() {
        MetricSamples samples = callSamples();
        calls.counters().addTo(samples);
        loop.addTo(samples);
        ProviderMetrics.add(samples, links.metrics());
        ProviderMetrics.add(samples, links.refusals());
        ProviderMetrics.add(samples, upstream);
        return samples;
    }

    /** Returns a copy of what was counted of calls. */
    CallCounters counted() {
        CallCounters copy = new CallCounters();
        copy.add(calls.counters());
        return copy;
    }

    /** Returns the samples that are counted of calls. */
    MetricSamples callSamples() {
        MetricSamples samples = new MetricSamples();
        metrics.addTo(samples);
        return samples;
    }

    /** Returns the handler of a connection that was accepted. */
    MeshServerLink newLink() {
        return new MeshServerLink(links, settings.mesh(), turn, requests, results);
    }

    void define(ServiceDefinitions discovered, ServedServices served) {
        methods.define(discovered, served);
    }

    void use(ServiceTokens tokens) {
        methods.use(tokens);
        results.redact(tokens.values());
    }

    /** Returns what failed lately, for operators. */
    List<Failure> failures() {
        return metrics.failures().failures();
    }

    /** Returns the state of this loop, for operators. */
    ProviderLoopState state() {
        return new ProviderLoopState(
                upstream.takesCalls(), upstream.isSilent(), links.open().size(), memory.used(), memory.capacity());
    }

    @Override
    public void stateChanged() {
        boolean takesCalls = upstream.takesCalls();
        if (takesCalls) {
            methods.callBy(upstream.protocol());
        }
        // Reconnecting mostly takes less than a millisecond, and is no reason to deregister.
        if (registration != null && (takesCalls || !upstream.isUndecided())) {
            registration.providerChanged(takesCalls);
        }
        if (takesCalls) {
            calls.resume();
        } else if (!upstream.isUndecided()) {
            calls.giveBackWaiting();
        }
        links.followBackPressure();
    }

    @Override
    public void attemptFailed(boolean accepted, String how) {
        if (registration != null) {
            registration.attemptFailed(accepted, how);
        }
    }

    /**
     * The agent stays registered: consumer agents pass over an endpoint that refuses, and it is back the moment that
     * its provider is.
     */
    @Override
    public void silenceChanged() {
        if (upstream.isSilent()) {
            calls.giveBackWaiting();
        }
        links.followBackPressure();
    }

    @Override
    public void writabilityChanged() {
        links.followBackPressure();
    }

    /** Tells all consumer agents to send no more as long as there is a reason; null for none. */
    void pause(String reason) {
        execute(() -> links.pause(reason));
    }

    /** Tells all consumer agents to send no more; completes, by the loop, when each has its answers and is gone. */
    CompletableFuture<Void> drain() {
        execute(links::drain);
        return links.drained();
    }

    /** Ends everything, answered or not. */
    void close() {
        links.close();
        upstream.close();
        calls.close();
    }
}
