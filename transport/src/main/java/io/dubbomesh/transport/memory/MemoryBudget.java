package io.dubbomesh.transport.memory;

/**
 * The bytes that one event loop may hold because peers send or read slowly. It only counts: a holder that is refused
 * stops reading or answers that there is no room. Messages that are shorter than {@link #LARGE} and pass through in one
 * turn are not counted. Owned by the loop.
 *
 * <p>Each use may fill the budget up to a ceiling of its own, so that what is easily refused leaves room for what is
 * not: first no large request is begun, then no call with a large answer, and only then something is refused that is
 * small or was executed already. The first bytes of a use are always taken, so that none is shut out by the others, nor
 * by being larger than its ceiling.
 *
 * <p>A part may be kept for requests that are being received: answers that are not read leave them that room. The
 * ceilings of all else are then those of the rest.
 */
public final class MemoryBudget {
    /** Bytes from which on a message counts before it is taken in. */
    public static final int LARGE = 16 * 1024;
    /** Bytes of one stream that may come though nobody takes them: its window. */
    public static final int STREAM = 16 * 1024;

    /** The use of held bytes. */
    public enum Use {
        /** Requests being received that are large. */
        LARGE_REQUESTS(4, true),
        /** The part of large requests that has arrived while they wait for room. */
        WAITING_REQUESTS(5, true),
        /** Calls that wait for an endpoint, or that are in service. */
        CALLS(6),
        /** A part of the large answers that calls in flight are expected to have. */
        EXPECTED_ANSWERS(6),
        /** Requests being received that are small. */
        REQUESTS(8, true),
        /** Requests that were written to a provider or its agent, which has not read them yet. */
        UNREAD_REQUESTS(8),
        /** Answers that wait for their turn or for their reader. */
        ANSWERS(8),
        /** Incomplete frames that are counted with their whole length. */
        FRAMES(8),
        /** The part of other incomplete frames that has arrived: small ones, and large ones that wait for room. */
        PARTIAL_FRAMES(8),
        /** Incomplete input of strangers, which {@link StrangerMemory} bounds. */
        STRANGERS(8);

        private static final int PARTS = 8;
        /** The eighths of the budget that may be used when more of this is taken in. */
        private final int ceiling;
        /** Whether these are bytes of requests that are being received. */
        private final boolean isRequest;

        Use(int ceiling) {
            this(ceiling, false);
        }

        Use(int ceiling, boolean isRequest) {
            this.ceiling = ceiling;
            this.isRequest = isRequest;
        }
    }

    private static final Use[] USES = Use.values();

    private final long capacity;
    private final long keptForRequests;
    private final long[] ceilings = new long[USES.length];
    private final long[] usedFor = new long[USES.length];
    private final StrangerMemory strangers;
    private long used;
    private long usedForRequests;
    /** Streams whose messages pass through. */
    private int streams;

    /** @param capacity bytes */
    public MemoryBudget(long capacity) {
        this(capacity, 0);
    }

    /**
     * @param capacity        bytes
     * @param keptForRequests of these
     */
    public MemoryBudget(long capacity, long keptForRequests) {
        this.capacity = capacity;
        this.keptForRequests = keptForRequests;
        for (Use use : USES) {
            long of = use.isRequest ? capacity : capacity - keptForRequests;
            ceilings[use.ordinal()] = of / Use.PARTS * use.ceiling;
        }
        strangers = new StrangerMemory(this);
    }

    /** Makes one for tests and tools, which have no budget. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE);
    }

    /** Returns whether so many bytes more of this use fit. */
    public boolean hasRoom(Use use, long bytes) {
        return bytes <= room(use) || usedFor[use.ordinal()] == 0;
    }

    /** Returns whether so many bytes more of this use leave as much for others that come. */
    public boolean hasAmpleRoom(Use use, long bytes) {
        return bytes <= room(use) - ceilings[use.ordinal()] / 2;
    }

    private long room(Use use) {
        long ceiling = ceilings[use.ordinal()];
        return use.isRequest
                ? Math.max(ceiling - used, keptForRequests - usedForRequests)
                : ceiling - usedBesideRequests();
    }

    /** Returns the used bytes without what requests hold of the part that is kept for them. */
    private long usedBesideRequests() {
        return used - Math.min(usedForRequests, keptForRequests);
    }

    /** Counts bytes, unless there is no room for them. */
    public boolean tryReserve(Use use, long bytes) {
        if (!hasRoom(use, bytes)) {
            return false;
        }
        add(use, bytes);
        return true;
    }

    /** Counts bytes that are held whether there is room or not. */
    public void add(Use use, long bytes) {
        usedFor[use.ordinal()] += bytes;
        used += bytes;
        if (use.isRequest) {
            usedForRequests += bytes;
        }
        assert usedFor[use.ordinal()] >= 0 : use + " released twice";
    }

    public void release(Use use, long bytes) {
        add(use, -bytes);
    }

    /** Returns whether it is so full that a peer which causes more should not be read. */
    public boolean isShort() {
        return usedBesideRequests() > ceilings[Use.CALLS.ordinal()];
    }

    /**
     * Returns whether another stream may begin: the windows of all could come in whole at any time, and would fit in
     * what calls may use.
     */
    public boolean hasRoomForStream() {
        return !isShort() && (streams == 0 || usedForStreams(streams + 1) <= ceilings[Use.CALLS.ordinal()]);
    }

    /** Counts a stream. Nothing is used by it before its messages are held. */
    public void streamBegins() {
        streams++;
    }

    /** Takes back what {@link #streamBegins} has counted. */
    public void streamEnded() {
        streams--;
        assert streams >= 0 : "a stream that has ended twice";
    }

    /** Returns the streams that are counted. */
    public int streams() {
        return streams;
    }

    private static long usedForStreams(int count) {
        return (long) count * STREAM;
    }

    /**
     * Returns whether it is so full that a stream of which something waits should not go on: when the windows of all of
     * them have come, it is not {@linkplain #isShort short}. Else clients that read slowly would have new streams and
     * other calls refused.
     */
    public boolean isShortForStreams() {
        return usedBesideRequests() + usedForStreams(streams) > ceilings[Use.CALLS.ordinal()];
    }

    /** Returns what is kept for strangers. */
    public StrangerMemory strangers() {
        return strangers;
    }

    public long used() {
        return used;
    }

    public long used(Use use) {
        return usedFor[use.ordinal()];
    }

    public long capacity() {
        return capacity;
    }
}
