package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.call.CallPaths;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.Subset;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutingRules;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collections;
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
 * operator wants warm, the pool of the endpoints that serve it, with their links. What nobody calls costs nothing but
 * its place in the directory. Owned by the loop.
 */
final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);
    private static final int MAX_NAMESAKES = 3;
    /** Pools of which no method was executed yet: clients may invent services, versions and groups. */
    private static final int MAX_UNPROVEN = 64;
    /**
     * Of a service, beyond which they have to make room: where rules go by attachments, clients choose how many there
     * are.
     */
    private static final int MAX_PROVEN = 256;
    /** Where the registry serves any service, the one whose pool keeps all endpoints warm. */
    private static final String ANY_SERVICE = "*";

    private static final long IDLE_CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private final IntFunction<LoadBalancer> newBalancer;
    private final UpstreamSettings settings;
    private final Function<Endpoint, ProviderEndpoint> newEndpoint;
    private final SlicedWork work;
    private final ServiceSubset subset;
    private final EndpointCounters counters;
    private final Map<HostPort, ProviderEndpoint> endpoints = new HashMap<>();
    private final LapsedEndpoints lapsed = new LapsedEndpoints();
    private final Map<String, List<EndpointPool>> pools = new HashMap<>();
    private final Set<EndpointPool> unproven = new LinkedHashSet<>();
    private final Set<EndpointPool> warm = new LinkedHashSet<>();
    private final RoutePools poolOfRoute = new RoutePools();

    /** Null until it is loaded. */
    private Directory directory;

    private long idleCheckedNs = System.nanoTime();

    Services(
            IntFunction<LoadBalancer> newBalancer,
            UpstreamSettings settings,
            Function<Endpoint, ProviderEndpoint> newEndpoint,
            SlicedWork work,
            Subset subset,
            EndpointCounters counters) {
        this.newBalancer = newBalancer;
        this.settings = settings;
        this.newEndpoint = newEndpoint;
        this.work = work;
        this.counters = counters;
        this.subset = new ServiceSubset(subset, settings.links().subset());
    }

    /** Takes a new directory. Endpoints that are neither listed any more nor lapsed are retired. */
    void update(Directory changed) {
        Directory before = directory;
        lapsed.update(before, changed, this::isAlive);
        directory = changed;
        counters.update(changed);
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                if (!isCurrent(pool)) {
                    work.execute(() -> fillIfChanged(pool));
                }
            }
        }
        warmUp(before, changed);
    }

    private boolean isAlive(Endpoint listed) {
        ProviderEndpoint endpoint = endpoints.get(addressOf(listed));
        return endpoint != null && endpoint.isAlive();
    }

    private static HostPort addressOf(Endpoint listed) {
        return new HostPort(listed.host(), listed.port());
    }

    private void warmUp(Directory before, Directory changed) {
        Set<String> names = settings.links().warm();
        if (names.contains(LinkSettings.ALL)) {
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
            pool.links.warm = true;
            pool.open(System.nanoTime());
            warm.add(pool);
        }
    }

    /** A directory has the same list as the one before for each service that did not change. */
    private void fillIfChanged(EndpointPool pool) {
        if (!isCurrent(pool)) {
            fill(pool);
        }
    }

    private boolean isCurrent(EndpointPool pool) {
        return pool.filledFrom == usableEndpoints(pool.service) && pool.routing.isBy(directory.rules(pool.service));
    }

    private void fill(EndpointPool pool) {
        // It may have been forgotten since the task that does this was queued.
        if (pool.forgotten) {
            return;
        }
        List<Endpoint> usable = usableEndpoints(pool.service);
        pool.filledFrom = usable;
        if (pool.routing.update(directory.rules(pool.service))) {
            pool.asksForAttachments = pool.routing.asksForAttachments();
            poolOfRoute.forget(pool);
        }
        List<Endpoint> serving = new ArrayList<>();
        for (Endpoint listed : usable) {
            if (listed.serves(pool.version, pool.group) && listed.foreignProtocol(pool.version, pool.group) == null) {
                serving.add(listed);
            }
        }
        serving = pool.routing.route(serving);
        int[] weights = new int[serving.size()];
        int scale = isMixed(usable) ? Endpoint.DIRECT_WEIGHT : 1;
        for (int i = 0; i < weights.length; i++) {
            Endpoint listed = serving.get(i);
            weights[i] = listed.isDirect() ? listed.weight() : listed.weight() * scale;
        }
        ServiceSubset.Choice chosen = subset.choose(serving, weights, pool.size.wanted());
        pool.candidates = chosen.candidates();
        List<ProviderEndpoint> members = new ArrayList<>();
        for (Endpoint listed : chosen.endpoints()) {
            ProviderEndpoint endpoint =
                    endpoints.computeIfAbsent(addressOf(listed), absent -> newEndpoint.apply(listed));
            endpoint.join();
            members.add(endpoint);
        }
        PoolMember[] before = pool.members();
        pool.update(members, chosen.weights(), chosen.shares(), System.nanoTime());
        leave(before);
    }

    private void leave(PoolMember[] before) {
        for (PoolMember member : before) {
            ProviderEndpoint endpoint = member.endpoint;
            if (endpoint.leave()) {
                endpoints.remove(endpoint.address(), endpoint);
                endpoint.retire();
            }
        }
    }

    /** Whether both provider agents and Dubbo providers are among these, whose weights differ in what is usual. */
    private static boolean isMixed(List<Endpoint> usable) {
        boolean direct = usable.stream().anyMatch(Endpoint::isDirect);
        return direct && !usable.stream().allMatch(Endpoint::isDirect);
    }

    /** Those that are listed, and those that have lapsed. */
    private List<Endpoint> usableEndpoints(String service) {
        List<Endpoint> listed = directory.endpoints(service);
        List<Endpoint> unlisted = lapsed.of(service);
        if (unlisted.isEmpty()) {
            return listed == null ? List.of() : listed;
        }
        List<Endpoint> usable = new ArrayList<>(unlisted);
        if (listed != null) {
            usable.addAll(listed);
        }
        return usable;
    }

    /**
     * An endpoint takes no new calls on its link, or the link is gone: if its entry has lapsed, nothing speaks for it
     * any more.
     */
    void unavailable(ProviderEndpoint endpoint) {
        boolean replaced = endpoints.get(endpoint.address()) != endpoint;
        if (replaced || lapsed.isEmpty()) {
            return;
        }
        for (String service : lapsed.remove(endpoint.toString())) {
            pools.getOrDefault(service, List.of()).forEach(this::fill);
        }
    }

    /**
     * Checks the health of the endpoints of every pool; to be called at regular intervals.
     *
     * @param late if this check comes so late that the event loop may have kept calls waiting
     */
    void check(long nowNs, boolean late) {
        counters.forgetUnlisted();
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                pool.check(nowNs, late);
                if (pool.adjustSize(nowNs)) {
                    work.execute(() -> fill(pool));
                }
            }
        }
        long idleNs = settings.links().idleNs();
        if (nowNs - idleCheckedNs >= Math.min(IDLE_CHECK_NS, idleNs)) {
            idleCheckedNs = nowNs;
            closeIdlePools(idleNs, nowNs);
            forgetTwins();
        }
    }

    /** Pools that were for calls which the present rules treat alike: one of them stays. */
    private void forgetTwins() {
        List<EndpointPool> twins = new ArrayList<>();
        for (List<EndpointPool> variants : pools.values()) {
            for (int i = 1; i < variants.size(); i++) {
                EndpointPool pool = variants.get(i);
                boolean another = variants.subList(0, i).stream().anyMatch(pool::isTwin);
                if (another && pool.isUnused() && !pool.links.warm) {
                    twins.add(pool);
                }
            }
        }
        twins.forEach(this::forget);
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
                    LOG.debug("{}: no call for {}, links closed", pool, PoolReport.duration(idleNs));
                }
            }
        }
    }

    List<UpstreamState.EndpointState> endpointStates() {
        return endpoints.values().stream().map(ProviderEndpoint::state).toList();
    }

    List<UpstreamState.ServiceState> serviceStates() {
        return pools.values().stream()
                .flatMap(List::stream)
                .filter(pool -> !pool.service.equals(ANY_SERVICE))
                .map(EndpointPool::state)
                .toList();
    }

    boolean isLoaded() {
        return directory != null;
    }

    /** Whether the links that were to be opened without a call are open, or have had time enough. */
    boolean isWarm() {
        long nowNs = System.nanoTime();
        return work.isDone() && warm.stream().allMatch(pool -> pool.isWarm(nowNs));
    }

    /**
     * The endpoints for a call of this route.
     *
     * @param attachments a block of them
     * @throws CallException if there are none; says why
     */
    EndpointPool poolOf(Route route, ByteBuf attachments) throws CallException {
        EndpointPool known = poolOfRoute.known(route.index());
        if (known != null
                && !known.isEmpty()
                && !(known.asksForAttachments && known.routing.goesBySomeOf(attachments))) {
            return known;
        }
        if (directory == null) {
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "the list of endpoints is not loaded yet: the registry has not answered since the start");
        }
        String service = route.name().service();
        List<Endpoint> usable = usableEndpoints(service);
        if (usable.isEmpty() && directory.endpoints(service) == null) {
            throw new CallException(
                    Outcome.SERVICE_NOT_FOUND,
                    "service " + service + " was never registered" + namesakes(service) + paths(route));
        }
        if (usable.isEmpty()) {
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "no endpoint of " + service
                            + " is registered now: its last provider agent has deregistered, or was cut off"
                            + " from the registry and from this agent");
        }
        ForeignProtocol.refuseIfOnly(usable, route.name());
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

    /** Who asks for a path of one segment may not know what the segment means. */
    private static String paths(Route route) {
        return route.name().method().equals(MethodName.DESCRIBE) ? " (there are " + CallPaths.ALL + ")" : "";
    }

    /** Which registered services have the same simple name, in another package or in other capitals. */
    private String namesakes(String service) {
        String simpleName = service.substring(service.lastIndexOf('.') + 1);
        List<String> found = new ArrayList<>();
        for (String registered : directory.services()) {
            int start = registered.length() - simpleName.length();
            if (!simpleName.isEmpty()
                    && (start == 0 || start > 0 && registered.charAt(start - 1) == '.')
                    && registered.regionMatches(true, start, simpleName, 0, simpleName.length())) {
                found.add(registered);
            }
        }
        Collections.sort(found);
        return found.isEmpty()
                ? ""
                : " (registered: " + String.join(", ", found.subList(0, Math.min(MAX_NAMESAKES, found.size()))) + ')';
    }

    /** A method was executed there, or an operator wants it: it is no invention of a client. */
    void prove(EndpointPool pool) {
        if (!pool.proven && pools.getOrDefault(pool.service, List.of()).size() <= MAX_PROVEN) {
            pool.proven = true;
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
        if (pool.routing.emptiedBy() != null) {
            if (isNew) {
                // Kept so that the next such call does not ask the rules about each endpoint again.
                add(pool);
            }
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "no endpoint of " + pool + " takes such calls; " + PoolReport.of(pool, System.nanoTime()));
        }
        if (isNew && pool.isEmpty()) {
            // Not kept: a client may invent versions and groups.
            throw new CallException(
                    Outcome.METHOD_NOT_FOUND,
                    "no provider agent serves " + service + " with version \"" + version + "\" and group \"" + group
                            + "\" (served: " + servedVariants(service) + ')');
        }
        return isNew ? add(pool) : pool;
    }

    /** The pool for a call, by the present rules; null if there is none. */
    private EndpointPool find(RoutedCall call) {
        RoutingRules rules = directory.rules(call.service());
        String selection = rules == null ? null : rules.selection(call);
        List<EndpointPool> variant = pools.getOrDefault(call.service(), List.of()).stream()
                .filter(pool -> pool.version.equals(call.version()) && pool.group.equals(call.group()))
                .toList();
        for (EndpointPool pool : variant) {
            if (!pool.routing.isBy(rules)) {
                fill(pool);
            }
            if (pool.routing.isFor(selection)) {
                return pool;
            }
        }
        return null;
    }

    private EndpointPool newPool(RoutedCall call) {
        long nowNs = System.nanoTime();
        EndpointPool pool = new EndpointPool(
                call.service(),
                call.version(),
                call.group(),
                newBalancer,
                settings.health(),
                settings.queue().newDelay(nowNs),
                subset.newSize(),
                new PoolRouting(call));
        fill(pool);
        return pool;
    }

    private EndpointPool add(EndpointPool pool) {
        pools.computeIfAbsent(pool.service, name -> new ArrayList<>()).add(pool);
        unproven.add(pool);
        if (unproven.size() > MAX_UNPROVEN) {
            unproven.stream()
                    .filter(other -> other != pool && other.isUnused() && !other.links.warm)
                    .findFirst()
                    .ifPresent(this::forget);
        }
        return pool;
    }

    private void forget(EndpointPool pool) {
        unproven.remove(pool);
        pool.forgotten = true;
        poolOfRoute.forget(pool);
        List<EndpointPool> variants = pools.get(pool.service);
        if (variants.remove(pool) && variants.isEmpty()) {
            pools.remove(pool.service);
            counters.forgetService(pool.service);
        }
        PoolMember[] before = pool.members();
        pool.update(List.of(), new int[0], new int[0], System.nanoTime());
        leave(before);
    }

    private String servedVariants(String service) {
        Set<Variant> served = new HashSet<>();
        usableEndpoints(service).forEach(endpoint -> served.addAll(endpoint.variants()));
        return Variant.list(served);
    }

    void addTo(MetricSamples samples) {
        counters.addTo(samples);
        endpoints.values().forEach(endpoint -> endpoint.addTo(samples));
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                for (PoolMember member : pool.members()) {
                    member.addTo(samples);
                }
            }
        }
    }

    void close() {
        endpoints.values().forEach(ProviderEndpoint::retire);
    }
}
