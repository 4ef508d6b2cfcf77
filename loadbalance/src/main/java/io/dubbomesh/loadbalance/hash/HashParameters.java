package io.dubbomesh.loadbalance.hash;

/**
 * The parameters of the strategy by hash.
 *
 * @param slots       of a {@link SlotTable}, the same in all agents
 * @param loadPercent the calls in flight that an endpoint may have, in percent of the mean by weight; 0 for any number
 */
public record HashParameters(int slots, int loadPercent) {
    /**
     * The usual ones: with 16,384 slots the part of an endpoint is exact to 1 % (standard deviation) where there are 3,
     * and to 3.5 % where there are 20; 125 % is what the authors of bounded loads use.
     */
    public static final HashParameters DEFAULT = new HashParameters(1 << 14, 125);
}
