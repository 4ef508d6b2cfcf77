package io.dubbomesh.consumer;

import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.consumer.admin.ConsumerLoopState;
import io.dubbomesh.consumer.auth.CallerAuth;
import io.dubbomesh.consumer.auth.LoopAuth;
import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.caller.CallingApps;
import io.dubbomesh.consumer.direct.DirectLoop;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.PublishedTools;
import io.dubbomesh.consumer.openapi.DocumentHandler;
import io.dubbomesh.consumer.openapi.Documents;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.consumer.record.CallRecords;
import io.dubbomesh.consumer.server.HttpLoop;
import io.dubbomesh.consumer.upstream.call.Upstream;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.Failure;
import io.dubbomesh.transport.metrics.LoopMetrics;
import io.dubbomesh.transport.tls.TlsConnection;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The parts of the consumer agent on one event loop: its HTTP connections, and its view of the provider agents with the
 * calls to them. No other loop uses any of it, and everything runs on this one.
 */
final class ConsumerLoop {
    /** The part of the budget that is kept for requests that are being received, however many answers are not read. */
    private static final int KEPT_FOR_REQUESTS = 8;

    private final EventLoop eventLoop;
    private final MemoryBudget memory;
    private final Response response;
    private final DirectLoop direct;
    private final Upstream upstream;
    private final CallHandler handler;
    private final HttpLoop http;
    private final OfferedDirectory offered;
    private final AgentPages pages;
    /** Null where callers are not authenticated. */
    private final LoopAuth auth;

    private final CallingApps apps;
    private final CallMetrics calls;
    private final LoopMetrics loop;

    /**
     * @param newDirect makes what calls providers without a provider agent
     * @param callerAuth null where callers are not authenticated
     * @param tools     null where none are published
     * @param index     of this loop
     * @param loopCount event loops of the agent, which share what is limited for all of it
     * @param called    takes the name of each service of which a method was executed for the first time
     * @param types     where the types of services are known from, for all loops
     * @param documents makes those of OpenAPI
     * @param recorders makes those of this loop's requests, for where its calls are counted
     */
    ConsumerLoop(
            LinkOpener opener,
            BiFunction<EventLoop, Turn, DirectLoop> newDirect,
            ConsumerSettings settings,
            CallerAuth callerAuth,
            PublishedTools tools,
            int index,
            int loopCount,
            IntFunction<LoadBalancer> newBalancer,
            Consumer<String> called,
            TypeSources types,
            Documents documents,
            Function<CallMetrics, List<CallRecorder>> recorders) {
        eventLoop = opener.eventLoop();
        response = new Response(settings.http().errorsPage(), settings.role());
        long budget = settings.memoryBudget() / loopCount;
        memory = new MemoryBudget(budget, budget / KEPT_FOR_REQUESTS);
        Turn turn = new Turn(eventLoop, memory);
        loop = new LoopMetrics(eventLoop, index, memory);
        calls = new CallMetrics(CallMetricNames.CONSUMER, settings.metricsMethods(), turn);
        Router router = new Router(settings.calls().maxMethods(), calls);
        Consumer<Route> executed = route -> {
            router.keep(route);
            called.accept(route.name().service());
        };
        direct = newDirect.apply(eventLoop, turn);
        upstream = new Upstream(opener, direct, settings.upstream(), turn, newBalancer, executed, response);
        offered = new OfferedDirectory(eventLoop, this::update);
        auth = callerAuth == null ? null : new LoopAuth(callerAuth);
        CallReader reader = new CallReader(settings.calls(), router, auth);
        apps = reader.apps();
        pages = new AgentPages(response, types);
        handler = new CallHandler(
                reader,
                upstream,
                new CallRecords(recorders.apply(calls)),
                pages,
                types,
                new DocumentHandler(reader, upstream, response, documents, eventLoop),
                tools,
                response,
                eventLoop);
        int maxConnections = Math.max(1, settings.http().maxConnections() / loopCount);
        http = new HttpLoop(eventLoop, settings.http(), maxConnections, turn, handler, response);
    }

    private void update(Directory directory) {
        direct.update(directory);
        pages.update(directory);
        upstream.update(directory);
    }

    /** Takes the tokens of services that are called directly. */
    void use(ServiceTokens tokens) {
        direct.use(tokens);
    }

    /** Called when types of a service that is called directly were found, or are waited for no more. */
    void typesFound() {
        direct.typesFound();
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    MemoryBudget memory() {
        return memory;
    }

    /** @param tls null for plain HTTP */
    ChannelHandler newConnection(TlsConnection tls) {
        return http.newConnection(tls);
    }

    /** Appends what a client gets that speaks plain HTTP where TLS is expected. */
    void answerWithoutTls(ByteBuf out) {
        http.answerWithoutTls(out);
    }

    /**
     * Has the loop take a new list of the registry; a loop that is late takes only the newest. Called by any thread.
     */
    void offer(Directory directory) {
        offered.offer(directory);
    }

    /** Returns the samples of this loop for a scrape. */
    MetricSamples samples() {
        MetricSamples samples = new MetricSamples();
        calls.addTo(samples);
        upstream.addTo(samples);
        handler.addTo(samples);
        http.addTo(samples);
        LoopAuth.addTo(samples, auth);
        direct.addTo(samples);
        loop.addTo(samples);
        return samples;
    }

    /** Returns the samples of calls and endpoints, with those that only the history gets. */
    MetricSamples callSamples() {
        MetricSamples samples = new MetricSamples();
        calls.addTo(samples);
        upstream.addTo(samples);
        upstream.addDurationsTo(samples);
        return samples;
    }

    boolean isLoaded() {
        return upstream.isLoaded();
    }

    boolean isWarm() {
        return upstream.isWarm();
    }

    /** Returns what failed lately. */
    List<Failure> failures() {
        return calls.failures().failures();
    }

    /** Returns what operators see of the loop. */
    ConsumerLoopState state() {
        return new ConsumerLoopState(
                upstream.state(),
                apps.counts(),
                http.connectionCount(),
                http.maxConnections(),
                auth == null ? 0 : auth.refused(),
                memory.used(),
                memory.capacity());
    }

    /** Sets whether responses end their connections from now on. */
    void drain(boolean now) {
        http.drain(now);
    }

    /** Takes no more requests that follow unanswered ones on their connections. */
    void closeAfterResponses() {
        http.closeAfterResponses();
    }

    /**
     * Returns whether no call is pending, no client waits for an answer, one-way calls are sent, and no request has
     * arrived for {@code quietNs}.
     */
    boolean isQuiet(long quietNs) {
        return upstream.pendingCount() == 0 && direct.isQuiet() && http.isQuiet(quietNs);
    }

    void close() {
        http.close();
        upstream.close();
        direct.close();
        response.close();
    }
}
