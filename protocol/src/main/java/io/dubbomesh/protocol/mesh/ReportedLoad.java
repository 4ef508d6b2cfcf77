package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;

/**
 * The load of a provider, as its agent reports it in the header of a RESPONSE: in Method Id the calls in service and
 * those that wait, 16 bits each, and in the reserved bits the time that a call takes now. Only for a peer that {@link
 * Hello#TAKES_LOAD}.
 *
 * <p>The time has a mantissa of 11 bits and an exponent of 5: {@code mantissa << exponent} microseconds, so that it is
 * exact within 0.1 %. 0 is unknown.
 */
public final class ReportedLoad {
    private static final int MAX_CALLS = 0xffff;
    private static final int MANTISSA_BITS = 11;
    private static final int MANTISSA = (1 << MANTISSA_BITS) - 1;
    private static final long NS_PER_US = 1_000;
    /** 50 days. */
    private static final long MAX_US = (long) MANTISSA << 31;

    private ReportedLoad() {}

    /**
     * Writes the load into the header of the RESPONSE at {@code frame}. Numbers that are too large are reported as the
     * largest.
     *
     * @param timeNs that a call takes, from its arrival to its answer; 0 if none is known
     */
    public static void write(ByteBuf out, int frame, int inService, int waiting, long timeNs) {
        int calls = Math.min(inService, MAX_CALLS) << Short.SIZE | Math.min(waiting, MAX_CALLS);
        MeshHeader.load(out, frame, calls, time(timeNs));
    }

    /** Returns the calls in service of what {@link MeshHeader#reportedCalls} returns. */
    public static int inService(int reportedCalls) {
        return reportedCalls >>> Short.SIZE;
    }

    /** Returns the waiting calls of what {@link MeshHeader#reportedCalls} returns. */
    public static int waiting(int reportedCalls) {
        return reportedCalls & MAX_CALLS;
    }

    /** Returns the nanoseconds of what {@link MeshHeader#reportedTime} returns; 0 if the time is unknown. */
    public static long timeNs(int reportedTime) {
        return (long) (reportedTime & MANTISSA) * NS_PER_US << (reportedTime >>> MANTISSA_BITS);
    }

    private static int time(long ns) {
        if (ns <= 0) {
            return 0;
        }
        long us = Math.min(Math.max(1, ns / NS_PER_US), MAX_US);
        int exponent = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(us) - MANTISSA_BITS);
        return exponent << MANTISSA_BITS | (int) (us >>> exponent);
    }
}
