package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.call.CallPaths;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.directory.ForeignProtocol;
import io.dubbomesh.consumer.upstream.directory.LapsedEndpoints;
import io.dubbomesh.consumer.upstream.directory.ServiceSubset;
import io.dubbomesh.consumer.upstream.link.Elapsed;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.EndpointState;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.subset.Subset;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutingRules;
import io.dubbomesh.registry.SilentRegistries;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.runtime.LogRate;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The registry's directory as one event loop sees it: for each variant of a service that is called, or that the
 * operator wants warm, the pool of the endpoints that serve it, with their links. A service without calls costs nothing
 * but its place in the directory. Owned by the loop.
 */
public final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);
    private static final int MAX_NAMESAKES = 3;
    /** Pools of which no method was executed yet: clients may invent services, versions and groups. */
    private static final int MAX_UNPROVEN = 64;
    /**
     * The bound of proven selections of a service, beyond which the oldest go: where rules go by attachments, clients
     * choose how many there are.
     */
    private static final int MAX_PROVEN = 256;
    /** The service whose pool keeps all endpoints warm, where the registry serves any service. */
    private static final String ANY_SERVICE = "*";

    private static final long IDLE_CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private final IntFunction<LoadBalancer> newBalancer;
    private final PoolSettings settings;
    private final Function<Endpoint, ProviderEndpoint> newEndpoint;
    private final SlicedWork work;
    private final ServiceSubset subset;
    private final LocalZone zone;
    private final EndpointCounters counters;
    private final Map<EndpointId, ProviderEndpoint> endpoints = new HashMap<>();
    private final LapsedEndpoints lapsed = new LapsedEndpoints();
    private final UnservedServices unserved = new UnservedServices();
    /**
     * The limit of lines about services that are not served, where the registry serves any service: clients may invent
     * them.
     */
    private final LogRate unservedLog = new LogRate(10, TimeUnit.MINUTES.toNanos(1));

    private final Map<String, List<EndpointPool>> pools = new HashMap<>();
    private final Set<EndpointPool> unproven = new LinkedHashSet<>();
    private final Set<EndpointPool> warm = new LinkedHashSet<>();
    private final RoutePools poolOfRoute = new RoutePools();

    /** Null until it is loaded. */
    private Directory directory;

    private long idleCheckedNs = System.nanoTime();

    /**
     * @param newBalancer makes a balancer for a number of endpoints
     * @param newEndpoint makes an endpoint that no pool has yet
     */
    public Services(
            IntFunction<LoadBalancer> newBalancer,
            PoolSettings settings,
            Function<Endpoint, ProviderEndpoint> newEndpoint,
            SlicedWork work,
            Subset subset,
            EndpointCounters counters) {
        this.newBalancer = newBalancer;
        this.settings = settings;
        this.newEndpoint = newEndpoint;
        this.work = work;
        this.counters = counters;
        this.subset = new ServiceSubset(subset, settings.subset(), settings.zone());
        zone = new LocalZone(settings.zone());
    }

    /** Takes a new directory. Endpoints that are neither listed any more nor lapsed are retired. */
    public void update(Directory changed) {
        Directory before = directory;
        lapsed.update(before, changed, this::isAlive);
        directory = changed;
        counters.update(changed);
        removeUnserved(before, changed);
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                if (!isCurrent(pool)) {
                    work.execute(() -> fillIfChanged(pool));
                }
            }
        }
        warmUp(before, changed);
    }

    private void removeUnserved(Directory before, Directory changed) {
        if (before == null || unserved.isEmpty()) {
            return;
        }
        for (String service : List.copyOf(pools.keySet())) {
            if (before.endpoints(service) != changed.endpoints(service)) {
                unserved.remove(service);
            }
        }
    }

    private boolean isAlive(Endpoint listed) {
        ProviderEndpoint endpoint = endpoints.get(listed.id());
        return endpoint != null && endpoint.isAlive();
    }

    private void warmUp(Directory before, Directory changed) {
        Set<String> names = settings.warm();
        if (names.contains(PoolSettings.ALL)) {
            names = changed.isOfAnyService() ? Set.of(ANY_SERVICE) : changed.services();
        }
        for (String service : names) {
            List<Endpoint> listed = changed.endpoints(service);
            if (listed != null && (before == null || before.endpoints(service) != listed)) {
                work.execute(() -> warmUp(service));
            }
        }
    }

    private void warmUp(String service) {
        Set<Variant> variants = new HashSet<>();
        for (Endpoint endpoint : usableEndpoints(service)) {
            variants.addAll(endpoint.variants().isEmpty() ? Set.of(Variant.NONE) : endpoint.variants());
        }
        for (Variant variant : variants) {
            RoutedCall anyCall =
                    new RoutedCall(service, variant.version(), variant.group(), "", Map.of(), settings.consumer());
            EndpointPool pool = find(anyCall);
            if (pool == null) {
                pool = add(newPool(anyCall));
            }
            prove(pool);
            pool.links().keepWarm();
            pool.open(System.nanoTime());
            warm.add(pool);
        }
    }

    /** Fills the pool unless the directory has the same list as the one before for its service. */
    private void fillIfChanged(EndpointPool pool) {
        if (!isCurrent(pool)) {
            fill(pool);
        }
    }

    private boolean isCurrent(EndpointPool pool) {
        return pool.isFilledFrom(usableEndpoints(pool.service()))
                && pool.routing().isBy(directory.rules(pool.service()));
    }

    private void fill(EndpointPool pool) {
        // It may have been forgotten since the task that does this was queued.
        if (pool.isDiscarded()) {
            return;
        }
        List<Endpoint> usable = usableEndpoints(pool.service());
        if (pool.routing().update(directory.rules(pool.service()))) {
            poolOfRoute.remove(pool);
        }
        List<Endpoint> serving = new ArrayList<>();
        for (Endpoint listed : usable) {
            if (listed.serves(pool.version(), pool.group())) {
                serving.add(listed);
            }
        }
        serving = pool.routing().route(serving);
        pool.fillFrom(usable, serving);
        int[] weights = settings.weights().of(usable, serving);
        if (!unserved.isEmpty()) {
            takeWeights(pool.service(), serving, weights);
        }
        ServiceSubset.Choice chosen = subset.choose(serving, weights, pool.size());
        List<ProviderEndpoint> members = new ArrayList<>();
        for (Endpoint listed : chosen.endpoints()) {
            ProviderEndpoint endpoint = endpoints.computeIfAbsent(listed.id(), absent -> newEndpoint.apply(listed));
            endpoint.join();
            members.add(endpoint);
        }
        PoolMember[] before = pool.members();
        pool.update(members, chosen, System.nanoTime());
        leave(before);
    }

    /**
     * Gives the endpoints their weights. Those that do not serve the service get no calls of it, but keep their
     * connections, for which that holds; unless none is left: clients are told then what the endpoints say.
     */
    private void takeWeights(String service, List<Endpoint> serving, int[] weights) {
        int[] left = weights.clone();
        for (int i = 0; i < left.length; i++) {
            EndpointId id = serving.get(i).id();
            if (unserved.contains(service, id, endpoints.get(id))) {
                left[i] = 0;
            }
        }
        if (Arrays.stream(left).anyMatch(weight -> weight > 0)) {
            System.arraycopy(left, 0, weights, 0, weights.length);
        }
    }

    /** Called when an endpoint has answered that it does not serve the service of a pool. */
    public void unserved(EndpointPool pool, ProviderEndpoint endpoint) {
        boolean replaced = endpoints.get(endpoint.id()) != endpoint;
        if (pool.isDiscarded() || replaced || !unserved.add(pool.service(), endpoint)) {
            return;
        }
        if (unservedLog.admits(System.nanoTime())) {
            LOG.info(
                    "endpoint {}: does not serve {}, for which it is or was listed{}",
                    endpoint,
                    pool.service(),
                    unservedLog.leftOut());
        }
        lapsed.remove(pool.service(), endpoint.toString());
        fillAll(pool.service());
    }

    private void leave(PoolMember[] before) {
        for (PoolMember member : before) {
            ProviderEndpoint endpoint = member.endpoint();
            if (endpoint.leave()) {
                unserved.endpointRetired(endpoint, System.nanoTime());
                endpoints.remove(endpoint.id(), endpoint);
                endpoint.retire();
            }
        }
    }

    /** Returns the listed endpoints and those that have lapsed. */
    private List<Endpoint> usableEndpoints(String service) {
        return lapsed.withListed(service, directory.endpoints(service));
    }

    /**
     * Called when an endpoint takes no new calls on its link, or the link is gone: if its entry has lapsed, nothing
     * speaks for it any more.
     */
    public void unavailable(ProviderEndpoint endpoint) {
        Set<String> services = unserved.isEmpty() ? Set.of() : unserved.remove(endpoint);
        services.forEach(this::fillAll);
        boolean replaced = endpoints.get(endpoint.id()) != endpoint;
        if (!replaced && !lapsed.isEmpty()) {
            lapsed.remove(endpoint.toString()).forEach(this::fillAll);
        }
    }

    private void fillAll(String service) {
        pools.getOrDefault(service, List.of()).forEach(this::fill);
    }

    /**
     * Checks the health of the endpoints of every pool; to be called at regular intervals.
     *
     * @param late if this check comes so late that the event loop may have kept calls waiting
     */
    public void check(long nowNs, boolean late) {
        counters.removeUnlisted();
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                pool.check(nowNs, late);
                if (pool.adjustSize(nowNs)) {
                    work.execute(() -> fill(pool));
                }
            }
        }
        long idleNs = settings.idleNs();
        if (nowNs - idleCheckedNs >= Math.min(IDLE_CHECK_NS, idleNs)) {
            idleCheckedNs = nowNs;
            unserved.expire(nowNs).forEach(this::fillAll);
            closeIdlePools(idleNs, nowNs);
            removeDuplicates();
        }
    }

    /** Forgets all but one of the pools that were for calls which the present rules treat alike. */
    private void removeDuplicates() {
        List<EndpointPool> duplicates = new ArrayList<>();
        for (List<EndpointPool> variants : pools.values()) {
            for (int i = 1; i < variants.size(); i++) {
                EndpointPool pool = variants.get(i);
                boolean another = variants.subList(0, i).stream().anyMatch(pool::isEquivalentTo);
                if (another && pool.isUnused() && !pool.links().isWarm()) {
                    duplicates.add(pool);
                }
            }
        }
        duplicates.forEach(this::discard);
    }

    private void closeIdlePools(long idleNs, long nowNs) {
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                if (pool.isCalledThoughClosed()) {
                    pool.open(nowNs);
                }
            }
        }
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                if (pool.isIdle(idleNs, nowNs)) {
                    pool.close(nowNs);
                    LOG.debug("{}: no call for {}, links closed", pool, Elapsed.text(idleNs));
                }
            }
        }
    }

    public List<EndpointState> endpointStates() {
        return endpoints.values().stream().map(ProviderEndpoint::state).toList();
    }

    public List<ServiceState> serviceStates() {
        long nowNs = System.nanoTime();
        return pools.values().stream()
                .flatMap(List::stream)
                .filter(pool -> !pool.service().equals(ANY_SERVICE))
                .map(pool -> pool.state(nowNs))
                .toList();
    }

    /** Returns the registry's directory; null until it is loaded. */
    public Directory directory() {
        return directory;
    }

    public boolean isLoaded() {
        return directory != null;
    }

    /** Returns whether the links that were to be opened without a call are open, or have had time enough. */
    public boolean isWarm() {
        long nowNs = System.nanoTime();
        return work.isDone() && warm.stream().allMatch(pool -> pool.isWarm(nowNs));
    }

    /**
     * Returns the endpoints for a call of this route.
     *
     * @param attachments a block of them
     * @throws CallException if there are none; says why
     */
    public EndpointPool poolOf(Route route, ByteBuf attachments) throws CallException {
        EndpointPool known = poolOfRoute.known(route.index());
        if (known != null
                && !known.isEmpty()
                && !(known.routing().asksForAttachments() && known.routing().dependsOnAny(attachments))) {
            return known;
        }
        if (directory == null) {
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "the list of endpoints is not loaded yet: " + SilentRegistries.waitsFor(settings.registries()));
        }
        String service = route.name().service();
        List<Endpoint> usable = usableEndpoints(service);
        if (usable.isEmpty()) {
            refuseIfUnknown("no endpoint of " + service + " is listed");
        }
        if (usable.isEmpty() && directory.endpoints(service) == null) {
            throw new CallException(
                    Outcome.SERVICE_NOT_FOUND,
                    "service " + service + " was never registered" + namesakes(service) + paths(route)
                            + ForeignProtocol.ofUnknown(directory));
        }
        if (usable.isEmpty()) {
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "no endpoint of " + service
                            + " is registered now: its last one has deregistered, or was cut off"
                            + " from the registry and from this agent" + ForeignProtocol.ofUnknown(directory));
        }
        RoutingRules rules = directory.rules(service);
        Map<String, String> telling = rules == null ? Map.of() : PoolRouting.select(attachments, rules.attachments());
        EndpointPool pool = findPool(route, telling);
        if (route.isKept()) {
            prove(pool);
            if (telling.isEmpty()) {
                poolOfRoute.keep(route.index(), pool);
            }
        }
        return pool;
    }

    /**
     * A service that is not listed may be one of an application that has registered, and whose exports are not known
     * yet.
     */
    private void refuseIfUnknown(String missing) throws CallException {
        UnknownExports unknown = directory.unknownExports();
        if (!unknown.isEmpty()) {
            throw new CallException(Outcome.NO_PROVIDER, missing + "; " + unknown.reason());
        }
    }

    /**
     * Returns the paths for a message: a client that asks for a path of one segment may not know what the segment
     * means.
     */
    private static String paths(Route route) {
        return route.name().method().equals(MethodName.DESCRIBE) ? " (there are " + CallPaths.ALL + ")" : "";
    }

    /** Returns the registered services with the same simple name, in another package or in other capitals. */
    private String namesakes(String service) {
        List<String> found = directory.namesakes(service);
        return found.isEmpty()
                ? ""
                : " (registered: " + String.join(", ", found.subList(0, Math.min(MAX_NAMESAKES, found.size()))) + ')';
    }

    /** Marks it as proven: a method was executed there, or an operator wants it, so it is no invention of a client. */
    public void prove(EndpointPool pool) {
        if (!pool.isProven() && pools.getOrDefault(pool.service(), List.of()).size() <= MAX_PROVEN) {
            pool.prove();
            unproven.remove(pool);
        }
    }

    private EndpointPool findPool(Route route, Map<String, String> attachments) throws CallException {
        String service = route.name().service();
        String version = route.name().version();
        String group = route.name().group();
        RoutedCall call =
                new RoutedCall(service, version, group, route.name().method(), attachments, settings.consumer());
        EndpointPool pool = find(call);
        boolean isNew = pool == null;
        if (isNew) {
            pool = newPool(call);
        } else if (pool.isEmpty()) {
            fillIfChanged(pool);
        }
        if (pool.routing().emptiedBy() != null) {
            if (isNew) {
                // Kept so that the next such call does not ask the rules about each endpoint again.
                add(pool);
            }
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "no endpoint of " + pool + " takes such calls; " + PoolReport.of(pool, System.nanoTime()));
        }
        if (pool.isEmpty()) {
            // A new one is not kept: a client may invent versions and groups.
            String notServed = "no provider serves " + service + " with version \"" + version + "\" and group \""
                    + group + "\" (served: " + servedVariants(service) + ')';
            refuseIfUnknown(notServed);
            throw new CallException(Outcome.METHOD_NOT_FOUND, notServed + ForeignProtocol.ofUnknown(directory));
        }
        return isNew ? add(pool) : pool;
    }

    /** Returns the pool for a call, by the present rules; null if there is none. */
    private EndpointPool find(RoutedCall call) {
        RoutingRules rules = directory.rules(call.service());
        String selection = rules == null ? null : rules.selection(call);
        List<EndpointPool> variant = pools.getOrDefault(call.service(), List.of()).stream()
                .filter(pool ->
                        pool.version().equals(call.version()) && pool.group().equals(call.group()))
                .toList();
        for (EndpointPool pool : variant) {
            if (!pool.routing().isBy(rules)) {
                fill(pool);
            }
            if (pool.routing().isFor(selection)) {
                return pool;
            }
        }
        return null;
    }

    private EndpointPool newPool(RoutedCall call) {
        EndpointPool pool = new EndpointPool(
                call.service(),
                call.version(),
                call.group(),
                newBalancer,
                settings.health(),
                subset.newSize(),
                new PoolRouting(call),
                zone);
        fill(pool);
        return pool;
    }

    private EndpointPool add(EndpointPool pool) {
        pools.computeIfAbsent(pool.service(), name -> new ArrayList<>()).add(pool);
        unproven.add(pool);
        if (unproven.size() > MAX_UNPROVEN) {
            unproven.stream()
                    .filter(other ->
                            other != pool && other.isUnused() && !other.links().isWarm())
                    .findFirst()
                    .ifPresent(this::discard);
        }
        return pool;
    }

    private void discard(EndpointPool pool) {
        unproven.remove(pool);
        pool.discard();
        poolOfRoute.remove(pool);
        List<EndpointPool> variants = pools.get(pool.service());
        if (variants.remove(pool) && variants.isEmpty()) {
            pools.remove(pool.service());
            counters.removeService(pool.service());
            // Clients may invent services, of each of which an endpoint says that it does not serve it.
            unserved.remove(pool.service());
        }
        PoolMember[] before = pool.members();
        pool.update(List.of(), ServiceSubset.Choice.NONE, System.nanoTime());
        leave(before);
    }

    private String servedVariants(String service) {
        return Variant.list(Variant.of(usableEndpoints(service)));
    }

    public void addDurationsTo(MetricSamples samples) {
        counters.addDurationsTo(samples);
    }

    public void addTo(MetricSamples samples) {
        counters.addTo(samples);
        zone.addTo(samples);
        endpoints.values().forEach(endpoint -> endpoint.addTo(samples));
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                for (PoolMember member : pool.members()) {
                    member.addTo(samples);
                }
            }
        }
    }

    public void close() {
        endpoints.values().forEach(ProviderEndpoint::retire);
    }
}
