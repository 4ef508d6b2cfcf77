package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.directory.ProviderTimeouts;
import io.dubbomesh.consumer.upstream.directory.ServiceSubset;
import io.dubbomesh.consumer.upstream.directory.SubsetSize;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.PoolView.Place;
import io.dubbomesh.consumer.upstream.pool.PoolView.Reach;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.subset.FleetShares;
import io.dubbomesh.registry.Endpoint;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The endpoints that serve one variant (version, group) of a service, and the balancer that chooses one of them. Owned
 * by one event loop, which shares the endpoints among its pools.
 *
 * <p>Ejected endpoints get no calls but probes, or what the others have no room for while {@link PoolRotation} panics.
 * <pre>
 *   UNPROVEN --a method was executed, or an operator wants it--> PROVEN
 *   UNPROVEN, PROVEN --makes room for others, without a call---> DISCARDED
 * </pre>
 */
public final class EndpointPool {
    private enum State {
        /** Only a client may know this variant: it makes room for others. */
        UNPROVEN,
        /** A method was executed here, or an operator wants it. */
        PROVEN,
        /** It has made room for other pools: nothing finds it any more, and it stays empty. */
        DISCARDED
    }

    private final String service;
    private final String version;
    private final String group;
    private final IntFunction<LoadBalancer> newBalancer;
    private final HealthSettings health;
    private final PoolLinks links = new PoolLinks();
    private final SubsetSize size;
    private final PoolRouting routing;
    private final PoolRotation rotation;
    private final PoolView view;
    /** Null where the agent has no zone. */
    private final ZonePreference zone;

    private State state = State.UNPROVEN;
    /** The list that its members were made of; null if there was none yet. */
    private List<Endpoint> listed;
    /** The timeouts that its endpoints have registered. */
    private ProviderTimeouts timeouts = ProviderTimeouts.NONE;
    /** The number of endpoints that its members are a subset of; 0 if they are all. */
    private int candidates;

    private LoadBalancer balancer;
    /** Evens out the loads of its members where they are a subset. */
    private FleetShares fleetShares = new FleetShares(0);

    private PoolMember[] members = {};
    /** Calls that wait for it or are in flight on one of its endpoints. */
    private int calls;

    private int inFlight;
    /** The calls in flight whose methods were unproven when they were sent. */
    private int unprovenInFlight;

    private long pickedNs = System.nanoTime();

    EndpointPool(
            String service,
            String version,
            String group,
            IntFunction<LoadBalancer> newBalancer,
            HealthSettings health,
            SubsetSize size,
            PoolRouting routing,
            LocalZone local) {
        this.service = service;
        this.version = version;
        this.group = group;
        this.newBalancer = newBalancer;
        this.health = health;
        this.size = size;
        this.routing = routing;
        zone = local.isSet() ? new ZonePreference(local) : null;
        rotation = new PoolRotation(toString(), health);
        view = new PoolView(rotation);
        balancer = newBalancer.apply(0);
    }

    public String service() {
        return service;
    }

    String version() {
        return version;
    }

    String group() {
        return group;
    }

    PoolRouting routing() {
        return routing;
    }

    PoolLinks links() {
        return links;
    }

    PoolRotation rotation() {
        return rotation;
    }

    SubsetSize size() {
        return size;
    }

    // --- what it is for ---

    /** Notes that a method was executed here, or an operator wants it: it is no invention of a client. */
    void prove() {
        assert state != State.DISCARDED : "no call is here";
        state = State.PROVEN;
    }

    boolean isProven() {
        return state == State.PROVEN;
    }

    void discard() {
        assert isUnused() : "calls are here";
        state = State.DISCARDED;
    }

    /** Returns whether it has made room for other pools: it gets no calls any more. */
    public boolean isDiscarded() {
        return state == State.DISCARDED;
    }

    /** Returns whether both are for calls that the rules treat alike. */
    boolean isEquivalentTo(EndpointPool other) {
        return version.equals(other.version) && group.equals(other.group) && routing.isLike(other.routing);
    }

    // --- its members ---

    /** Returns whether its members were made of this list. */
    boolean isFilledFrom(List<Endpoint> usable) {
        return listed == usable;
    }

    /** Returns the list that its members were made of; null if there was none yet. */
    public List<Endpoint> listed() {
        return listed;
    }

    /**
     * Notes the list that its members are made of now.
     *
     * @param serving of these, the endpoints that its calls may go to
     */
    void fillFrom(List<Endpoint> usable, List<Endpoint> serving) {
        listed = usable;
        timeouts = ProviderTimeouts.of(serving, version, group);
    }

    /** Returns the time-out that the providers have registered for a method, in milliseconds; 0 for none. */
    public long timeoutMs(String method) {
        return timeouts.timeoutMs(method);
    }

    /**
     * Takes other members; the balancer keeps what it knows about those that stay. Endpoints that join others start
     * slowly.
     *
     * @param endpoints of the choice, in its order
     */
    void update(List<ProviderEndpoint> endpoints, ServiceSubset.Choice chosen, long nowNs) {
        candidates = chosen.candidates();
        PoolMember[] changed = new PoolMember[endpoints.size()];
        int[] previousIndex = new int[changed.length];
        boolean[] stays = new boolean[members.length];
        boolean anyStays = false;
        int expected = 0;
        for (int i = 0; i < changed.length; i++) {
            ProviderEndpoint endpoint = endpoints.get(i);
            int previous = indexOf(endpoint, expected);
            expected = previous >= 0 ? previous + 1 : expected;
            previousIndex[i] = previous;
            if (previous >= 0) {
                stays[previous] = true;
                anyStays = true;
            }
            changed[i] = previous >= 0 ? members[previous] : newMember(endpoint, nowNs);
            changed[i].list(chosen.weights()[i], chosen.parts()[i], chosen.shares()[i]);
        }
        balancer = anyStays ? balancer.changed(previousIndex) : newBalancer.apply(changed.length);
        fleetShares = fleetShares.changed(previousIndex);
        PoolMember[] before = members;
        for (PoolMember member : before) {
            member.leaveBalancer();
        }
        for (int i = 0; i < changed.length; i++) {
            changed[i].joinBalancer(balancer, candidates > 0 ? fleetShares : null, i);
        }
        members = changed;
        view.members(changed);
        if (zone != null) {
            zone.update(changed, chosen);
        }
        links.changed(before, members);
        for (int i = 0; i < before.length; i++) {
            if (!stays[i]) {
                before[i].close();
            }
        }
        rotation.members(changed, nowNs);
    }

    /**
     * @param expected where it is if the endpoints before it are those that were there before: both lists are ordered
     *     by address
     */
    private int indexOf(ProviderEndpoint endpoint, int expected) {
        for (int i = 0; i < members.length; i++) {
            int index = (expected + i) % members.length;
            if (members[index].endpoint() == endpoint) {
                return index;
            }
        }
        return -1;
    }

    private PoolMember newMember(ProviderEndpoint endpoint, long nowNs) {
        long startNs = members.length > 0 ? nowNs : endpoint.connectedNs();
        return new PoolMember(service, rotation, endpoint, health, startNs, nowNs);
    }

    boolean isEmpty() {
        return members.length == 0;
    }

    /** Returns the members, only to be read; after a change it is another array. */
    public PoolMember[] members() {
        return members;
    }

    /** Returns the number of endpoints that its members are a subset of; 0 if they are all. */
    int candidates() {
        return candidates;
    }

    /** Returns whether another number of members is needed, since some take no calls or do so again. */
    boolean adjustSize(long nowNs) {
        if (candidates == 0 || !links.isOpen()) {
            return false;
        }
        int usable = 0;
        int usableInZone = 0;
        for (PoolMember member : members) {
            if (!member.isEjected() && (member.isUsable() || member.endpoint().isConnecting())) {
                usable++;
                usableInZone += member.isInZone() ? 1 : 0;
            }
        }
        return size.adjust(new SubsetSize.Members(members.length, usable, usableInZone), candidates, nowNs);
    }

    // --- its links ---

    /** Opens the links, since calls come. */
    public void open(long nowNs) {
        links.open(members, nowNs);
    }

    /** Closes the links that no other pool needs, until calls come again. */
    void close(long nowNs) {
        links.close(members, nowNs);
    }

    /** Returns whether no calls have come for so long, and none is here. */
    boolean isIdle(long idleNs, long nowNs) {
        return isUnused() && links.isIdle(pickedNs, idleNs, nowNs);
    }

    /** Returns whether calls have come since it was closed: another pool has kept some of its links open. */
    boolean isCalledThoughClosed() {
        return links.isCalledThoughClosed(pickedNs);
    }

    /** Returns whether calls wait for the first links. */
    public boolean isOpening(long nowNs) {
        return links.isOpening(members, nowNs);
    }

    /** Returns whether every link was tried, or one is ready and the others have had time enough. */
    boolean isWarm(long nowNs) {
        return links.areWarm(members, nowNs);
    }

    // --- its calls ---

    /** Counts a call that is for this pool, whether it waits or is sent. */
    public void callBegun() {
        calls++;
    }

    /** Counts one of them that was sent. */
    public void callSent() {
        inFlight++;
    }

    /** Counts a call of an unproven method, which is counted by {@link #callSent}, too. */
    public void unprovenSent() {
        unprovenInFlight++;
    }

    /** Takes back what {@link #unprovenSent} has counted. */
    public void unprovenEnded() {
        unprovenInFlight--;
    }

    /** @param wasSent whether it was counted by {@link #callSent} */
    public void callEnded(boolean wasSent) {
        calls--;
        inFlight -= wasSent ? 1 : 0;
    }

    /** Returns the calls in flight on any of its endpoints. */
    public int inFlight() {
        return inFlight;
    }

    /** Returns those of them whose methods were unproven when they were sent. */
    public int unprovenInFlight() {
        return unprovenInFlight;
    }

    /** Returns whether no call is here. */
    boolean isUnused() {
        return calls == 0;
    }

    /**
     * Returns the member for the next call, or null if none has room: first among those within this loop's share of
     * their limit, then, as long as they refuse nothing, beyond it, and last the ejected ones, if there are too many of
     * them. Those in the zone of this agent, and then the others, come before all of these where it has one.
     *
     * @param key    of the call, see {@link io.dubbomesh.loadbalance.LoadView#key}
     * @param except where the call must not go again; null for none
     */
    public PoolMember pick(long key, ProviderEndpoint except, long nowNs) {
        return pick(key, except, false, nowNs);
    }

    /** Returns the same for a call of an unproven method: one that {@link ProviderEndpoint#takesUnproven}. */
    public PoolMember pickForUnproven(long key, long nowNs) {
        return pick(key, null, true, nowNs);
    }

    private PoolMember pick(long key, ProviderEndpoint except, boolean bounded, long nowNs) {
        pickedNs = nowNs;
        view.bind(key, except, bounded, nowNs);
        rotation.picked();
        boolean first = except == null;
        if (first && links.isOpening() && isOpening(nowNs)) {
            return null;
        }
        // The second attempt of a call should succeed.
        if (first && rotation.hasEjected()) {
            PoolMember probed = rotation.dueForProbe(nowNs);
            if (probed != null) {
                return probed;
            }
        }
        int index = zone == null ? LoadBalancer.NONE : pickByZone(nowNs);
        if (index == LoadBalancer.NONE) {
            index = pick(Place.ANYWHERE, nowNs);
        }
        if (index == LoadBalancer.NONE && rotation.hasEjected() && rotation.isPanicking()) {
            index = pick(Place.ANYWHERE, Reach.EJECTED, nowNs);
        }
        if (index == LoadBalancer.NONE) {
            return null;
        }
        if (zone != null) {
            zone.picked(members[index]);
        }
        return members[index];
    }

    private int pickByZone(long nowNs) {
        if (!zone.isMixed()) {
            return LoadBalancer.NONE;
        }
        boolean stays = rotation.watch() != PoolRotation.Watch.STARTS
                || zone.keepsNext(largestPart(Place.IN_ZONE), largestPart(Place.OUT_OF_ZONE));
        int index = stays ? pick(Place.IN_ZONE, nowNs) : LoadBalancer.NONE;
        return index == LoadBalancer.NONE ? pick(Place.OUT_OF_ZONE, nowNs) : index;
    }

    /** Returns the largest part of those that {@link #pick(Place, long)} chooses from. */
    private int largestPart(Place place) {
        int part = view.narrow(place, Reach.WITHIN_SHARE).largestPart();
        return part == 0 ? view.narrow(place, Reach.BEYOND_SHARE).largestPart() : part;
    }

    private int pick(Place place, long nowNs) {
        int index = pick(place, Reach.WITHIN_SHARE, nowNs);
        return index == LoadBalancer.NONE ? pick(place, Reach.BEYOND_SHARE, nowNs) : index;
    }

    private int pick(Place place, Reach reach, long nowNs) {
        return balancer.pick(view.narrow(place, reach), nowNs);
    }

    /**
     * Returns whether a call can wait here: an endpoint with a weight is alive, with room or without, or may be so in a
     * moment.
     */
    public boolean isWorthWaiting() {
        return anyAlive() || PoolLinks.anyConnecting(members);
    }

    /** Returns whether an endpoint with a weight is alive, with room or without. */
    public boolean anyAlive() {
        return PoolLinks.anyAlive(members);
    }

    /** Evens out shares, and calls {@link PoolRotation#check}; to be called at regular intervals. */
    void check(long nowNs, boolean late) {
        if (candidates > 0 && fleetShares.settle(index -> members[index].ownLoad())) {
            for (PoolMember member : members) {
                member.evenShare();
            }
            rotation.sharesChanged();
        }
        rotation.check(nowNs, late);
    }

    ServiceState state(long nowNs) {
        long weights = Arrays.stream(members).mapToLong(PoolMember::weight).sum();
        List<ServiceState.MemberState> states = Arrays.stream(members)
                .map(member -> member.state(view, weights, nowNs))
                .toList();
        return new ServiceState(service, version, group, calls - inFlight, inFlight, states);
    }

    @Override
    public String toString() {
        return version.isEmpty() && group.isEmpty()
                ? service
                : service + " (version \"" + version + "\", group \"" + group + "\")";
    }
}
