package io.dubbomesh.transport.call;

/**
 * Bounds how long calls wait in a queue: says of each call that arrives whether it may wait or is to be refused at
 * once. A queue may hold the calls of a burst, which it will work off; it must not stand, since a queue that stands
 * makes every call late and none more. Pure computation; belongs to one thread, or to the holder of the lock of the
 * queue.
 *
 * <p>The wait is estimated by the calls in front and the rate at which calls have left the queue for service, or, if
 * none has left for long, the rate that there would be if all calls in service ended now: calls that have begun
 * together end together. So the first that leaves after a while without a queue tells no rate: the time until then is
 * that of a call, and not that between two. As long as no overload is known, it may be as long as {@code burst}. There
 * is an overload when a call would have to wait longer than that, or when the wait was above {@code target} for five
 * times so long; then a call may wait for {@code target} only. The overload is over when the queue was empty for two
 * rounds, at least 100 ms. A round is the time in which as many calls end as are in service: the mean time of service.
 * Where half a round is longer than {@code target}, and five rounds are longer than {@code burst}, they take their
 * places: calls that take two seconds may wait for one.
 *
 * <p>The two bounds are those of "Fail at Scale" (B. Maurer, ACM Queue 13, 8, 2015), which makes of CoDel (RFC 8289) a
 * queue for requests: a queue that was empty lately may hold more than one that was not. What differs, and why, is told
 * in docs/understand/decisions.md.
 */
public final class StandingDelay {
    private static final int TARGET_ROUNDS_DIVISOR = 2;
    private static final int BURST_ROUNDS = 5;
    /** A burst of 5 rounds is worked off at 80 % load in 25 rounds. */
    private static final int BURSTS_UNTIL_STANDING = 5;

    private static final int ROUNDS_UNTIL_RECOVERED = 2;
    private static final long MIN_RECOVERY_NS = 100_000_000;
    /** The rate is that of the last 100 to 200 ms, or of the last 8 to 16 calls if they have taken longer. */
    private static final long RATE_WINDOW_NS = 200_000_000;

    private static final int RATE_WINDOW_CALLS = 16;
    private static final int OLD_CALLS = 4;

    private final long targetNs;
    private final long burstNs;

    /**
     * Calls that have left for service, and the time during which calls waited for that: older ones count half, a
     * quarter, and so on.
     */
    private double served;

    private double waitingNs;
    /** Calls that have left for service since the queue was empty. */
    private int servedInRow;
    /** The time at which the last call left for service, or the queue became empty or ceased to be. */
    private long changedNs;

    private boolean empty = true;
    private double roundNs;
    private boolean overloaded;
    private boolean aboveTarget;
    private long aboveTargetSinceNs;

    /**
     * @param targetNs how long calls may wait in an overload
     * @param burstNs  how long they may wait otherwise; not less
     */
    public StandingDelay(long targetNs, long burstNs, long nowNs) {
        this.targetNs = targetNs;
        this.burstNs = burstNs;
        changedNs = nowNs;
    }

    /**
     * Returns whether a call may wait that cannot be served at once. The first in the queue always may: something has
     * to be there when another call ends.
     *
     * @param waiting    calls in front of it
     * @param inService calls in service that would have been in this queue if there had been no room, not those of
     *     other queues
     * @param timeLeftNs until its deadline
     */
    public boolean admits(int waiting, int inService, long timeLeftNs, long nowNs) {
        if (waiting == 0) {
            begin(nowNs);
            return true;
        }
        if (served == 0 && inService == 0) {
            // They wait for something else than the end of a call, such as a connection that is being opened.
            return true;
        }
        double callNs = callNs(inService, nowNs);
        if (served > 0) {
            roundNs = inService * callNs;
        }
        double targetBound = Math.max(1, Math.max(targetNs / callNs, (double) inService / TARGET_ROUNDS_DIVISOR));
        checkStanding(waiting, targetBound, nowNs);
        double bound = overloaded ? targetBound : Math.max(burstNs / callNs, (double) BURST_ROUNDS * inService);
        if (waiting >= bound) {
            overloaded = true;
            return false;
        }
        return waiting * callNs <= timeLeftNs;
    }

    /**
     * Called when a call has left the queue for service.
     *
     * @param waiting calls that are left
     */
    public void served(int waiting, long nowNs) {
        if (servedInRow > 0) {
            served++;
            waitingNs += nowNs - changedNs;
        }
        servedInRow++;
        changedNs = nowNs;
        if (waitingNs >= RATE_WINDOW_NS && served >= RATE_WINDOW_CALLS) {
            served /= 2;
            waitingNs /= 2;
        }
        empty = waiting == 0;
    }

    /**
     * Called when a call has left the queue otherwise: its deadline has passed, or its client has left.
     *
     * @param waiting calls that are left
     */
    public void abandoned(int waiting, long nowNs) {
        if (waiting == 0 && !empty) {
            empty = true;
            changedNs = nowNs;
        }
    }

    /** Returns whether calls may wait for the target only. */
    public boolean isOverloaded() {
        return overloaded;
    }

    private void begin(long nowNs) {
        if (empty && nowNs - changedNs >= Math.max(MIN_RECOVERY_NS, ROUNDS_UNTIL_RECOVERED * roundNs)) {
            overloaded = false;
            resetRate();
        }
        aboveTarget = false;
        empty = false;
        servedInRow = 0;
        changedNs = nowNs;
    }

    /** Reduces the weight of what was measured before: the provider may be another one by now. */
    private void resetRate() {
        if (served > OLD_CALLS) {
            waitingNs *= OLD_CALLS / served;
            served = OLD_CALLS;
        }
    }

    private void checkStanding(int waiting, double targetBound, long nowNs) {
        if (waiting < targetBound) {
            aboveTarget = false;
        } else if (!aboveTarget) {
            aboveTarget = true;
            aboveTargetSinceNs = nowNs;
        } else if (nowNs - aboveTargetSinceNs > BURSTS_UNTIL_STANDING * Math.max(burstNs, BURST_ROUNDS * roundNs)) {
            overloaded = true;
        }
    }

    /** Returns the time for each call to leave the queue. */
    private double callNs(int inService, long nowNs) {
        double measuredNs = served == 0 ? 0 : waitingNs / served;
        return Math.max(measuredNs, (double) (nowNs - changedNs) / Math.max(1, inService));
    }
}
