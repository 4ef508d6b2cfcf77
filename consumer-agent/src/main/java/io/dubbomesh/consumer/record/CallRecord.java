package io.dubbomesh.consumer.record;

/**
 * The facts of a request that was answered, or whose client has left. Filled by the event loop of the request on its
 * way; read by {@link CallRecorder}s. Points in time are of {@link System#nanoTime()}.
 * <pre>
 *   received    dispatched        sent                            arrived    ended
 *      |  agent    |     queue      |            upstream            |  agent  |
 *                                   |  mesh, provider queue, provider |
 * </pre>
 * A call that was sent a second time was sent the first time here.
 */
public final class CallRecord {
    /** A duration that was not measured. */
    public static final long UNKNOWN = -1;

    private final RecordedTrace trace = new RecordedTrace();
    private final RecordedRequest request = new RecordedRequest();
    private final RecordedCall call = new RecordedCall();
    private final RecordedAnswer answer = new RecordedAnswer();
    private int recorderBits;
    private boolean timesRequested;

    /** @param requestsTimes whether the client asks for the times */
    void begin(int wanted, boolean requestsTimes) {
        recorderBits = wanted;
        timesRequested = requestsTimes;
    }

    void clear() {
        recorderBits = 0;
        timesRequested = false;
        trace.clear();
        request.clear();
        call.clear();
        answer.clear();
    }

    int recorderBits() {
        return recorderBits;
    }

    /** Returns whether the client asks for the times. */
    public boolean areTimesRequested() {
        return timesRequested;
    }

    public RecordedTrace trace() {
        return trace;
    }

    public RecordedRequest request() {
        return request;
    }

    public RecordedCall call() {
        return call;
    }

    public RecordedAnswer answer() {
        return answer;
    }

    /** Returns when the answer of the provider agent was read, or where there was none, when the request ended. */
    public long arrivedNs() {
        return call.hasArrived() ? call.arrivedNs() : answer.endedNs();
    }

    public long totalNs() {
        return answer.endedNs() - request.receivedNs();
    }

    /**
     * Returns the time in this agent, but for the queue: from the request to the call, and from the provider agent's
     * answer to the client's.
     */
    public long agentNs() {
        return Math.max(0, totalNs() - queueNs() - (call.wasSent() ? upstreamNs() : 0));
    }

    /** Returns the wait until an endpoint had room. */
    public long queueNs() {
        return call.wasDispatched()
                ? Math.max(0, (call.wasSent() ? call.sentNs() : answer.endedNs()) - call.dispatchedNs())
                : 0;
    }

    /**
     * Returns the time from when the call was sent for the first time until the answer of a provider agent was read;
     * {@link #UNKNOWN} if it was not sent.
     */
    public long upstreamNs() {
        return call.wasSent() ? arrivedNs() - call.sentNs() : UNKNOWN;
    }

    /**
     * Returns what the links, the work of the provider agent and an attempt before that was not executed took of
     * {@link #upstreamNs}; {@link #UNKNOWN} if the provider agent has not told how long the call was there.
     */
    public long meshNs() {
        return call.isTimed() ? Math.max(0, upstreamNs() - call.providerQueueNs() - call.providerNs()) : UNKNOWN;
    }
}
