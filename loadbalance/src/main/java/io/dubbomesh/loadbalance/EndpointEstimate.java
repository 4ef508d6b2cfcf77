package io.dubbomesh.loadbalance;

/**
 * What a strategy compares an endpoint by, for operators.
 *
 * @param calls     that count as those of the endpoint, in relation to its weight; failures count as calls, too. NaN
 *     for a strategy that does not look at calls
 * @param latencyNs that it expects; 0 if it does not look at latencies, or knows none
 */
public record EndpointEstimate(double calls, double latencyNs, Heat heat) {
    /** The estimate of a strategy that compares nothing. */
    public static final EndpointEstimate NONE = new EndpointEstimate(Double.NaN, 0, Heat.UNKNOWN);

    /** Whether an endpoint has more calls than most, for {@link Prequal}. */
    public enum Heat {
        /** The strategy does not ask for it, or has seen no calls yet. */
        UNKNOWN,
        COLD,
        HOT
    }
}
