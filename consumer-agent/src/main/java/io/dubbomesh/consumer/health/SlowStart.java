package io.dubbomesh.consumer.health;

/**
 * The part of its weight that an endpoint has while it starts: from a tenth up to the whole of it, linearly, as in
 * Envoy's slow start mode with an aggression of 1.
 */
public final class SlowStart {
    /** The whole weight: parts are given in hundredths. */
    public static final int WHOLE = 100;

    private static final int FIRST = 10;

    private final long durationNs;

    /** @param durationNs 0 for the whole weight at once */
    public SlowStart(long durationNs) {
        this.durationNs = durationNs;
    }

    /** @param startNs when it began to take calls */
    public int part(long startNs, long nowNs) {
        long elapsedNs = nowNs - startNs;
        if (elapsedNs >= durationNs) {
            return WHOLE;
        }
        return FIRST + (int) ((WHOLE - FIRST) * Math.max(0, elapsedNs) / durationNs);
    }
}
