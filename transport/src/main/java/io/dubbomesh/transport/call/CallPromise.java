package io.dubbomesh.transport.call;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/**
 * The promise of an answer: between {@link PendingCalls#add} and its end exactly one of the two callbacks is called,
 * once, on the event loop that owns the table. Made to be reused: ended promises can be added again.
 */
public abstract class CallPromise {
    static final long NONE = 0;
    static final int NO_SLOT = -1;

    long id = NONE;
    long deadlineNs;
    /** Where in the deadline ring it stands; {@link #NO_SLOT} while it has no deadline or is not pending. */
    int slot = NO_SLOT;

    /** Neighbours in the deadline ring; null while the call has no deadline or is not pending. */
    CallPromise previous;

    CallPromise next;

    /** The id under which it is pending, 0 while it is not. */
    public final long id() {
        return id;
    }

    /** By {@link System#nanoTime()}; meaningful while pending with a deadline. */
    public final long deadlineNs() {
        return deadlineNs;
    }

    /**
     * The answer has come: the frame starts at {@code offset} and is wholly in {@code in}. The bytes are valid during
     * the call only and are not to be released.
     */
    protected abstract void completed(ByteBuf in, int offset);

    /** No answer will come. */
    protected abstract void failed(Outcome outcome, String detail);
}
