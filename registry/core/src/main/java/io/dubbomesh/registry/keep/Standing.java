package io.dubbomesh.registry.keep;

/**
 * The state of one of an agent's entries, as far as the agent knows.
 *
 * <pre>
 *   NEW ----- put without an answer ----> CLAIMED ---- put, found as wanted ----> KEPT
 *    |                                       ^                                    | ^
 *    |                                       +----- weight changed at the agent --+ |
 *    +------- put, found as wanted --------------------------------------------->   |
 *    +------- left ----> LEFT -------------- put, with or without an answer ------->+
 *               ^          | weight changed at the agent: NEW
 *               |
 *               +--- from each state: the agent says that it leaves; from KEPT: another agent has taken the address
 * </pre>
 *
 * While an entry is listed, consumer agents may use the endpoint, even if the entry has lapsed since. While it is
 * settled, a change that is found is of others, and its weight is adopted: the store has held what this agent wants
 * since it started, and since its weight was changed here.
 */
enum Standing {
    NEW(false, false),
    CLAIMED(true, false),
    KEPT(true, true),
    LEFT(false, true);

    private final boolean listed;
    private final boolean settled;

    Standing(boolean listed, boolean settled) {
        this.listed = listed;
        this.settled = settled;
    }

    boolean isListed() {
        return listed;
    }

    boolean isSettled() {
        return settled;
    }

    /** Returns the state after a put of the agent. */
    Standing put() {
        return KEPT;
    }

    /** Returns the state after a put of the agent that the store may have executed. */
    Standing putUnanswered() {
        return settled ? KEPT : CLAIMED;
    }

    /** Returns the state after a put that says that the agent leaves. */
    Standing left() {
        return LEFT;
    }

    /** Returns the state after the store was found to hold what the agent wants. */
    Standing confirmed() {
        return KEPT;
    }

    /** Returns the state after a change of the weight at this agent. */
    Standing weightChanged() {
        return listed ? CLAIMED : NEW;
    }

    /** Returns the state after another agent was found at the address. */
    Standing takenOver() {
        return settled ? LEFT : NEW;
    }
}
