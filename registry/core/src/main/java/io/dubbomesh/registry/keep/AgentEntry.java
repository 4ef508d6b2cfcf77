package io.dubbomesh.registry.keep;

import io.dubbomesh.registry.Variant;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One of an agent's own entries, that of a service: its place in the store, and what stands there as far as is known.
 * A store extends it by how the place is read and changed; each change is conditional on the place being as it is
 * known, where the store can compare. Belongs to the keeper's thread, within a session.
 */
public abstract class AgentEntry {
    private final String service;
    private List<Variant> variants;
    private boolean selected = true;
    private Standing standing = Standing.NEW;
    /** Null unless the store refuses what was asked of it last. */
    private Refusal refusal;

    private long leavingEndNs = System.nanoTime();

    /**
     * The store refuses a change.
     *
     * @param put   whether it was to put the entry, not to take it away
     * @param endNs when it may be asked again
     */
    private record Refusal(boolean put, long endNs) {}

    protected AgentEntry(String service, List<Variant> variants) {
        this.service = service;
        this.variants = variants;
    }

    final String service() {
        return service;
    }

    /** Returns the name of the place, for the log. */
    protected abstract String path();

    /** Returns what stands there as far as is known; null if nothing does. */
    protected abstract byte[] value();

    /** Returns whether what stands there, if anything, is of this agent and not of one that has taken its place. */
    protected abstract boolean isOurs();

    /** Returns whether what stands there is bound to the present lease of this agent, as what it puts is. */
    protected abstract boolean isHeld();

    /**
     * Reads what stands there if it may have changed, and reports with {@link #executed} a put whose answer was lost.
     *
     * @return whether it is another than was known at the last call, by the doing of others or by a lapse
     */
    protected abstract boolean refresh() throws StoreFailure, InterruptedException;

    /**
     * Puts a value, and reports with {@link #executed} or {@link #unanswered} what came of it.
     *
     * @param leaving whether the value says that the agent leaves
     */
    protected abstract void put(byte[] value, boolean leaving) throws StoreFailure, InterruptedException;

    /** Deletes what stands there. */
    protected abstract void delete() throws StoreFailure, InterruptedException;

    /** Forgets a put whose answer was lost: what it put is not wanted any more. */
    protected abstract void clearUnanswered();

    /** Called when the store has executed a put. */
    protected final void executed(boolean leaving) {
        standing = leaving ? standing.left() : standing.put();
    }

    /** Called when the answer to a put was lost. */
    protected final void unanswered(boolean leaving) {
        standing = leaving ? standing : standing.putUnanswered();
    }

    /** @param services those that are to be registered; without this one the entry is to be deleted */
    final void select(Map<String, List<Variant>> services) {
        selected = services.containsKey(service);
        if (selected) {
            variants = services.get(service);
        }
    }

    /** Returns whether it is to be there while the agent is registered. */
    final boolean isSelected() {
        return selected;
    }

    /** Returns those of its service; if it is not selected, those that were the last ones. */
    final List<Variant> variants() {
        return variants;
    }

    final boolean isPresent() {
        return value() != null;
    }

    final boolean holds(byte[] expected) {
        return Arrays.equals(value(), expected);
    }

    final boolean isSettled() {
        return standing.isSettled();
    }

    /** Called when the store was found to hold what the agent wants. */
    final void confirmed() {
        standing = standing.confirmed();
    }

    /** Called when the weight was changed at this agent, after all that the store holds or has been sent. */
    final void weightChanged() {
        standing = standing.weightChanged();
        clearUnanswered();
    }

    /** Called when another agent was found at the address. */
    final void takenOver() {
        standing = standing.takenOver();
    }

    /** Returns whether the entry is left, or has lapsed so that consumer agents may still use its endpoint. */
    final boolean isLeft() {
        if (isAbandoned()) {
            return false;
        }
        return isPresent() ? isOurs() : standing.isListed();
    }

    /** Called when the value says that the agent leaves; returns when the entry may be deleted. */
    final void leavesUntil(long endNs) {
        leavingEndNs = endNs;
    }

    /** Returns the nanoseconds until it may be deleted. */
    final long leavingLeftNs(long nowNs) {
        return leavingEndNs - nowNs;
    }

    /** Called when the store refuses to have it put, or taken away; that is not asked again until {@code endNs}. */
    final void refused(boolean put, long endNs) {
        refusal = new Refusal(put, endNs);
    }

    final void clearRefusal() {
        refusal = null;
    }

    final boolean isRefused() {
        return refusal != null;
    }

    /** Returns the nanoseconds until it may be asked again to put it, or to take it away. */
    final long refusedLeftNs(boolean put, long nowNs) {
        return refusal != null && refusal.put() == put ? refusal.endNs() - nowNs : 0;
    }

    /**
     * Returns whether it cannot be taken away and no consumer agent calls this agent because of it: it is of others, or
     * ends with the session.
     */
    final boolean isAbandoned() {
        return refusal != null && !refusal.put() && !standing.isListed();
    }
}
