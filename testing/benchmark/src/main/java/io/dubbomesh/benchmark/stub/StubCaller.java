package io.dubbomesh.benchmark.stub;

/** A connection on which calls arrive. {@link StubService} answers them, on its event loop. */
interface StubCaller {
    /**
     * Answers a call with its result. Does nothing if its caller has left or does not wait any more.
     *
     * @param length of a text with the hash; 0 for an int
     */
    void answer(long callId, int hash, int length);

    /** Answers a call as a full pool of threads does. */
    void refuse(long callId);

    /** Answers a call with an error of the server. */
    void fail(long callId);

    /** Reads, or stops reading, as the behaviour and the answers that the peer has not taken demand. */
    void readIfPossible();
}
