package io.dubbomesh.benchmark.ledger;

/**
 * A call in the ledger. Times are since the start of the load.
 *
 * @param intendedNs when it was to be sent
 * @param sentNs     when it was handed to its connection; -1 if never
 * @param endNs      when the outcome was known; -1 if never
 * @param status     of the answer; 0 if there was none
 */
public record Call(int number, long intendedNs, long sentNs, long endNs, Outcome outcome, int status) {
    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;

    /** Returns the time from when it was to be sent, however long the client could not send it. */
    public long latencyNs() {
        return endNs - intendedNs;
    }

    /** Whether the outcome says that no provider executed it. */
    boolean isReportedNotExecuted() {
        boolean clientError = status >= BAD_REQUEST && status < SERVER_ERROR;
        return outcome == Outcome.UNSENT
                || outcome == Outcome.REFUSED
                || outcome == Outcome.FAILED && (clientError || status == NOT_IMPLEMENTED);
    }

    @Override
    public String toString() {
        return "call %d, intended at %.3f s: %s%s"
                .formatted(number, intendedNs / 1e9, outcome, status == 0 ? "" : " " + status);
    }
}
