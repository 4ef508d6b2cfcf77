package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.upstream.link.DirectLinks;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.Services;
import io.dubbomesh.consumer.upstream.pool.SlicedWork;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.subset.Subset;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.write.Turn;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The provider agents as one event loop sees them, and the calls that are on their way to them. Owned by the loop. */
public final class Upstream implements AutoCloseable {
    /** The time between checks of the health of endpoints. */
    private static final long CHECK_MS = 100;

    private final Services services;
    private final CallDispatcher dispatcher;
    private final Future<?> checks;
    private long checkedNs = System.nanoTime();

    /**
     * @param direct      makes the links to endpoints that are called without a provider agent
     * @param newBalancer makes a balancer for a number of endpoints
     * @param executed    takes each route whose method was executed
     * @param response    the loop's view, not closed here
     */
    public Upstream(
            LinkOpener opener,
            DirectLinks direct,
            UpstreamSettings settings,
            Turn turn,
            IntFunction<LoadBalancer> newBalancer,
            Consumer<Route> executed,
            Response response) {
        EndpointCounters counters = new EndpointCounters(opener.eventLoop());
        services = new Services(
                newBalancer,
                settings.pools(),
                listed -> newEndpoint(listed, opener, direct, settings.links(), turn, counters),
                new SlicedWork(opener.eventLoop()),
                new Subset(opener.agentId(), opener.loopIndex(), opener.loopCount()),
                counters);
        dispatcher = new CallDispatcher(
                turn, settings.queue(), settings.streams(), settings.links().maxFrame(), services, executed, response);
        checks = PeriodicTask.start(opener.eventLoop(), "health of endpoints", CHECK_MS, this::check);
    }

    private ProviderEndpoint newEndpoint(
            Endpoint listed,
            LinkOpener opener,
            DirectLinks direct,
            LinkSettings settings,
            Turn turn,
            EndpointCounters counters) {
        return new ProviderEndpoint(
                listed.id(),
                opener,
                listed.isDirect() ? listener -> direct.newConnector(listed, listener) : null,
                settings,
                turn,
                dispatcher,
                counters);
    }

    /** Takes a new list of the registry. */
    public void update(Directory directory) {
        services.update(directory);
        dispatcher.roomAdded();
    }

    /** Returns the registry's directory; null until it is loaded. */
    public Directory directory() {
        return services.directory();
    }

    /** Returns whether the registry has given a list. */
    public boolean isLoaded() {
        return services.isLoaded();
    }

    /** Returns whether the links of {@code links.warm} are open, or have had time enough. */
    public boolean isWarm() {
        return services.isWarm();
    }

    /** Calls that are in flight or wait. */
    public int pendingCount() {
        return dispatcher.pendingCount();
    }

    /** Adds what the loop knows of its calls and endpoints. */
    public void addTo(MetricSamples samples) {
        dispatcher.addTo(samples);
        services.addTo(samples);
    }

    /** Adds how long calls take at each endpoint, which no scrape gets. */
    public void addDurationsTo(MetricSamples samples) {
        services.addDurationsTo(samples);
    }

    /** Returns the state, for operators; takes a moment for each endpoint. */
    public UpstreamState state() {
        int waiting = dispatcher.waitingCount();
        return new UpstreamState(
                waiting, dispatcher.pendingCount() - waiting, services.endpointStates(), services.serviceStates());
    }

    /** Dispatches a call, see {@link CallDispatcher#dispatch}. */
    public void dispatch(ParsedCall call, Responder responder, long receivedNs, long nowNs) throws CallException {
        dispatcher.dispatch(call, responder, receivedNs, nowNs);
    }

    private void check() {
        long nowNs = System.nanoTime();
        boolean late = nowNs - checkedNs > TimeUnit.MILLISECONDS.toNanos(2 * CHECK_MS);
        checkedNs = nowNs;
        services.check(nowNs, late);
    }

    @Override
    public void close() {
        checks.cancel(false);
        services.close();
    }
}
