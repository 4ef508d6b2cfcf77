package io.dubbomesh.transport.call;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The calls of one event loop that wait for an answer, by request id, and the ring of their deadlines. Nothing is
 * allocated per call.
 *
 * <p>The map from id to call is an array: the low bits of an id are the call's place in it, the high bits a number that
 * is never used twice, so that an answer which comes after its call has ended finds no call, even if another one has
 * taken its slot.
 *
 * <p>A call stands in the ring slot of its deadline's 10 ms tick; a sweep visits the slots whose ticks have passed. A
 * deadline beyond the ring's span is met early by a sweep, found to be in the future, and left where it is.
 */
public final class PendingCalls<C extends PendingCall> {
    /** The coarseness of deadlines: a call fails at most this long after its deadline, if sweeps are in time. */
    public static final long TICK_NS = 10_000_000;

    private static final int PLACE_BITS = 20;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
    /** 82 s, longer than the longest deadline by default. */
    private static final int RING_SLOTS = 8192;

    private C[] calls = newArray(64);
    private int[] freePlaces = new int[calls.length];
    private int free;
    private long lastNumber;

    private final C[] ring = newArray(RING_SLOTS);
    private int deadlines;
    private long sweptTick;

    private final Consumer<? super C> expired;

    /** @param expired takes each call whose deadline has passed, when it is not pending any more */
    public PendingCalls(long nowNs, Consumer<? super C> expired) {
        this.expired = expired;
        sweptTick = nowNs / TICK_NS;
        addFreePlaces(0);
    }

    @SuppressWarnings("unchecked")
    private static <C extends PendingCall> C[] newArray(int length) {
        return (C[]) new PendingCall[length];
    }

    public int size() {
        return calls.length - free;
    }

    /** Returns whether any pending call has a deadline. */
    public boolean hasDeadlines() {
        return deadlines > 0;
    }

    /** Adds a call without a deadline; it waits until it is answered or taken out. Returns its id, never 0. */
    public long add(C call) {
        assert call.id == PendingCall.NONE : "already pending";
        if (free == 0) {
            grow();
        }
        int place = freePlaces[--free];
        calls[place] = call;
        call.id = ++lastNumber << PLACE_BITS | place;
        return call.id;
    }

    /** Adds a call that a sweep takes out once {@code deadlineNs} has passed; it may have passed already. */
    public long add(C call, long deadlineNs) {
        long id = add(call);
        deadlines++;
        link(call, deadlineNs);
        return id;
    }

    /** Gives a pending call, which has a deadline, another one. */
    public void move(C call, long deadlineNs) {
        unlink(call);
        link(call, deadlineNs);
    }

    private void link(C call, long deadlineNs) {
        call.deadlineNs = deadlineNs;
        // A tick that was swept is not visited again before the ring has gone round.
        int slot = slotOf(Math.max(deadlineNs / TICK_NS, sweptTick));
        call.slot = slot;
        C head = ring[slot];
        call.next = head;
        if (head != null) {
            head.previous = call;
        }
        ring[slot] = call;
    }

    /** Returns the call of this id, or null: it is unknown or has ended. */
    public C get(long id) {
        int place = (int) id & PLACE_MASK;
        if (place >= calls.length) {
            return null;
        }
        C call = calls[place];
        return call != null && call.id == id ? call : null;
    }

    /** Takes a call out, to complete or fail it; it can be added again at once. */
    public void remove(C call) {
        int place = (int) call.id & PLACE_MASK;
        assert calls[place] == call : "not pending here";
        calls[place] = null;
        freePlaces[free++] = place;
        if (call.slot != PendingCall.NO_SLOT) {
            unlink(call);
            deadlines--;
            call.slot = PendingCall.NO_SLOT;
        }
        call.id = PendingCall.NONE;
    }

    private void unlink(C call) {
        C next = next(call);
        PendingCall previous = call.previous;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else {
            ring[call.slot] = next;
        }
        call.next = null;
        call.previous = null;
    }

    /**
     * Returns the time at which a sweep is due, if any pending call {@linkplain #hasDeadlines() has a deadline}: at the
     * end of the first tick with one in it. The sweep finds nothing if that one is beyond the ring's span.
     */
    long nextSweepNs() {
        long tick = sweptTick;
        while (ring[slotOf(tick)] == null) {
            tick++;
        }
        return endOf(tick);
    }

    /** Returns when a call with this deadline is taken out. */
    static long sweepNs(long deadlineNs) {
        return endOf(deadlineNs / TICK_NS);
    }

    private static long endOf(long tick) {
        return (tick + 1) * TICK_NS;
    }

    /**
     * Takes out every call whose deadline has passed. It visits each slot once, and not the one in which its callbacks
     * add calls whose deadlines have passed too: those are left to the next sweep, so that this one ends.
     */
    public void sweep(long nowNs) {
        long nowTick = nowNs / TICK_NS;
        long tick = Math.max(sweptTick, nowTick - RING_SLOTS + 1);
        sweptTick = nowTick;
        try {
            for (; tick < nowTick; tick++) {
                int slot = slotOf(tick);
                C call;
                // From the head each time: a callback may take out other calls.
                while ((call = firstExpired(ring[slot], nowNs)) != null) {
                    remove(call);
                    expired.accept(call);
                }
            }
        } finally {
            // Where a callback has failed, the next sweep goes on.
            sweptTick = tick;
        }
    }

    private C firstExpired(C head, long nowNs) {
        C call = head;
        while (call != null && call.deadlineNs - nowNs > 0) {
            call = next(call);
        }
        return call;
    }

    /** Visits every pending call; the visitor may remove the one that it is given. */
    public void forEach(Consumer<? super C> visitor) {
        for (int place = 0; place < calls.length; place++) {
            C call = calls[place];
            if (call != null) {
                visitor.accept(call);
            }
        }
    }

    /** Only calls of this table are linked with each other. */
    @SuppressWarnings("unchecked")
    private C next(C call) {
        return (C) call.next;
    }

    private static int slotOf(long tick) {
        return (int) (tick & RING_SLOTS - 1);
    }

    private void grow() {
        int size = calls.length;
        if (size > PLACE_MASK) {
            throw new IllegalStateException("more than " + size + " calls pending on one event loop");
        }
        calls = Arrays.copyOf(calls, size * 2);
        freePlaces = new int[calls.length];
        addFreePlaces(size);
    }

    private void addFreePlaces(int from) {
        for (int place = calls.length - 1; place >= from; place--) {
            freePlaces[free++] = place;
        }
    }
}
