package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.call.CallCounters;
import io.dubbomesh.client.call.LongAnswerThread;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.client.trace.CallTracer;
import io.dubbomesh.consumer.upstream.link.DirectLinks;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.tracing.Tracing;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.tls.TlsConnector;
import io.dubbomesh.transport.tls.TlsConnector.Peer;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The direct links of one event loop, which owns them, and what they share. */
public final class DirectLoop implements DirectLinks {
    private static final int SCRATCH = 1024;
    /** A buffer that had to grow larger than this is not kept. */
    private static final int MAX_SCRATCH = 64 * 1024;

    private static final long LIMIT_CHECK_MS = 500;

    private final EventLoops loops;
    private final EventLoop eventLoop;
    private final Turn turn;
    private final DirectSettings settings;
    private final ProviderTls tls;
    private final ProviderLimits limits;
    private final ServiceTypes types;
    private final SharedEvents events;
    private final Tracing tracing;
    private final LongAnswerThread longAnswers;
    /** The time that the loop has spent on the answers that it reads itself. */
    private final ReadingTime readingTime;
    /** Not shown: the calls count where the agent counts all. */
    private final CallMetrics metrics = new CallMetrics(CallMetricNames.PROVIDER, 0);

    /** The counts of links that are closed. */
    private final CallCounters ended = new CallCounters();

    private final Set<DirectLink> links = new LinkedHashSet<>();
    private Directory directory = Directory.of(Map.of());
    private ServiceTokens tokens = ServiceTokens.NONE;
    /** The REQUEST that is being written; null between most of them. */
    private ByteBuf request;

    /**
     * @param tls     of all event loops
     * @param limits  of all event loops
     * @param types   of all event loops
     * @param events  of all event loops
     * @param tracing null if no spans are recorded
     */
    public DirectLoop(
            EventLoops loops,
            EventLoop eventLoop,
            Turn turn,
            DirectSettings settings,
            ProviderTls tls,
            ProviderLimits limits,
            ServiceTypes types,
            SharedEvents events,
            Tracing tracing) {
        this.loops = loops;
        this.eventLoop = eventLoop;
        this.turn = turn;
        this.settings = settings;
        this.tls = tls;
        this.limits = limits;
        this.types = types;
        this.events = events;
        this.tracing = tracing;
        longAnswers = new LongAnswerThread(eventLoop);
        readingTime = ReadingTime.ofTurn(turn::number);
        if (settings.limit().isLearnt()) {
            PeriodicTask.start(
                    eventLoop, "announcement of the limits of providers", LIMIT_CHECK_MS, this::notifyLimits);
        }
    }

    @Override
    public LinkConnector newConnector(Endpoint listed, LinkListener listener) {
        return new DirectLink(this, listed, listener);
    }

    /** Takes a new list of the registry. */
    public void update(Directory changed) {
        Directory before = directory;
        directory = changed;
        if (!links.isEmpty()) {
            Map<HostPort, Set<String>> services = changedServices(before, changed);
            links.forEach(link -> link.methods().update(changed, services.get(link.provider())));
            Map<EndpointId, Boolean> registersTls = registersTls(changed, services);
            links.forEach(link -> link.registersTls(registersTls.get(link.id())));
        }
    }

    /** Returns, of the providers with changed services, whether they register that they have TLS. */
    private static Map<EndpointId, Boolean> registersTls(Directory changed, Map<HostPort, Set<String>> services) {
        Map<EndpointId, Boolean> registersTls = new HashMap<>();
        Set<String> all = new HashSet<>();
        services.values().forEach(all::addAll);
        for (String service : all) {
            List<Endpoint> endpoints = changed.endpoints(service);
            for (Endpoint endpoint : endpoints == null ? List.<Endpoint>of() : endpoints) {
                registersTls.merge(endpoint.id(), endpoint.registersTls(), Boolean::logicalOr);
            }
        }
        return registersTls;
    }

    /**
     * Returns, for the provider of each link, the services whose endpoints have changed and that it is or was one of.
     * It walks over the changed endpoints once, however many links there are.
     */
    private Map<HostPort, Set<String>> changedServices(Directory before, Directory changed) {
        Map<HostPort, Set<String>> services = new HashMap<>();
        links.forEach(link -> services.putIfAbsent(link.provider(), new HashSet<>()));
        for (String service : before.services()) {
            List<Endpoint> last = before.endpoints(service);
            List<Endpoint> now = changed.endpoints(service);
            if (last != now) {
                addService(service, last, services);
                addService(service, now == null ? List.of() : now, services);
            }
        }
        return services;
    }

    private static void addService(String service, List<Endpoint> endpoints, Map<HostPort, Set<String>> to) {
        for (Endpoint endpoint : endpoints) {
            Set<String> ofProvider = to.get(new HostPort(endpoint.host(), endpoint.port()));
            if (ofProvider != null) {
                ofProvider.add(service);
            }
        }
    }

    /** Takes the tokens of services of which the registry tells none. */
    public void use(ServiceTokens changed) {
        tokens = changed;
        links.forEach(link -> link.methods().use(changed));
    }

    /** Called when types of a service were found, or are waited for no more. */
    public void typesFound() {
        List.copyOf(links).forEach(DirectLink::typesFound);
    }

    /** Returns whether no call waits of which its client was told that it is sent, and every call is written. */
    public boolean isQuiet() {
        return links.stream().allMatch(DirectLink::isQuiet);
    }

    /** Adds what the loop knows of its calls and connections. */
    public void addTo(MetricSamples samples) {
        DirectMetrics.add(samples, ended);
        for (DirectLink link : links) {
            DirectMetrics.add(samples, link.counters());
            link.addTo(samples);
        }
    }

    /** Ends everything, answered or not. */
    public void close() {
        List.copyOf(links).forEach(link -> link.end("shutting down"));
        if (request != null) {
            request.release();
            request = null;
        }
    }

    private void notifyLimits() {
        new ArrayList<>(links).forEach(DirectLink::notifyLimit);
    }

    // --- for the links ---

    void opened(DirectLink link) {
        links.add(link);
    }

    void closed(DirectLink link) {
        if (links.remove(link)) {
            ended.add(link.counters());
        }
    }

    /** Empty; valid until another REQUEST is written on this loop. */
    ByteBuf requestBuffer(int frameBytes) {
        if (request == null || request.capacity() > MAX_SCRATCH) {
            if (request != null) {
                request.release();
            }
            request = PooledByteBufAllocator.DEFAULT.directBuffer(Math.max(SCRATCH, frameBytes));
        }
        return request.clear();
    }

    /** @param connector null for plain text */
    Future<Void> connect(InetSocketAddress address, ChannelHandler handler, TlsConnector connector, Peer peer) {
        return connector == null
                ? loops.connect(eventLoop, address, settings.sockets(), handler)
                : connector.connect(loops, eventLoop, address, settings.sockets(), handler, peer);
    }

    ProviderTls tls() {
        return tls;
    }

    /** Returns how many event loops there are. */
    int loops() {
        return loops.loops().size();
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    Turn turn() {
        return turn;
    }

    /** Reads what would hold up the loop. */
    LongAnswerThread longAnswers() {
        return longAnswers;
    }

    ReadingTime readingTime() {
        return readingTime;
    }

    DirectSettings settings() {
        return settings;
    }

    ProviderLimits limits() {
        return limits;
    }

    ServiceTokens tokens() {
        return tokens;
    }

    ServiceTypes types() {
        return types;
    }

    SharedEvents events() {
        return events;
    }

    CallMetrics metrics() {
        return metrics;
    }

    Directory directory() {
        return directory;
    }

    /** Returns null if no spans are recorded. */
    CallTracer tracer(HostPort provider) {
        return tracing == null ? null : new CallTracer(tracing, provider);
    }
}
