package io.dubbomesh.consumer.admin;

import io.dubbomesh.consumer.upstream.pool.ServiceState;
import io.dubbomesh.consumer.upstream.pool.ServiceState.MemberState;
import io.dubbomesh.loadbalance.EndpointEstimate;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the strategy sees of each endpoint. Each event loop chooses for itself, for each service: an endpoint is shown
 * as the one sees it that has sent it most calls. Made for one request, by one thread.
 */
final class StrategyReport {
    private static final double PERCENT = 100;
    private static final double NS_PER_MS = 1e6;

    private final String strategy;
    private final Map<String, Double> rates;
    private final double allRates;
    private final Map<String, MemberState> most = new HashMap<>();
    /** The calls that an endpoint would have had by its weight alone. */
    private final Map<String, Double> callsByWeight = new HashMap<>();

    private long allCalls;

    /**
     * What the strategy sees of an endpoint.
     *
     * @param calls         that count as those of the endpoint, in relation to its weight, failures included; null if
     *     the strategy does not look at them
     * @param latencyMs     that it expects; null if it does not look at latencies, or knows none
     * @param heat          {@code hot} or {@code cold}; null if the strategy does not ask for it
     * @param sharePercent  of the calls of the last half minute; null if none is known
     * @param weightPercent what it would be by weight alone; null before the first call
     */
    record EndpointView(
            String name, Double calls, Double latencyMs, String heat, Double sharePercent, Double weightPercent) {}

    /** @param rates calls per second to each endpoint lately, by its address */
    StrategyReport(String strategy, List<ServiceState> pools, Map<String, Double> rates) {
        this.strategy = strategy;
        this.rates = rates;
        allRates = rates.values().stream().mapToDouble(Double::doubleValue).sum();
        pools.forEach(this::add);
    }

    private void add(ServiceState pool) {
        long calls = pool.endpoints().stream().mapToLong(MemberState::calls).sum();
        allCalls += calls;
        for (MemberState member : pool.endpoints()) {
            most.merge(member.address(), member, (one, other) -> one.calls() < other.calls() ? other : one);
            callsByWeight.merge(member.address(), calls * member.weightShare(), Double::sum);
        }
    }

    EndpointView endpoint(String address) {
        MemberState seen = most.get(address);
        EndpointEstimate estimate = seen == null ? EndpointEstimate.NONE : seen.estimate();
        return new EndpointView(
                strategy,
                Double.isNaN(estimate.calls()) ? null : hundredths(estimate.calls()),
                estimate.latencyNs() == 0 ? null : hundredths(estimate.latencyNs() / NS_PER_MS),
                estimate.heat() == EndpointEstimate.Heat.UNKNOWN
                        ? null
                        : estimate.heat().name().toLowerCase(Locale.ROOT),
                allRates == 0 ? null : hundredths(PERCENT * rates.getOrDefault(address, 0.0) / allRates),
                allCalls == 0 ? null : hundredths(PERCENT * callsByWeight.getOrDefault(address, 0.0) / allCalls));
    }

    private static double hundredths(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
