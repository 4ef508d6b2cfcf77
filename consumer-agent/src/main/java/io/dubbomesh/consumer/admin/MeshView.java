package io.dubbomesh.consumer.admin;

import io.dubbomesh.consumer.upstream.call.UpstreamState;
import io.dubbomesh.consumer.upstream.directory.ForeignProtocol;
import io.dubbomesh.consumer.upstream.link.EndpointState;
import io.dubbomesh.consumer.upstream.pool.ServiceState;
import io.dubbomesh.consumer.upstream.pool.ServiceState.MemberState;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The mesh as an agent sees it: the registry's list, with what all event loops know of the endpoints on it added up.
 * The records are the documents of the admin interface. Made for one request, by one thread.
 */
final class MeshView {
    private static final String MESH = "mesh";
    private static final String DUBBO = "dubbo";

    private final Directory directory;
    private final List<UpstreamState> loops;
    private final StrategyReport strategies;
    private final Map<String, List<EndpointState>> states = new HashMap<>();
    /** The services for which the registry lists an address; null until they are asked for. */
    private Map<String, List<String>> servicesByAddress;

    /**
     * An endpoint.
     *
     * @param id           its address, as {@link Endpoint#address}
     * @param kind         {@value #MESH} for a provider agent; for a Dubbo provider without one {@value #DUBBO} or
     *                     {@code tri}, its protocol
     * @param weight       null for one that has lapsed, if no call has used it lately
     * @param limit        that its agent told; before it is connected, that of the registry
     * @param capacity     calls a second that its provider can execute; null if it does not tell that
     * @param zone         where it is; null if that is not known
     * @param listed       whether the registry lists it now; one that has lapsed is used as long as it is alive
     * @param idle         whether no event loop has a link to it or tries to have one, because no call needs it; never
     *                     for one that no agent can call
     * @param aliveLoops   of the agent's event loops those with a link that takes calls
     * @param alive        whether any has one
     * @param load         of its provider as it was reported last; null if it was not
     * @param strategy     what the strategy sees of it
     * @param services     for which it is listed; none where the registry serves any
     * @param ejectedFrom  services that send it probes only, on one event loop at least
     * @param ejectionReason why, of one of them; null if there is none
     * @param reason       why the last attempt to connect failed; null if it did not
     * @param notCallable  why no agent can call it for any service; null if agents can
     */
    record EndpointView(
            String id,
            String kind,
            Integer weight,
            int limit,
            Integer capacity,
            String zone,
            boolean listed,
            boolean alive,
            boolean idle,
            int aliveLoops,
            int callsInFlight,
            ReportedLoadView load,
            StrategyReport.EndpointView strategy,
            Collection<String> services,
            Collection<String> ejectedFrom,
            String ejectionReason,
            String reason,
            String notCallable) {}

    /**
     * The load of a provider, by the calls of all consumer agents.
     *
     * @param callMs what calls took lately at the provider agent, waiting included; 0 if none was answered
     * @param ageMs  how long ago it was reported
     */
    record ReportedLoadView(int callsInService, int callsWaiting, double callMs, long ageMs) {
        private static final double NS_PER_MS = 1e6;

        /** Returns null if none of the event loops knows it. */
        static ReportedLoadView latest(Collection<EndpointState> ofLoops) {
            return ofLoops.stream()
                    .map(EndpointState::load)
                    .filter(Objects::nonNull)
                    .max((one, other) -> Long.signum(one.reportedNs() - other.reportedNs()))
                    .map(load -> new ReportedLoadView(
                            load.inService(),
                            load.waiting(),
                            Math.round(load.timeNs() / 1e4) / 1e2,
                            Math.round((System.nanoTime() - load.reportedNs()) / NS_PER_MS)))
                    .orElse(null);
        }
    }

    /**
     * A service.
     *
     * @param endpoints that are listed for it
     * @param variants  those that were called through this agent
     * @param served    the versions and groups that the endpoints serve; none where the registry does not list them
     */
    record ServiceView(
            String service,
            Collection<String> endpoints,
            Collection<VariantView> variants,
            Collection<Variant> served) {}

    record VariantView(
            String version, String group, int callsInFlight, int callsWaiting, Collection<MemberView> endpoints) {}

    /**
     * @param effectiveWeight less than the weight in a slow start; the mean of the event loops
     * @param calls           that were sent to it, since it was listed
     */
    record MemberView(
            String id,
            int weight,
            double effectiveWeight,
            boolean alive,
            int ejectedLoops,
            int callsInFlight,
            long calls) {}

    /**
     * @param directory null if it is not loaded
     * @param strategy  the name of that which chooses endpoints
     * @param rates     calls per second to each endpoint lately, by its address
     */
    MeshView(Directory directory, List<UpstreamState> loops, String strategy, Map<String, Double> rates) {
        this.directory = directory == null ? Directory.of(Map.of()) : directory;
        this.loops = loops;
        List<ServiceState> pools =
                loops.stream().flatMap(loop -> loop.services().stream()).toList();
        strategies = new StrategyReport(strategy, pools, rates);
        for (UpstreamState loop : loops) {
            for (EndpointState state : loop.endpoints()) {
                states.computeIfAbsent(state.address(), address -> new ArrayList<>())
                        .add(state);
            }
        }
    }

    /**
     * Returns the listed endpoints and those that calls use, at most {@code most} of them, these first, in the order of
     * their addresses.
     */
    Collection<EndpointView> endpoints(int most) {
        TreeSet<String> ids = new TreeSet<>();
        states.forEach((id, ofLoops) -> {
            if (ids.size() < most && !ofLoops.stream().allMatch(EndpointState::idle)) {
                ids.add(id);
            }
        });
        addUpTo(most, ids, states.keySet());
        addUpTo(most, ids, new TreeSet<>(directory.byAddress().keySet()));
        return ids.stream().map(this::endpoint).toList();
    }

    private static void addUpTo(int most, Collection<String> ids, Collection<String> others) {
        for (String id : others) {
            if (ids.size() >= most) {
                return;
            }
            ids.add(id);
        }
    }

    int endpointCount() {
        Map<String, Endpoint> listed = directory.byAddress();
        return listed.size() + count(states.keySet().stream().filter(id -> !listed.containsKey(id)));
    }

    int endpointsWithoutAgent() {
        Map<String, Endpoint> listed = directory.byAddress();
        return count(listed.values().stream().filter(Endpoint::isDirect))
                + count(states.entrySet().stream()
                        .filter(entry -> !listed.containsKey(entry.getKey())
                                && entry.getValue().stream().anyMatch(EndpointState::direct)));
    }

    int endpointsAlive() {
        return count(states.values().stream().filter(ofLoops -> ofLoops.stream().anyMatch(EndpointState::alive)));
    }

    int endpointsIdle() {
        Map<String, Endpoint> foreign = directory.foreign();
        return endpointCount()
                - foreign.size()
                - count(states.entrySet().stream()
                        .filter(entry -> !foreign.containsKey(entry.getKey())
                                && !entry.getValue().stream().allMatch(EndpointState::idle)));
    }

    private static int count(Stream<?> some) {
        return (int) some.count();
    }

    /** Returns null if there is none. */
    EndpointView endpoint(String id) {
        Endpoint listed = directory.byAddress().get(id);
        List<EndpointState> ofLoops = states.getOrDefault(id, List.of());
        if (listed == null && ofLoops.isEmpty()) {
            return null;
        }
        int limit = 0;
        int aliveLoops = 0;
        int inFlight = 0;
        boolean idle = true;
        boolean direct = listed != null && listed.isDirect();
        String reason = null;
        String notCallable = notCallable(id);
        for (EndpointState each : ofLoops) {
            limit = Math.max(limit, each.limit());
            aliveLoops += each.alive() ? 1 : 0;
            inFlight += each.inFlight();
            idle &= each.idle();
            direct |= each.direct();
            reason = each.failure().isEmpty() ? reason : each.failure();
        }
        return new EndpointView(
                id,
                direct ? protocol(id) : MESH,
                listed == null ? weightOfMember(id) : Integer.valueOf(listed.weight()),
                limit > 0 || listed == null ? limit : listed.limit(),
                listed == null || listed.capacity() == 0 ? null : Integer.valueOf(listed.capacity()),
                listed == null || listed.zone().isEmpty() ? null : listed.zone(),
                listed != null,
                aliveLoops > 0,
                idle && notCallable == null,
                aliveLoops,
                inFlight,
                ReportedLoadView.latest(ofLoops),
                strategies.endpoint(id),
                servicesOf(id),
                ejectedFrom(id),
                ejectionReason(id),
                reason,
                notCallable);
    }

    private static String protocol(String id) {
        int scheme = id.indexOf("://");
        return scheme < 0 ? DUBBO : id.substring(0, scheme);
    }

    private String notCallable(String id) {
        Endpoint foreign = directory.foreign().get(id);
        return foreign == null ? null : ForeignProtocol.state(ForeignProtocol.protocol(foreign));
    }

    /** Returns the weight of an endpoint that has lapsed, as the pools still have it. */
    private Integer weightOfMember(String id) {
        for (UpstreamState loop : loops) {
            for (ServiceState service : loop.services()) {
                for (MemberState member : service.endpoints()) {
                    if (member.address().equals(id)) {
                        return member.weight();
                    }
                }
            }
        }
        return null;
    }

    /** Returns the services for which the registry lists it, in their order. */
    Collection<String> servicesOf(String id) {
        if (servicesByAddress == null) {
            servicesByAddress = new HashMap<>();
            for (String service : new TreeSet<>(directory.services())) {
                for (Endpoint endpoint : directory.endpoints(service)) {
                    servicesByAddress
                            .computeIfAbsent(endpoint.address(), address -> new ArrayList<>())
                            .add(service);
                }
            }
        }
        return servicesByAddress.getOrDefault(id, List.of());
    }

    private String ejectionReason(String id) {
        for (UpstreamState loop : loops) {
            for (ServiceState service : loop.services()) {
                for (MemberState member : service.endpoints()) {
                    if (member.ejectionReason() != null && member.address().equals(id)) {
                        return member.ejectionReason();
                    }
                }
            }
        }
        return null;
    }

    private Collection<String> ejectedFrom(String id) {
        TreeSet<String> services = new TreeSet<>();
        for (UpstreamState loop : loops) {
            for (ServiceState service : loop.services()) {
                for (MemberState member : service.endpoints()) {
                    if (member.ejected() && member.address().equals(id)) {
                        services.add(service.service());
                    }
                }
            }
        }
        return services;
    }

    /**
     * Returns the services that were ever registered and those that were called, at most {@code most} of them, these
     * first, in the order of their names.
     */
    Collection<ServiceView> services(int most) {
        TreeSet<String> names = new TreeSet<>();
        addUpTo(most, names, called());
        addUpTo(most, names, new TreeSet<>(directory.services()));
        return names.stream().map(this::service).toList();
    }

    private Collection<String> called() {
        TreeSet<String> names = new TreeSet<>();
        loops.forEach(loop -> loop.services().forEach(service -> names.add(service.service())));
        return names;
    }

    int serviceCount() {
        Collection<String> names = called();
        names.addAll(directory.services());
        return names.size();
    }

    private ServiceView service(String name) {
        List<Endpoint> listed = directory.endpoints(name);
        return new ServiceView(
                name,
                listed == null
                        ? List.of()
                        : listed.stream().map(Endpoint::address).toList(),
                variants(name),
                listed == null ? List.of() : Variant.of(listed));
    }

    private Collection<VariantView> variants(String name) {
        Map<List<String>, List<ServiceState>> variants = new TreeMap<>(MeshView::compare);
        for (UpstreamState loop : loops) {
            for (ServiceState service : loop.services()) {
                if (service.service().equals(name)) {
                    variants.computeIfAbsent(List.of(service.version(), service.group()), variant -> new ArrayList<>())
                            .add(service);
                }
            }
        }
        return variants.values().stream().map(MeshView::variant).toList();
    }

    private static int compare(List<String> variant, List<String> other) {
        int byVersion = variant.get(0).compareTo(other.get(0));
        return byVersion != 0 ? byVersion : variant.get(1).compareTo(other.get(1));
    }

    /** @param states of the same variant, one for each event loop that has called it */
    private static VariantView variant(List<ServiceState> states) {
        Map<String, List<MemberState>> members = new TreeMap<>();
        states.forEach(state -> state.endpoints()
                .forEach(member -> members.computeIfAbsent(member.address(), address -> new ArrayList<>())
                        .add(member)));
        return new VariantView(
                states.get(0).version(),
                states.get(0).group(),
                states.stream().mapToInt(ServiceState::inFlight).sum(),
                states.stream().mapToInt(ServiceState::waiting).sum(),
                members.values().stream().map(MeshView::member).toList());
    }

    /** @param states of the same endpoint, one for each event loop */
    private static MemberView member(List<MemberState> states) {
        return new MemberView(
                states.get(0).address(),
                states.get(0).weight(),
                states.stream()
                        .mapToDouble(MemberState::effectiveWeight)
                        .average()
                        .orElse(0),
                states.stream().anyMatch(MemberState::alive),
                (int) states.stream().filter(MemberState::ejected).count(),
                states.stream().mapToInt(MemberState::inFlight).sum(),
                states.stream().mapToLong(MemberState::calls).sum());
    }
}
