package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the mesh on this machine: {@code SCENARIO [options]}, as {@code scripts/bench.sh --help} describes them. Its status is 1 if
 * anything was answered wrongly, or could not be measured.
 */
public final class Bench {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private Bench() {}

    private static Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("contest", new Contest());
        scenarios.put("saturate", new Saturate());
        scenarios.put("reference", new Reference());
        scenarios.put("pipeline", new Pipeline());
        scenarios.put("sizes", new Sizes());
        scenarios.put("connections", new Connections());
        scenarios.put("transport", new Transports());
        scenarios.put("front", new Front());
        scenarios.put("gc", new Gc());
        scenarios.put("soak", new Soak());
        scenarios.put("start", new Start());
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

    private static boolean run(List<String> arguments) throws IOException, InterruptedException, BenchException {
        Scenario scenario = arguments.isEmpty() ? null : scenarios().get(arguments.get(0));
        if (scenario == null) {
            throw new BenchException(String.join(" ", arguments) + " (expected: a scenario, one of "
                    + String.join(", ", scenarios().keySet()) + ")");
        }
        Options options = Options.parse(arguments.subList(1, arguments.size()), scenario.defaults());
        Installation installation = Installation.from(System::getProperty);
        Report report = new Report(
                arguments.get(0), TIME.format(Instant.now()), Machine.of(installation.root()), options, installation);
        Programs programs = new Programs(Files.createTempDirectory("dubbo-mesh."));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(programs, options.keepLogs())));
        try {
            scenario.run(new Session(
                    options, installation, programs, new Stage(installation, options, programs), report, System.out));
        } catch (IOException | BenchException e) {
            if (programs.isClosed()) {
                // What failed was ended by the shutdown hook, behind which the process ends.
                Thread.currentThread().join();
            }
            throw e;
        }
        programs.stopAll();
        write(report, installation.reports());
        return report.failures().isEmpty();
    }

    private static void write(Report report, Path directory) throws IOException {
        System.out.println();
        report.tables().forEach(System.out::println);
        System.out.printf("answers compared under load: %d, wrong: %d%n", report.checked(), report.wrong());
        Files.createDirectories(directory);
        Path name = directory.resolve(report.time() + "-" + report.scenario());
        Json.write(report, Path.of(name + ".json"));
        Html.write(report, Path.of(name + ".html"));
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
