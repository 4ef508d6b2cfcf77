package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.process.BenchException;

/** What the simulator says of a strategy in a scenario of one phase. */
public record SimulatedRow(double p50Ms, double p99Ms) {

    public static SimulatedRow of(String strategy, FourProviders scenario, int seeds) {
        Row row = scenario.policies().stream()
                .filter(policy -> policy.name().equals(strategy))
                .map(policy -> Row.of(policy, scenario, seeds).get(0))
                .findFirst()
                .orElseThrow(() -> new BenchException(strategy + " is not simulated"));
        return new SimulatedRow(row.p50Ms(), row.p99Ms());
    }
}
