package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.EndpointHealth;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.health.SlowStart;
import io.dubbomesh.consumer.upstream.link.Elapsed;
import io.dubbomesh.consumer.upstream.link.EndpointMetrics;
import io.dubbomesh.consumer.upstream.link.LatestLoad;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.EndpointEstimate;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.loadbalance.subset.FleetShares;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * An endpoint as the calls of one pool find it: its part of the calls, and its health as these calls show it. A slow
 * method of one service so never takes an endpoint away from another service. Owned by one event loop.
 */
public final class PoolMember {
    private static final Logger LOG = LoggerFactory.getLogger(PoolMember.class);

    private static final int LEFT = -1;
    private static final int FIRST_SERVER_ERROR = 500;

    private final String service;
    private final PoolRotation rotation;
    private final ProviderEndpoint endpoint;
    private final HealthSettings settings;
    private final EndpointHealth health;
    /** The balancer that hears what becomes of its calls, and its index there; {@link #LEFT} when it is no member. */
    private LoadBalancer balancer;
    /** Evens out the loads of a subset; null for a member of a pool of all endpoints. */
    private FleetShares fleetShares;

    private int index = LEFT;
    /** The weight that the registry lists. */
    private int listedWeight;
    /**
     * The part of the calls in relation to those of the other members: the listed weight, or what stands for it in a
     * subset.
     */
    private int share;
    /** The share that it gets where the loads of a subset are evened out. */
    private int evenedShare;
    /** The weight that makes its part of the calls of all agents. */
    private int fleetWeight;
    /** The part of its share that it gets, in hundredths. */
    private int part;
    /** The time at which its slow start began. */
    private long startNs;
    /** The number of the connection that {@link #startNs} belongs to. */
    private int connection;
    /** Whether it needs the link of the endpoint. */
    private boolean linked;
    /** Whether it is in the zone of this agent; false where the agent has none. */
    private boolean inZone;

    private long ejectedNs;
    /** The reason of the last ejection. */
    private String ejectionReason;

    private long sent;
    /** The number of the connection whose loss was counted last. */
    private int lostConnection;

    /** @param startNs when its slow start began */
    PoolMember(
            String service,
            PoolRotation rotation,
            ProviderEndpoint endpoint,
            HealthSettings settings,
            long startNs,
            long nowNs) {
        this.service = service;
        this.rotation = rotation;
        this.endpoint = endpoint;
        this.settings = settings;
        this.startNs = startNs;
        connection = endpoint.connection();
        health = new EndpointHealth(settings, nowNs);
    }

    public ProviderEndpoint endpoint() {
        return endpoint;
    }

    EndpointHealth health() {
        return health;
    }

    // --- links ---

    /** Has the link opened, since calls may come. Without a weight none do. */
    void open() {
        if (!linked && listedWeight > 0) {
            linked = true;
            endpoint.acquireLink();
        }
    }

    /** Releases the link: no calls come for a while, or it is no member any more. */
    void close() {
        if (linked) {
            linked = false;
            endpoint.releaseLink();
        }
    }

    // --- the balancer ---

    /** @param shares that hears of its load; null for none */
    void joinBalancer(LoadBalancer joined, FleetShares shares, int itsIndex) {
        balancer = joined;
        fleetShares = shares;
        index = itsIndex;
        evenedShare = share;
        if (fleetShares != null) {
            evenShare();
        }
    }

    /** Has what becomes of its calls in flight change nothing any more. */
    void leaveBalancer() {
        index = LEFT;
    }

    private void balancerAnswered(long durationNs, long nowNs) {
        if (index != LEFT) {
            balancer.answered(index, durationNs, nowNs);
            LatestLoad load = endpoint.load();
            if (fleetShares != null && load.isKnown()) {
                double reported = byFleetWeight(load.inService() + load.waiting());
                fleetShares.answered(index, reported, ownLoad(), durationNs);
            }
        }
    }

    /** Returns the calls of this event loop, over the weight that makes its part of the calls of all agents. */
    double ownLoad() {
        return byFleetWeight(endpoint.inFlight());
    }

    private double byFleetWeight(int calls) {
        return (double) calls / Math.max(1, fleetWeight);
    }

    private void balancerEndedWithoutResult(long durationNs, long nowNs) {
        if (index != LEFT) {
            balancer.endedWithoutResult(index, durationNs, nowNs);
            fleetShareWithoutResult();
        }
    }

    private void balancerFailed(long durationNs, long nowNs) {
        if (index != LEFT) {
            balancer.failed(index, durationNs, nowNs);
            fleetShareWithoutResult();
        }
    }

    private void fleetShareWithoutResult() {
        if (fleetShares != null) {
            fleetShares.endedWithoutResult(index);
        }
    }

    private void balancerForgetsFailures() {
        if (index != LEFT) {
            balancer.forgetFailures(index);
        }
    }

    // --- what becomes of calls ---

    /** Called when a call is in the batch of its link. */
    public void sent(long nowNs) {
        sent++;
        endpoint.sent();
        health.sent(nowNs);
    }

    /** Called when a call is not here any more, after what became of it. */
    public void ended() {
        endpoint.ended();
        health.ended();
        if (health.isProbeUndecided()) {
            health.postponeProbe(System.nanoTime());
        }
    }

    /** Called when a call was answered with this status, not with NOT_EXECUTED. */
    public void answered(int status, long sentNs, long nowNs) {
        if (status == Outcome.OK.number() || status == Outcome.SERVICE_EXCEPTION.number()) {
            endpoint.recordDuration(nowNs - sentNs);
            if (status == Outcome.OK.number()) {
                balancerAnswered(nowNs - sentNs, nowNs);
            } else {
                balancerEndedWithoutResult(nowNs - sentNs, nowNs);
            }
            if (health.answered(sentNs, nowNs)) {
                returned(nowNs);
            }
        } else if (status == Outcome.PROVIDER_ERROR.number()
                || status == Outcome.PROVIDER_REFUSED_TOKEN.number()
                || status == Outcome.TIMEOUT.number()) {
            endpoint.recordDuration(nowNs - sentNs);
            failed(sentNs, nowNs);
        } else if (isServerError(status)) {
            // Such as OVERLOADED and NO_PROVIDER, the provider agent's own: no reason to eject, but one to send less.
            balancerFailed(nowNs - sentNs, nowNs);
        } else {
            balancerEndedWithoutResult(nowNs - sentNs, nowNs);
        }
    }

    private static boolean isServerError(int status) {
        Outcome outcome = Outcome.ofNumber(status);
        return outcome == null || outcome.httpStatus() >= FIRST_SERVER_ERROR;
    }

    /**
     * Called when a call was lost with the link, or the answer says that it failed at the provider. A lost link counts
     * once for all its calls.
     */
    public void failed(long sentNs, long nowNs) {
        endpoint.failed();
        if (!endpoint.isAlive()) {
            if (lostConnection == endpoint.connection()) {
                return;
            }
            lostConnection = endpoint.connection();
        }
        balancerFailed(nowNs - sentNs, nowNs);
        if (health.failed(sentNs, nowNs)) {
            ejectForFailures(nowNs);
        }
    }

    /** Called when no answer came before a call's deadline. */
    public void timedOut(long sentNs, long nowNs) {
        endpoint.recordDuration(nowNs - sentNs);
        endpoint.failed();
        if (health.hadEnoughTime(sentNs, nowNs)) {
            balancerFailed(nowNs - sentNs, nowNs);
        } else {
            balancerEndedWithoutResult(nowNs - sentNs, nowNs);
        }
        if (health.timedOut(sentNs, nowNs)) {
            ejectForFailures(nowNs);
        }
    }

    private void ejectForFailures(long nowNs) {
        rotation.ejectForFailures(this, health.failures() + " calls in a row failed", nowNs);
    }

    /** Called when a call was given back, not executed. */
    public void refused(long sentNs, long nowNs) {
        endpoint.refused(nowNs);
        balancerFailed(nowNs - sentNs, nowNs);
        if (health.refused(sentNs, nowNs)) {
            rotation.ejectForFailures(this, health.refusals() + " calls in a row were refused", nowNs);
        }
    }

    private void returned(long nowNs) {
        startNs = nowNs;
        balancerForgetsFailures();
        if (endpoint.isNews("back in " + rotation.pool())) {
            LOG.info(
                    "endpoint {}: back in {} after {} ms{}",
                    endpoint,
                    rotation.pool(),
                    TimeUnit.NANOSECONDS.toMillis(nowNs - ejectedNs),
                    settings.slowStartNs() > 0 ? ", starts slowly" : "");
        }
        rotation.rotationChanged(nowNs);
    }

    // --- rotation ---

    void ejectAsSlow(long nowNs) {
        eject("its calls take much longer than those of the others, " + Elapsed.text(health.latencyNs()), true, nowNs);
    }

    void eject(String reason, boolean asSlow, long nowNs) {
        health.eject(asSlow, nowNs);
        ejectedNs = nowNs;
        endpoint.ejected(service);
        ejectionReason = reason;
        if (endpoint.isNews("ejected from " + rotation.pool())) {
            LOG.warn(
                    "endpoint {}: ejected from {}: {}; next probe in {} ms",
                    endpoint,
                    rotation.pool(),
                    reason,
                    TimeUnit.NANOSECONDS.toMillis(health.probeNs() - nowNs));
        }
    }

    boolean isEjected() {
        return !health.isInRotation();
    }

    boolean isProbeDue(long nowNs) {
        return health.isProbeDue(nowNs) && listedWeight > 0;
    }

    /** Returns whether it counts when the pool is judged as a whole. */
    boolean isUsable() {
        return listedWeight > 0 && endpoint.isAlive();
    }

    /**
     * Returns whether it has a new connection since the last time: it starts slowly again.
     */
    boolean noticeConnection() {
        if (connection == endpoint.connection()) {
            return false;
        }
        connection = endpoint.connection();
        startNs = endpoint.connectedNs();
        balancerForgetsFailures();
        return true;
    }

    long startNs() {
        return startNs;
    }

    void start(long nowNs) {
        startNs = nowNs;
    }

    // --- weights ---

    /**
     * Takes what the registry and the subset say.
     *
     * @param itsFleetWeight what makes its part of the calls of all agents
     * @param itsShare       of the calls of this loop
     */
    void list(int weight, int itsFleetWeight, int itsShare) {
        listedWeight = weight;
        fleetWeight = itsFleetWeight;
        share = itsShare;
        evenedShare = itsShare;
    }

    /** Takes the share that evens out the loads of its subset. */
    void evenShare() {
        evenedShare = Math.max(1, (int) (share * fleetShares.factor(index)));
    }

    void setInZone(boolean isInZone) {
        inZone = isInZone;
    }

    boolean isInZone() {
        return inZone;
    }

    int listedWeight() {
        return listedWeight;
    }

    int share() {
        return share;
    }

    /** Sets the part of its share that it gets, in hundredths. */
    void setPart(int hundredths) {
        part = hundredths;
    }

    int part() {
        return part;
    }

    /** Returns what the balancer sees: the share in hundredths, less while it starts slowly. */
    int weight() {
        return evenedShare * part;
    }

    // --- what it is ---

    /** Appends why it takes no calls, or how busy it is. */
    void describe(StringBuilder text, long nowNs) {
        if (listedWeight == 0) {
            text.append("weight 0");
            return;
        }
        if (isEjected()) {
            text.append("ejected ")
                    .append(Elapsed.text(nowNs - ejectedNs))
                    .append(" ago (")
                    .append(ejectionReason)
                    .append("), ");
        }
        endpoint.describe(text, nowNs);
    }

    void addTo(MetricSamples samples) {
        String address = endpoint.toString();
        samples.add(EndpointMetrics.WEIGHT, listedWeight, service, address);
        samples.add(EndpointMetrics.EJECTED, isEjected() ? 1 : 0, service, address);
        // The counters of the endpoint have how many; the series is there from the first call on.
        samples.add(EndpointMetrics.EJECTIONS, 0, service, address);
    }

    /** @param sumOfWeights of all members */
    ServiceState.MemberState state(LoadView view, long sumOfWeights, long nowNs) {
        return new ServiceState.MemberState(
                endpoint.toString(),
                listedWeight,
                (double) listedWeight * part / SlowStart.WHOLE,
                isEjected(),
                isEjected() ? ejectionReason : null,
                endpoint.isAlive(),
                health.inFlight(),
                sent,
                sumOfWeights == 0 ? 0 : (double) weight() / sumOfWeights,
                index == LEFT ? EndpointEstimate.NONE : balancer.estimate(view, index, nowNs));
    }
}
