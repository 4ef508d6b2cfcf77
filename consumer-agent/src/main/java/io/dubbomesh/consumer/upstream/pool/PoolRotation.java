package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.health.SlowStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The rotation of a pool: which members get calls, and how many. Decides on ejections, looks for members whose calls
 * wait in vain or take too long, and raises the weights of those that start slowly. Owned by one event loop.
 *
 * <p>When more than a part of the weight is ejected (Envoy's panic threshold), the evidence may be wrong, and the
 * others cannot carry everything: then {@link #isPanicking}.
 *
 * <p>A check looks at the members unless there is NOTHING to watch:
 * <pre>
 *   NOTHING --a call is about to be sent----> CALLS
 *   each    --a member starts slowly--------> STARTS
 *   STARTS  --all have their whole weight---> CALLS
 *   CALLS   --a check finds no call in flight
 *             and no member ejected---------> NOTHING
 * </pre>
 */
final class PoolRotation {
    private static final Logger LOG = LoggerFactory.getLogger(PoolRotation.class);
    /**
     * Endpoints that start within so long of each other have the same part of their weights, so that the shares are
     * exact.
     */
    private static final long TOGETHER_NS = TimeUnit.SECONDS.toNanos(1);

    /** What the next check has to look at. */
    enum Watch {
        NOTHING,
        /** Calls in flight, and members that are ejected. */
        CALLS,
        /** The weights of those that start slowly, too. */
        STARTS
    }

    private final String pool;
    private final HealthSettings settings;
    private final SlowStart slowStart;
    private PoolMember[] members = {};
    /** Scratch for the median. */
    private double[] latencyLogs = {};

    private Watch watch = Watch.NOTHING;
    private int weightsVersion;
    private int ejected;
    /** Whether the log says so. */
    private boolean panicking;

    /** @param pool as it is named in log lines */
    PoolRotation(String pool, HealthSettings settings) {
        this.pool = pool;
        this.settings = settings;
        slowStart = new SlowStart(settings.slowStartNs());
    }

    Watch watch() {
        return watch;
    }

    /** Returns a number that is another one whenever the weights were set. */
    int weightsVersion() {
        return weightsVersion;
    }

    /** Called when the shares of members have changed. */
    void sharesChanged() {
        weightsVersion++;
    }

    String pool() {
        return pool;
    }

    void members(PoolMember[] changed, long nowNs) {
        members = changed;
        latencyLogs = new double[changed.length];
        alignStarts(nowNs);
        rotationChanged(nowNs);
    }

    /** Called when a call is about to be sent: the next check may find something. */
    void picked() {
        if (watch == Watch.NOTHING) {
            watch = Watch.CALLS;
        }
    }

    boolean hasEjected() {
        return ejected > 0;
    }

    /** Returns an ejected member that is to get a call as a probe; null for none. */
    PoolMember dueForProbe(long nowNs) {
        for (PoolMember member : members) {
            if (member.isProbeDue(nowNs) && member.endpoint().hasRoom(true, nowNs)) {
                return member;
            }
        }
        return null;
    }

    /** Ejects a member, unless there is no other endpoint for its calls. */
    void ejectForFailures(PoolMember candidate, String reason, long nowNs) {
        if (mayEject(candidate)) {
            candidate.eject(reason, false, nowNs);
            rotationChanged(nowNs);
        }
    }

    boolean mayEject(PoolMember candidate) {
        if (!settings.ejection()) {
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
        return mayEject(candidate) && !isTooMuch(ejectedWeight() + candidate.share());
    }

    boolean isPanicking() {
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
                sum += member.share();
            }
        }
        return ejectedWeight * 100 > sum * settings.panicPercent();
    }

    private long ejectedWeight() {
        long sum = 0;
        for (PoolMember member : members) {
            if (member.isUsable() && member.isEjected()) {
                sum += member.share();
            }
        }
        return sum;
    }

    /**
     * Ejects endpoints whose calls wait in vain or take too long, and raises weights in slow start, whether calls come
     * or not; to be called at regular intervals.
     *
     * @param late if this check comes so late that the event loop may have kept calls waiting
     */
    void check(long nowNs, boolean late) {
        if (watch == Watch.NOTHING) {
            return;
        }
        boolean anyInFlight = false;
        boolean anyStarts = watch == Watch.STARTS;
        int known = 0;
        for (PoolMember member : members) {
            anyInFlight |= member.health().inFlight() > 0;
            anyStarts |= member.noticeConnection();
            if (member.health().hasLatency()) {
                latencyLogs[known++] = member.health().latencyLog();
            }
        }
        if (known > 0) {
            Arrays.sort(latencyLogs, 0, known);
            double median = latencyLogs[(known - 1) / 2];
            for (PoolMember member : members) {
                member.health().compareWith(median);
            }
        }
        for (PoolMember member : members) {
            check(member, nowNs, late);
        }
        if (anyStarts) {
            alignStarts(nowNs);
            setWeights(nowNs);
        }
        reportPanic();
        if (watch == Watch.CALLS && !anyInFlight && ejected == 0) {
            watch = Watch.NOTHING;
        }
    }

    private void check(PoolMember member, long nowNs, boolean late) {
        if (member.health().isStalled(nowNs, late)) {
            ejectForFailures(member, "none of " + member.health().inFlight() + " calls is answered", nowNs);
        } else if (member.health().isSlow() && mayEjectAsSlow(member)) {
            member.ejectAsSlow(nowNs);
            rotationChanged(nowNs);
        }
        member.health().ageLatency();
    }

    /** Counts those that are ejected and sets the weights anew; to be called when a member is ejected or is back. */
    void rotationChanged(long nowNs) {
        ejected = 0;
        for (PoolMember member : members) {
            if (member.isEjected()) {
                ejected++;
            }
        }
        setWeights(nowNs);
    }

    private void alignStarts(long nowNs) {
        long longestNs = -1;
        for (PoolMember member : members) {
            long elapsedNs = nowNs - member.startNs();
            if (member.isUsable() && !member.isEjected() && elapsedNs < settings.slowStartNs()) {
                longestNs = Math.max(longestNs, elapsedNs);
            }
        }
        for (PoolMember member : members) {
            long elapsedNs = nowNs - member.startNs();
            if (longestNs - elapsedNs < TOGETHER_NS && elapsedNs < longestNs) {
                member.start(nowNs - longestNs);
            }
        }
    }

    private void setWeights(long nowNs) {
        weightsVersion++;
        boolean starting = false;
        for (PoolMember member : members) {
            int part = slowStart.part(member.startNs(), nowNs);
            member.setPart(part);
            starting |= part < SlowStart.WHOLE;
        }
        if (starting) {
            watch = Watch.STARTS;
        } else if (watch == Watch.STARTS) {
            watch = Watch.CALLS;
        }
    }

    private void reportPanic() {
        boolean panics = ejected > 0 && isPanicking();
        if (panics == panicking) {
            return;
        }
        panicking = panics;
        if (members.length > 0 && !members[0].endpoint().isNews(panics ? "panic of " + pool : "no panic of " + pool)) {
            return;
        }
        if (panics) {
            LOG.warn(
                    "{}: {} of {} endpoints are ejected; they are used where the others have no room",
                    pool,
                    ejected,
                    members.length);
        } else {
            LOG.info("{}: {} of {} endpoints are ejected; they get probes only", pool, ejected, members.length);
        }
    }
}
