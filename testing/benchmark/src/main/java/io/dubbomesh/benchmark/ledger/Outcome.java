package io.dubbomesh.benchmark.ledger;

/** The end of a call, as the client saw it. */
public enum Outcome {
    /** Nothing yet. */
    PENDING,
    /** No byte of it was sent, since no connection could be made or none was free in time. */
    UNSENT,
    /** The right answer. */
    GOOD,
    /** Status 200 with something that is not the right answer, or bytes that are not HTTP. */
    WRONG,
    /** Status 200 with the right answer to another call. */
    CROSSED,
    /** 429 or 503: the call was not executed. */
    REFUSED,
    /** Any other status. */
    FAILED,
    /** Status 500 without {@code X-Dubbo-Exception}: a fault of the agents. */
    UNTAGGED,
    /** The connection ended before the answer, or the answer was not there in time. */
    LOST
}
