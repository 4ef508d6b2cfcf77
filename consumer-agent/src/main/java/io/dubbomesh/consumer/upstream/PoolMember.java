package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.health.EndpointHealth;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.health.SlowStart;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * An endpoint as the calls of one pool find it: its part of the calls, and its health as these calls show it. A slow
 * method of one service so never takes an endpoint away from another service.
 */
final class PoolMember {
    private static final Logger LOG = LoggerFactory.getLogger(PoolMember.class);

    final ProviderEndpoint endpoint;
    final EndpointHealth health;

    /** What the registry lists. */
    int listedWeight;
    /**
     * Its part of the calls in relation to those of the other members: the listed weight, or what stands for it in a
     * subset.
     */
    int share;
    /** What the balancer sees: the share in hundredths, less while it starts slowly. */
    int weight;
    /** The part of its share that it gets, in hundredths. */
    int part;
    /** When its slow start began. */
    long startNs;
    /** The number of the connection that {@link #startNs} belongs to. */
    int connection;

    private final EndpointPool pool;
    private final HealthSettings settings;
    /** Whether it needs the link of the endpoint. */
    private boolean linked;

    private long ejectedNs;
    /** Why it was ejected the last time. */
    private String ejectionReason;

    private long sent;
    /** The number of the connection whose loss was counted last. */
    private int lostConnection;

    PoolMember(EndpointPool pool, ProviderEndpoint endpoint, HealthSettings settings, long nowNs) {
        this.pool = pool;
        this.endpoint = endpoint;
        this.settings = settings;
        health = new EndpointHealth(settings, nowNs);
    }

    /** Calls may come. Without a weight none do. */
    void open() {
        if (!linked && listedWeight > 0) {
            linked = true;
            endpoint.need();
        }
    }

    /** No calls come for a while, or it is no member any more. */
    void close() {
        if (linked) {
            linked = false;
            endpoint.needNoMore();
        }
    }

    /** A call is in the batch of its link. */
    void sent(long nowNs) {
        sent++;
        endpoint.sent();
        health.sent(nowNs);
    }

    /** A call has left it; what became of the call was told before. */
    void ended() {
        endpoint.ended();
        health.ended();
        if (health.isProbeUndecided()) {
            health.postponeProbe(System.nanoTime());
        }
    }

    /** A call was answered with this status, not with NOT_EXECUTED. */
    void answered(int status, long sentNs, long nowNs) {
        if (status == Outcome.OK.number() || status == Outcome.SERVICE_EXCEPTION.number()) {
            endpoint.took(nowNs - sentNs);
            if (health.answered(sentNs, nowNs)) {
                returned(nowNs);
            }
        } else if (status == Outcome.PROVIDER_ERROR.number()
                || status == Outcome.PROVIDER_REFUSED_TOKEN.number()
                || status == Outcome.TIMEOUT.number()) {
            endpoint.took(nowNs - sentNs);
            failed(sentNs, nowNs);
        }
        // Other answers are the provider agent's own: they tell nothing of the provider.
    }

    /**
     * A call was lost with the link, or the answer says that it failed at the provider. A lost link counts once for all
     * its calls.
     */
    void failed(long sentNs, long nowNs) {
        endpoint.failed();
        if (!endpoint.isAlive()) {
            if (lostConnection == endpoint.connection()) {
                return;
            }
            lostConnection = endpoint.connection();
        }
        if (health.failed(sentNs, nowNs)) {
            ejectForFailures(nowNs);
        }
    }

    /** No answer came before a call's deadline. */
    void timedOut(long sentNs, long nowNs) {
        endpoint.took(nowNs - sentNs);
        endpoint.failed();
        if (health.timedOut(sentNs, nowNs)) {
            ejectForFailures(nowNs);
        }
    }

    private void ejectForFailures(long nowNs) {
        if (pool.mayEject(this)) {
            eject(health.failures() + " calls in a row failed", false, nowNs);
        }
    }

    /** A call was given back, not executed. */
    void refused(long sentNs, long nowNs) {
        endpoint.refused(nowNs);
        if (health.refused(sentNs, nowNs) && pool.mayEject(this)) {
            eject(health.refusals() + " calls in a row were refused", false, nowNs);
        }
    }

    /** Part of a check: ejects it if its calls wait in vain, or take much longer than those of the others. */
    void check(long nowNs, boolean late) {
        if (health.isStalled(nowNs, late) && pool.mayEject(this)) {
            eject("none of " + health.inFlight() + " calls is answered", false, nowNs);
        } else if (health.isSlow() && pool.mayEjectAsSlow(this)) {
            eject(
                    "its calls take much longer than those of the others, " + PoolReport.duration(health.latencyNs()),
                    true,
                    nowNs);
        }
        health.ageLatency();
    }

    private void eject(String reason, boolean asSlow, long nowNs) {
        health.eject(asSlow, nowNs);
        ejectedNs = nowNs;
        endpoint.counts().ejected(pool.service);
        ejectionReason = reason;
        if (endpoint.isNews("ejected from " + pool)) {
            LOG.warn(
                    "endpoint {}: ejected from {}: {}; next probe in {} ms",
                    endpoint,
                    pool,
                    reason,
                    TimeUnit.NANOSECONDS.toMillis(health.probeNs() - nowNs));
        }
        pool.rotationChanged(nowNs);
    }

    private void returned(long nowNs) {
        startNs = nowNs;
        if (endpoint.isNews("back in " + pool)) {
            LOG.info(
                    "endpoint {}: back in {} after {} ms{}",
                    endpoint,
                    pool,
                    TimeUnit.NANOSECONDS.toMillis(nowNs - ejectedNs),
                    settings.slowStartNs() > 0 ? ", starts slowly" : "");
        }
        pool.rotationChanged(nowNs);
    }

    /** Says why it takes no calls, or how busy it is. */
    void describe(StringBuilder text, long nowNs) {
        if (listedWeight == 0) {
            text.append("weight 0");
            return;
        }
        if (isEjected()) {
            text.append("ejected ")
                    .append(PoolReport.duration(nowNs - ejectedNs))
                    .append(" ago (")
                    .append(ejectionReason)
                    .append("), ");
        }
        endpoint.describe(text, nowNs);
    }

    /** Whether it has a new connection since the last time: it starts slowly again. */
    boolean noticeConnection() {
        if (connection == endpoint.connection()) {
            return false;
        }
        connection = endpoint.connection();
        startNs = endpoint.connectedNs();
        return true;
    }

    void addTo(MetricSamples samples) {
        String address = endpoint.toString();
        samples.add(EndpointMetrics.WEIGHT, listedWeight, pool.service, address);
        samples.add(EndpointMetrics.EJECTED, isEjected() ? 1 : 0, pool.service, address);
        // The counters of the endpoint have how many; the series is there from the first call on.
        samples.add(EndpointMetrics.EJECTIONS, 0, pool.service, address);
    }

    UpstreamState.MemberState state() {
        return new UpstreamState.MemberState(
                endpoint.toString(),
                listedWeight,
                (double) listedWeight * part / SlowStart.WHOLE,
                isEjected(),
                isEjected() ? ejectionReason : null,
                endpoint.isAlive(),
                health.inFlight(),
                sent);
    }

    boolean isEjected() {
        return !health.isInRotation();
    }

    /** Whether it counts when the pool is judged as a whole. */
    boolean isUsable() {
        return listedWeight > 0 && endpoint.isAlive();
    }
}
