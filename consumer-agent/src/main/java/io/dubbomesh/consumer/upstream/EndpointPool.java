package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.health.SlowStart;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.transport.call.StandingDelay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * The endpoints that serve one variant (version, group) of a service, and the calls that wait until one of them has
 * room. Owned by one event loop, which shares the endpoints among its pools.
 *
 * <p>Ejected endpoints get no calls but probes. When more than a part of the weight is ejected (Envoy's panic
 * threshold), they also get the calls for which the others have no room: then the evidence may be wrong, and the others
 * cannot carry everything.
 */
final class EndpointPool implements LoadView {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointPool.class);
    /**
     * Endpoints that start within so long of each other have the same part of their weights, so that the shares are
     * exact.
     */
    private static final long TOGETHER_NS = TimeUnit.SECONDS.toNanos(1);

    final String service;
    final String version;
    final String group;
    final ArrayDeque<UpstreamCall> waiting = new ArrayDeque<>();
    final StandingDelay delay;
    /** Calls of this pool, on whichever of its endpoints. */
    int inFlight;

    /** Whether a method was executed here, or an operator wants it: only a client may know other pools. */
    boolean proven;
    /** Whether it has made room for other pools: nothing finds it any more, and it stays empty. */
    boolean forgotten;

    final PoolLinks links = new PoolLinks();
    /** The list that its members were made of; null if there was none yet. */
    List<Endpoint> filledFrom;
    /** Those that its endpoints have registered. */
    ProviderTimeouts timeouts = ProviderTimeouts.NONE;
    /** Of how many endpoints its members are a subset; 0 if they are all. */
    int candidates;

    final SubsetSize size;
    final PoolRouting routing;
    /** Whether a call with attachments may belong to another pool, by the rules. */
    boolean asksForAttachments;

    private final IntFunction<LoadBalancer> newBalancer;
    private final HealthSettings health;
    private final SlowStart slowStart;
    private LoadBalancer balancer;
    private PoolMember[] members = {};
    /** Scratch for the median. */
    private double[] latencyLogs = {};

    private ProviderEndpoint excluded;
    private boolean borrowing;
    private boolean takingEjected;
    /** The time of the last pick. */
    private long nowNs = System.nanoTime();

    private int ejected;
    private boolean starting;
    private boolean panicking;
    /** Whether the next check can find anything. */
    private boolean busy;

    EndpointPool(
            String service,
            String version,
            String group,
            IntFunction<LoadBalancer> newBalancer,
            HealthSettings health,
            StandingDelay delay,
            SubsetSize size,
            PoolRouting routing) {
        this.service = service;
        this.version = version;
        this.group = group;
        this.newBalancer = newBalancer;
        this.health = health;
        this.delay = delay;
        this.size = size;
        this.routing = routing;
        slowStart = new SlowStart(health.slowStartNs());
        balancer = newBalancer.apply(0);
    }

    /**
     * Takes a new list; the balancer keeps what it knows about those that stay. Endpoints that join others start
     * slowly.
     *
     * @param weights as they are listed
     * @param shares  what the calls are spread by
     */
    void update(List<ProviderEndpoint> endpoints, int[] weights, int[] shares, long updatedNs) {
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
            changed[i] = previous >= 0 ? members[previous] : newMember(endpoint, members.length > 0, updatedNs);
            changed[i].listedWeight = weights[i];
            changed[i].share = shares[i];
        }
        balancer = anyStays ? balancer.changed(previousIndex) : newBalancer.apply(changed.length);
        leaveTurns();
        PoolMember[] before = members;
        members = changed;
        links.changed(before, members);
        for (int i = 0; i < before.length; i++) {
            if (!stays[i]) {
                before[i].close();
            }
        }
        latencyLogs = new double[changed.length];
        if (!waiting.isEmpty()) {
            awaitTurns();
        }
        alignStarts(updatedNs);
        rotationChanged(updatedNs);
    }

    /** Calls come: opens the links. */
    void open(long openedNs) {
        links.open(members, openedNs);
    }

    /** Closes the links that no other pool needs, until calls come again. */
    void close(long closedNs) {
        links.close(members, closedNs);
    }

    /** No calls have come for so long, and none is in flight. */
    boolean isIdle(long idleNs, long checkedNs) {
        return isUnused() && links.isIdle(nowNs, idleNs, checkedNs);
    }

    /** Whether both are for calls that the rules treat alike. */
    boolean isTwin(EndpointPool other) {
        return version.equals(other.version) && group.equals(other.group) && routing.isLike(other.routing);
    }

    /** Whether no call is here. */
    boolean isUnused() {
        return inFlight == 0 && waiting.isEmpty();
    }

    /** Whether calls have come since it was closed: another pool has kept some of its links open. */
    boolean isCalledThoughClosed() {
        return links.isCalledThoughClosed(nowNs);
    }

    /** Whether calls wait for the first links. */
    boolean isOpening(long checkedNs) {
        return links.isOpening(members, checkedNs);
    }

    /** Whether every link was tried, or one is ready and the others have had time enough. */
    boolean isWarm(long checkedNs) {
        return links.areWarm(members, checkedNs);
    }

    /** Whether another number of members is needed, since some take no calls or do so again. */
    boolean adjustSize(long checkedNs) {
        if (candidates == 0 || !links.isOpen()) {
            return false;
        }
        int usable = 0;
        for (PoolMember member : members) {
            usable += !member.isEjected() && (member.isUsable() || member.endpoint.isConnecting()) ? 1 : 0;
        }
        return size.adjust(members.length, usable, candidates, checkedNs);
    }

    /** Waits for room at its endpoints. */
    void awaitTurns() {
        for (PoolMember member : members) {
            member.endpoint.waitingPools().add(this);
        }
    }

    /** Does not wait any more. */
    void leaveTurns() {
        for (PoolMember member : members) {
            member.endpoint.waitingPools().remove(this);
        }
    }

    /**
     * @param expected where it is if the endpoints before it are those that were there before: both lists are ordered
     *     by address
     */
    private int indexOf(ProviderEndpoint endpoint, int expected) {
        for (int i = 0; i < members.length; i++) {
            int index = (expected + i) % members.length;
            if (members[index].endpoint == endpoint) {
                return index;
            }
        }
        return -1;
    }

    private PoolMember newMember(ProviderEndpoint endpoint, boolean joins, long joinedNs) {
        PoolMember member = new PoolMember(this, endpoint, health, joinedNs);
        member.connection = endpoint.connection();
        member.startNs = joins ? joinedNs : endpoint.connectedNs();
        return member;
    }

    /**
     * The member for the next call, or null if none has room: first among those within this loop's share of their
     * limit, then, as long as they refuse nothing, beyond it, and last the ejected ones, if there are too many of them.
     *
     * @param except where the call must not go again; null for none
     */
    PoolMember pick(ProviderEndpoint except, long pickedNs) {
        nowNs = pickedNs;
        busy = true;
        excluded = except;
        takingEjected = false;
        borrowing = true;
        if (links.isOpening() && except == null && isOpening(pickedNs)) {
            return null;
        }
        // The second attempt of a call should succeed.
        if (ejected > 0 && except == null) {
            PoolMember probed = dueForProbe();
            if (probed != null) {
                return probed;
            }
        }
        borrowing = false;
        int index = balancer.pick(this);
        if (index == LoadBalancer.NONE) {
            borrowing = true;
            index = balancer.pick(this);
        }
        if (index == LoadBalancer.NONE && ejected > 0 && isPanicking()) {
            takingEjected = true;
            index = balancer.pick(this);
        }
        return index == LoadBalancer.NONE ? null : members[index];
    }

    private PoolMember dueForProbe() {
        for (PoolMember member : members) {
            if (member.health.isProbeDue(nowNs)
                    && member.listedWeight > 0
                    && member.endpoint.hasRoom(borrowing, nowNs)) {
                return member;
            }
        }
        return null;
    }

    /**
     * Whether a call can wait here: an endpoint with a weight is alive, with room or without, or may be so in a moment.
     */
    boolean isWorthWaiting() {
        return anyAlive() || PoolLinks.anyConnecting(members);
    }

    /** Whether an endpoint with a weight is alive, with room or without. */
    boolean anyAlive() {
        return PoolLinks.anyAlive(members);
    }

    boolean isEmpty() {
        return members.length == 0;
    }

    /** Only to be read. */
    PoolMember[] members() {
        return members;
    }

    /** Whether it is still a member, and there is another endpoint for its calls. */
    boolean mayEject(PoolMember candidate) {
        if (!health.ejection()) {
            return false;
        }
        boolean isMember = false;
        boolean isOnlyOne = true;
        for (PoolMember member : members) {
            if (member == candidate) {
                isMember = true;
            } else if (member.isUsable()) {
                isOnlyOne = false;
            }
        }
        return isMember && !isOnlyOne;
    }

    /** Slow endpoints are better than none: most of the weight is never ejected for that. */
    boolean mayEjectAsSlow(PoolMember candidate) {
        return mayEject(candidate) && !isTooMuch(ejectedWeight() + candidate.share);
    }

    private boolean isPanicking() {
        return isTooMuch(ejectedWeight()) || !isAnyInRotation();
    }

    private boolean isAnyInRotation() {
        for (PoolMember member : members) {
            if (member.isUsable() && !member.isEjected()) {
                return true;
            }
        }
        return false;
    }

    private boolean isTooMuch(long ejectedWeight) {
        long sum = 0;
        for (PoolMember member : members) {
            if (member.isUsable()) {
                sum += member.share;
            }
        }
        return ejectedWeight * 100 > sum * health.panicPercent();
    }

    private long ejectedWeight() {
        long sum = 0;
        for (PoolMember member : members) {
            if (member.isUsable() && member.isEjected()) {
                sum += member.share;
            }
        }
        return sum;
    }

    /**
     * To be called at regular intervals: finds endpoints whose calls wait in vain or take too long, and raises weights
     * in slow start, whether calls come or not.
     */
    void check(long checkedNs, boolean late) {
        if (!busy && !starting) {
            return;
        }
        boolean anyInFlight = false;
        boolean anyStarts = starting;
        int known = 0;
        for (PoolMember member : members) {
            anyInFlight |= member.health.inFlight() > 0;
            anyStarts |= member.noticeConnection();
            if (member.health.hasLatency()) {
                latencyLogs[known++] = member.health.latencyLog();
            }
        }
        if (known > 0) {
            Arrays.sort(latencyLogs, 0, known);
            double median = latencyLogs[(known - 1) / 2];
            for (PoolMember member : members) {
                member.health.compareWith(median);
            }
        }
        for (PoolMember member : members) {
            member.check(checkedNs, late);
        }
        if (anyStarts) {
            alignStarts(checkedNs);
            setWeights(checkedNs);
        }
        reportPanic();
        busy = anyInFlight || ejected > 0 || starting;
    }

    /** A member was ejected or has come back. */
    void rotationChanged(long changedNs) {
        ejected = 0;
        for (PoolMember member : members) {
            if (member.isEjected()) {
                ejected++;
            }
        }
        setWeights(changedNs);
    }

    private void alignStarts(long alignedNs) {
        long longestNs = -1;
        for (PoolMember member : members) {
            long elapsedNs = alignedNs - member.startNs;
            if (member.isUsable() && !member.isEjected() && elapsedNs < health.slowStartNs()) {
                longestNs = Math.max(longestNs, elapsedNs);
            }
        }
        for (PoolMember member : members) {
            if (longestNs - (alignedNs - member.startNs) < TOGETHER_NS && alignedNs - member.startNs < longestNs) {
                member.startNs = alignedNs - longestNs;
            }
        }
    }

    private void setWeights(long setNs) {
        starting = false;
        for (PoolMember member : members) {
            member.part = slowStart.part(member.startNs, setNs);
            member.weight = member.share * member.part;
            starting |= member.part < SlowStart.WHOLE;
        }
    }

    private void reportPanic() {
        boolean panics = ejected > 0 && isPanicking();
        if (panics != panicking) {
            panicking = panics;
            if (members.length > 0
                    && !members[0].endpoint.isNews(panics ? "panic of " + this : "no panic of " + this)) {
                return;
            }
            if (panics) {
                LOG.warn(
                        "{}: {} of {} endpoints are ejected; they are used where the others have no room",
                        this,
                        ejected,
                        members.length);
            } else {
                LOG.info("{}: {} of {} endpoints are ejected; they get probes only", this, ejected, members.length);
            }
        }
    }

    UpstreamState.ServiceState state() {
        List<UpstreamState.MemberState> states =
                Arrays.stream(members).map(PoolMember::state).toList();
        return new UpstreamState.ServiceState(service, version, group, waiting.size(), inFlight, states);
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public int weight(int index) {
        return members[index].weight;
    }

    @Override
    public boolean hasRoom(int index) {
        PoolMember member = members[index];
        return member.isEjected() == takingEjected
                && member.endpoint != excluded
                && member.endpoint.hasRoom(borrowing, nowNs);
    }

    @Override
    public String toString() {
        return version.isEmpty() && group.isEmpty()
                ? service
                : service + " (version \"" + version + "\", group \"" + group + "\")";
    }
}
