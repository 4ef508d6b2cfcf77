package io.dubbomesh.meshctl.document;

import java.util.List;
import java.util.Optional;

/**
 * An endpoint as a consumer agent or a gateway knows it, or a provider agent as it lists itself.
 *
 * @param kind         {@code mesh} or {@code dubbo}; empty if it is not known
 * @param weight       empty if it is not known
 * @param zone         empty if it is not known
 * @param load         of its provider, as it has reported it; empty if it has not
 * @param strategy     what the strategy sees of it; empty in the list of a provider agent or of an older agent
 * @param alive        whether there is a link to it; empty in the list of a provider agent, which has no such links
 * @param reason       why there is no link
 * @param ejectedFrom  services
 * @param notCallable  why no agent of this version can call it; empty if one can
 */
public record EndpointDocument(
        String id,
        String kind,
        Optional<Long> weight,
        long limit,
        String zone,
        long callsInFlight,
        Optional<Load> load,
        Optional<StrategyView> strategy,
        List<String> services,
        boolean listed,
        Optional<Boolean> alive,
        boolean idle,
        String reason,
        List<String> ejectedFrom,
        String ejectionReason,
        String notCallable) {
    private static final String DUBBO = "dubbo";

    /** The calls that a provider has, of all consumer agents, and the time that one takes. */
    public record Load(long callsInService, long callsWaiting, double callMs) {
        /** Returns the number of the calls. */
        public long calls() {
            return callsInService + callsWaiting;
        }
    }

    /**
     * What the strategy sees of an endpoint.
     *
     * @param calls     that count as its own; empty if the strategy does not look at calls
     * @param latencyMs empty if the strategy does not look at latencies, or knows none
     * @param heat      {@code hot}, {@code cold} or empty
     */
    public record StrategyView(
            String name,
            Optional<Double> calls,
            Optional<Double> latencyMs,
            String heat,
            Optional<Double> sharePercent,
            Optional<Double> weightPercent) {}

    /** Returns the calls by which it is compared, or else those that its provider has reported. */
    public Optional<Double> comparedCalls() {
        return strategy.flatMap(StrategyView::calls).or(() -> load.map(reported -> (double) reported.calls()));
    }

    /** Returns the latency by which it is compared, or else the time of a call that its provider has reported. */
    public Optional<Double> comparedLatencyMs() {
        return strategy.flatMap(StrategyView::latencyMs)
                .or(() -> load.map(Load::callMs).filter(ms -> ms > 0));
    }

    /** Returns whether it is a Dubbo provider, which has no agent. */
    public boolean isProvider() {
        return DUBBO.equals(kind);
    }

    /** Returns the services from which it is ejected, by comma. */
    public String ejections() {
        return String.join(",", ejectedFrom);
    }
}
