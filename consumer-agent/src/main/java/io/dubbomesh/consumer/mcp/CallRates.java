package io.dubbomesh.consumer.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds how many calls of tools a caller makes in a minute, by virtual scheduling (GCRA, ITU-T I.371): after a pause a
 * caller may make as many at once. Used by all event loops; a call of a tool is rare enough for a lock.
 */
final class CallRates {
    private static final long NS_PER_MINUTE = 60_000_000_000L;
    /** Callers that are remembered; the one whose last call is the longest ago is forgotten first. */
    private static final int MAX_CALLERS = 10_000;

    private final int callsPerMinute;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MAX_CALLERS;
        }
    };

    private static final class Bucket {
        /** The time at which it is full again; one call moves it by the time that a call is worth. */
        private long fullNs;

        Bucket(long nowNs) {
            fullNs = nowNs;
        }
    }

    /** @param callsPerMinute 0 for any number */
    CallRates(int callsPerMinute) {
        this.callsPerMinute = callsPerMinute;
    }

    /**
     * Counts a call.
     *
     * @return 0 if it may be made; else the nanoseconds until the next one may be, and this one is not counted
     */
    synchronized long tryCall(String caller, long nowNs) {
        if (callsPerMinute == 0) {
            return 0;
        }
        Bucket bucket = buckets.computeIfAbsent(caller, name -> new Bucket(nowNs));
        if (bucket.fullNs - nowNs < 0) {
            bucket.fullNs = nowNs;
        }
        long callNs = NS_PER_MINUTE / callsPerMinute;
        long waitNs = bucket.fullNs + callNs - nowNs - NS_PER_MINUTE;
        if (waitNs > 0) {
            return waitNs;
        }
        bucket.fullNs += callNs;
        return 0;
    }
}
