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

    /** The numbers of a place in {@link #links}. */
    private static final int LINKS = 4;
    /** The offset of the next place in the slot, plus 1; 0 for none. */
    private static final int NEXT = 0;
    /** Likewise that of the previous one. */
    private static final int PREVIOUS = 1;
    /** The offset of the slot, plus 1; 0 for a call without a deadline. */
    private static final int SLOT = 2;

    private C[] calls = newArray(64);
    private int[] freePlaces = new int[calls.length];
    private int free;
    private long lastNumber;

    /**
     * Where the calls stand in the ring, by place: three numbers for each. They are here and not in the calls, since to
     * take a call out changes its neighbours, and with many calls in flight these are not in the processor's cache.
     */
    private int[] links = new int[LINKS * calls.length];
    /** The first place in each slot of the ring, plus 1; 0 for none. */
    private final int[] ring = new int[RING_SLOTS];

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
        unlink(placeOf(call));
        link(call, deadlineNs);
    }

    private static int placeOf(PendingCall call) {
        return (int) call.id & PLACE_MASK;
    }

    private void link(C call, long deadlineNs) {
        call.deadlineNs = deadlineNs;
        int place = placeOf(call);
        // A tick that was swept is not visited again before the ring has gone round.
        int slot = slotOf(Math.max(deadlineNs / TICK_NS, sweptTick));
        int head = ring[slot];
        int at = place * LINKS;
        links[at + NEXT] = head;
        links[at + PREVIOUS] = 0;
        links[at + SLOT] = slot + 1;
        if (head != 0) {
            links[(head - 1) * LINKS + PREVIOUS] = place + 1;
        }
        ring[slot] = place + 1;
    }

    /** Returns the call in the place of this id, which may be one with another id, or null; without a look at it. */
    public C at(long id) {
        int place = (int) id & PLACE_MASK;
        return place >= calls.length ? null : calls[place];
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
        int place = placeOf(call);
        assert calls[place] == call : "not pending here";
        calls[place] = null;
        freePlaces[free++] = place;
        if (links[place * LINKS + SLOT] != 0) {
            unlink(place);
            deadlines--;
        }
        call.id = PendingCall.NONE;
    }

    private void unlink(int place) {
        int at = place * LINKS;
        int next = links[at + NEXT];
        int previous = links[at + PREVIOUS];
        if (next != 0) {
            links[(next - 1) * LINKS + PREVIOUS] = previous;
        }
        if (previous != 0) {
            links[(previous - 1) * LINKS + NEXT] = next;
        } else {
            ring[links[at + SLOT] - 1] = next;
        }
        links[at + SLOT] = 0;
    }

    /**
     * Returns the time at which a sweep is due, if any pending call {@linkplain #hasDeadlines() has a deadline}: at the
     * end of the first tick with one in it. The sweep finds nothing if that one is beyond the ring's span.
     */
    long nextSweepNs() {
        long tick = sweptTick;
        while (ring[slotOf(tick)] == 0) {
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

    /** Returns the first of those from {@code head} on whose deadline has passed, or null. */
    private C firstExpired(int head, long nowNs) {
        int place = head;
        while (place != 0) {
            C call = calls[place - 1];
            if (call.deadlineNs - nowNs <= 0) {
                return call;
            }
            place = links[(place - 1) * LINKS + NEXT];
        }
        return null;
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

    private static int slotOf(long tick) {
        return (int) (tick & RING_SLOTS - 1);
    }

    private void grow() {
        int size = calls.length;
        if (size > PLACE_MASK) {
            throw new IllegalStateException("more than " + size + " calls pending on one event loop");
        }
        calls = Arrays.copyOf(calls, size * 2);
        links = Arrays.copyOf(links, LINKS * calls.length);
        freePlaces = new int[calls.length];
        addFreePlaces(size);
    }

    private void addFreePlaces(int from) {
        for (int place = calls.length - 1; place >= from; place--) {
            freePlaces[free++] = place;
        }
    }
}
