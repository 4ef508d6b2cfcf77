package io.dubbomesh.chaos.load;

import io.dubbomesh.benchmark.ledger.Outcome;

/**
 * A call of {@code hash(String)} that has ended.
 *
 * @param hash    the right answer, which no other call of a site has
 * @param dueNs   when it was to be sent
 * @param status  of the answer; 0 if there was none
 */
public record Call(int hash, long dueNs, long endNs, Outcome outcome, int status) {
    public boolean isGood() {
        return outcome == Outcome.GOOD;
    }

    /** Answered with a value that is not the right one. */
    public boolean isWrong() {
        return outcome == Outcome.WRONG || outcome == Outcome.CROSSED;
    }

    /** Sent, and never answered. */
    public boolean isLost() {
        return outcome == Outcome.LOST || outcome == Outcome.PENDING;
    }

    public double tookMs() {
        return (endNs - dueNs) / 1e6;
    }
}
