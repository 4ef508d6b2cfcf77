package io.dubbomesh.client.call;

import java.util.concurrent.TimeUnit;

/**
 * When the permits of calls come back that the provider should have answered long ago. Either it has lost them, as
 * Dubbo does with the rest of a read when its pool is full (dubbo#3488), or a thread is still busy with them, and then
 * one call more than the limit is in service. So no more than a tenth of the limit comes back per second, and nothing
 * for ten seconds after the provider has shown that it is busy: by a refusal soon after a permit came back, or by the
 * answer to a call that was thought lost. The caller guards it.
 */
final class LostCalls {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int PART = 10;
    private static final long HOLD_NS = TimeUnit.SECONDS.toNanos(10);

    private boolean anyForgotten;
    private long lastNs;
    private long intervalNs;
    private int inInterval;
    private boolean holding;
    private long holdUntilNs;

    /** Returns whether one more call may count as lost now; if so it does. */
    boolean mayForget(int limit, long nowNs) {
        if (holding && nowNs - holdUntilNs < 0) {
            return false;
        }
        holding = false;
        if (!anyForgotten || nowNs - intervalNs >= INTERVAL_NS) {
            intervalNs = nowNs;
            inInterval = 0;
        }
        if (inInterval >= Math.max(1, limit / PART)) {
            return false;
        }
        inInterval++;
        anyForgotten = true;
        lastNs = nowNs;
        return true;
    }

    /** Called when the provider has refused a call, since all its threads are busy. */
    void poolExhausted(long nowNs) {
        if (anyForgotten && nowNs - lastNs < HOLD_NS) {
            hold(nowNs);
        }
    }

    /** Called when the provider has answered a call that counted as lost. */
    void answeredAfterAll(long nowNs) {
        hold(nowNs);
    }

    private void hold(long nowNs) {
        holding = true;
        holdUntilNs = nowNs + HOLD_NS;
    }
}
