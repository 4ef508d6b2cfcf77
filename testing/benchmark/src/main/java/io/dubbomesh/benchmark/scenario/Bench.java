package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Harness;
import io.dubbomesh.benchmark.load.Wrk;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.benchmark.report.Report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the mesh on this machine: {@code SCENARIO [options]}, as {@code scripts/bench.sh --help} describes them. Its
 * status is 1 if an answer was wrong, or if something could not be measured.
 */
public final class Bench {
    private Bench() {}

    private static Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new LinkedHashMap<>(Comparisons.scenarios());
        scenarios.put("connections", Connections.scenario());
        scenarios.put("soak", Soak.scenario());
        scenarios.put("start", Start.scenario());
        scenarios.put("guard", Guard.scenario());
        scenarios.put("balance", Balance.scenario());
        scenarios.put("balance-faults", BalanceFaults.scenario());
        scenarios.put("balance-contest", BalanceContest.scenario());
        return scenarios;
    }

    public static void main(String[] args) throws Exception {
        try {
            System.exit(run(List.of(args)) ? 0 : 1);
        } catch (BenchException e) {
            System.err.println("bench.sh: " + e.getMessage());
            System.exit(1);
        }
    }

    private static boolean run(List<String> arguments) throws IOException, InterruptedException {
        String name = arguments.isEmpty() ? "nothing" : arguments.get(0);
        Scenario scenario = scenarios().get(name);
        if (scenario == null) {
            String names = String.join(", ", scenarios().keySet());
            throw new BenchException(name + " (expected: a scenario, one of " + names + ")");
        }
        Options options = Options.parse(arguments.subList(1, arguments.size()), scenario.defaults());
        if (options.before != null && !List.of("saturate", "guard").contains(name)) {
            throw new BenchException("--before (expected: only with saturate and guard)");
        }
        Installation installation = Installation.from(System::getProperty);
        String time = Report.timeOfNow();
        Report report = report(name, time, options, installation);
        Programs programs = new Programs(Files.createTempDirectory("dubbo-mesh."));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(programs, options.keepLogs)));
        Harness harness = new Harness(programs, new Wrk(programs, installation.script()), report, System.out);
        try {
            scenario.action()
                    .run(new Session(options, installation, new Stage(installation, options, programs), harness));
        } catch (IOException | BenchException e) {
            if (programs.isClosed()) {
                // The shutdown hook ended the program that failed. This process ends with the hook.
                Thread.currentThread().join();
            }
            throw e;
        }
        programs.stopAll();
        write(report, Files.createDirectories(installation.reports()).resolve(time + "-" + name));
        return report.failures().isEmpty();
    }

    private static Report report(String scenario, String time, Options options, Installation installation)
            throws IOException, InterruptedException {
        Machine machine = Machine.of(installation.root());
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("scenario", scenario);
        facts.put("time", time);
        facts.put("provider", options.realProviders() ? "dubbo" : "stub");
        facts.put("weights", options.weights);
        facts.put("seconds", options.plan().seconds());
        facts.put("warmup", options.plan().warmupSeconds());
        facts.put("machine", machine);
        facts.put("agentFlags", String.join(" ", installation.agentFlags()));
        facts.put("providerFlags", String.join(" ", installation.providerFlags()));
        facts.put("stubFlags", String.join(" ", installation.stubFlags()));
        return new Report(scenario + ", " + time, machine.toString(), facts);
    }

    private static void write(Report report, Path name) throws IOException {
        System.out.println();
        System.out.println(report.tables());
        System.out.printf("answers compared under load: %d, wrong: %d%n", report.checked(), report.wrong());
        report.writeJson(Path.of(name + ".json"));
        report.writeHtml(Path.of(name + ".html"));
        System.out.println("report: " + name + ".html, .json");
        report.failures().forEach(failure -> System.err.println("bench.sh: " + failure));
    }

    private static void cleanUp(Programs programs, boolean keepLogs) {
        try {
            programs.close();
            if (keepLogs) {
                System.out.println("logs: " + programs.directory());
                return;
            }
            try (Stream<Path> files = Files.walk(programs.directory())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("bench.sh: could not clean up " + programs.directory() + ": " + e);
        }
    }
}
