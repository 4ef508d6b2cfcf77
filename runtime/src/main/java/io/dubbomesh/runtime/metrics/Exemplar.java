package io.dubbomesh.runtime.metrics;

/**
 * A call that is traced, as an example of those that took as long.
 *
 * @param spanId  of the span that its duration is that of
 * @param epochMs when it had ended
 */
public record Exemplar(long traceIdHigh, long traceIdLow, long spanId, long durationNs, long epochMs) {
    private static final double S_PER_NS = 1e-9;

    public double seconds() {
        return durationNs * S_PER_NS;
    }
}
