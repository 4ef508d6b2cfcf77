package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.transport.call.PendingCalls;

/**
 * Loads what the next answers are for into the processor's cache: the calls, their exchanges, connections and channels.
 * With hundreds of calls in flight these are not there any more, and each leads to the next one; answered one by one,
 * the processor would wait for each of them. Here it goes over all calls a level at a time, so that it waits for many
 * at once. Owned by the event loop.
 */
final class ExpectedCalls {
    /** An exchange, its connection, the queue, the batch and what the channel has. */
    private static final int LEVELS = 7;

    private final PendingCalls<UpstreamCall> pending;
    private final UpstreamCall[] calls = new UpstreamCall[EndpointListener.MOST_EXPECTED];
    /** The sum of all that was read, so that the compiler leaves none of it out. */
    private int sum;

    ExpectedCalls(PendingCalls<UpstreamCall> pending) {
        this.pending = pending;
    }

    /** Loads the calls with these ids, some of which may have ended. */
    void load(long[] requestIds, int count) {
        int read = 0;
        for (int i = 0; i < count; i++) {
            UpstreamCall call = pending.at(requestIds[i]);
            calls[i] = call;
            read += call == null ? 0 : call.touch();
        }
        for (int level = 0; level < LEVELS; level++) {
            for (int i = 0; i < count; i++) {
                UpstreamCall call = calls[i];
                read += call == null ? 0 : call.touch(level);
            }
        }
        sum = read;
    }

    /** Returns the sum of all that was read last. */
    int sum() {
        return sum;
    }
}
