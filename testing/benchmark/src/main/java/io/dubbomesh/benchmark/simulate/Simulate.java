package io.dubbomesh.benchmark.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.simulate.world.Policy;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs a scenario: {@code SCENARIO [options]}, as {@code scripts/simulate.sh --help} describes them. */
@CommandLine.Command(name = "simulate.sh")
public final class Simulate implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @Parameters(arity = "0..1")
    private String name = "linkerd-2016";

    @Option(names = "--seeds")
    private int seeds = 5;

    @Option(names = "--json")
    private Path json;

    @Option(names = "--plots")
    private Path plots;

    @Option(names = "--strategy")
    private String strategy;

    private Simulate() {}

    static Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("linkerd-2016", new Linkerd2016(60));
        scenarios.put("prequal-ramp", new PrequalRamp(30));
        scenarios.put("ramp-neighbours", new RampNeighbours(30));
        scenarios.put("one-slow", new TenEndpoints(TenEndpoints.Fault.TEN_TIMES_SLOWER, 1));
        scenarios.put("two-slow", new TenEndpoints(TenEndpoints.Fault.TEN_TIMES_SLOWER, 2));
        scenarios.put("fast-errors", new TenEndpoints(TenEndpoints.Fault.ERRORS_IN_A_MILLISECOND, 1));
        scenarios.put("fast-exceptions", new TenEndpoints(TenEndpoints.Fault.EXCEPTIONS_IN_A_MILLISECOND, 1));
        scenarios.put("one-dies", new TenEndpoints(TenEndpoints.Fault.DIES_FOR_TEN_SECONDS, 1));
        scenarios.put("contest", new Contest());
        scenarios.put(
                "four-providers",
                new FourProviders(List.of(), Duration.ofSeconds(60), FourProviders.CPU_MS, FourProviders.WAY_MS));
        scenarios.put("fleet", new Fleet(1, 120, 60));
        return scenarios;
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Simulate())
                .setExecutionExceptionHandler((e, command, result) -> {
                    if (!(e instanceof BenchException)) {
                        throw e;
                    }
                    System.err.println("simulate.sh: " + e.getMessage());
                    return 1;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Scenario scenario = scenarios().get(name);
        if (scenario == null) {
            throw new BenchException(
                    name + " (expected: " + String.join(", ", scenarios().keySet()) + ")");
        }
        if (seeds < 1) {
            throw new BenchException("--seeds: " + seeds + " (expected: at least 1)");
        }
        List<Row> rows = new ArrayList<>();
        for (Policy policy : policies(scenario, strategy)) {
            rows.addAll(Row.of(policy, scenario, seeds));
        }
        System.out.println(Row.table(name + ": " + scenario.description() + "; " + seeds + " seeds", rows));
        if (json != null) {
            JSON.writeValue(json.toFile(), Map.of("scenario", name, "seeds", seeds, "rows", rows));
        }
        if (plots != null) {
            RampPlot.write(plots.resolve(name + ".svg"), rows);
        }
        return 0;
    }

    /** @param strategy the only one; null for all */
    static List<Policy> policies(Scenario scenario, String strategy) {
        if (strategy == null) {
            return scenario.policies();
        }
        List<String> names = scenario.policies().stream().map(Policy::name).toList();
        if (!names.contains(strategy)) {
            throw new BenchException("--strategy: " + strategy + " (expected: " + String.join(", ", names) + ")");
        }
        return scenario.policies().stream()
                .filter(policy -> policy.name().equals(strategy))
                .toList();
    }
}
