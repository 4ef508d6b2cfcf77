package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Plan;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.process.BenchException;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The user's options over the scenario's defaults, as {@code bench.sh --help} describes them. picocli sets the fields.
 */
final class Options {
    /** The defaults of every scenario unless it has its own. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "--connections", "512",
            "--seconds", "10",
            "--warmup", "20",
            "--rounds", "3",
            "--weights", "1",
            "--provider", "stub",
            "--minutes", "5");

    private static final int MAX_WEIGHTS = 10;

    @Option(names = "--connections", split = ",", converter = Count.class)
    List<Integer> connections;

    @Option(names = "--seconds", converter = Count.class)
    private int seconds;

    @Option(names = "--warmup", converter = Count.class)
    private int warmupSeconds;

    @Option(names = "--rounds", converter = Count.class)
    private int rounds;

    /** One provider for each. */
    @Option(names = "--weights", split = ",", converter = Count.class)
    List<Integer> weights;

    @Option(names = "--provider")
    private Provider provider;

    @Option(names = "--minutes", converter = Count.class)
    int minutes;

    /** Each agent's heap, or null for that of the scripts. */
    @Option(names = "--xmx", converter = Size.class)
    String xmx;

    @Option(names = "--sides", split = ",")
    private List<String> sides;

    /** Another checkout, whose agents {@code saturate} measures too, or null. */
    @Option(names = "--before")
    Path before;

    @Option(names = "--keep-logs")
    boolean keepLogs;

    private enum Provider {
        dubbo,
        stub
    }

    private static final class Count implements ITypeConverter<Integer> {
        private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,6}");

        @Override
        public Integer convert(String value) {
            if (!COUNT.matcher(value).matches()) {
                throw new TypeConversionException(value + " (expected: a whole number from 1 to 9999999)");
            }
            return Integer.valueOf(value);
        }
    }

    private static final class Size implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            if (!value.matches("\\d+[kmgKMG]")) {
                throw new TypeConversionException(value + " (expected: a size like 128m)");
            }
            return value;
        }
    }

    private Options() {}

    /** @param defaults of the scenario, by the options' names */
    static Options parse(List<String> arguments, Map<String, String> defaults) {
        Map<String, String> values = new HashMap<>(DEFAULTS);
        values.putAll(defaults);
        Options options = new Options();
        try {
            new CommandLine(options)
                    .setDefaultValueProvider(argument -> values.get(argument.isOption() ? name(argument) : null))
                    .parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new BenchException(e.getMessage() + " (see bench.sh --help)");
        }
        if (options.weights.size() > MAX_WEIGHTS) {
            throw new BenchException("--weights: " + options.weights + " (expected: one to ten whole numbers)");
        }
        if (options.before != null && !Files.isDirectory(options.before)) {
            throw new BenchException("--before: " + options.before + " (expected: the directory of another checkout)");
        }
        return options;
    }

    private static String name(CommandLine.Model.ArgSpec argument) {
        return ((CommandLine.Model.OptionSpec) argument).longestName();
    }

    /** One point for each number of connections. */
    List<Point> points() {
        return connections.stream().map(Point::of).toList();
    }

    int mostConnections() {
        return Collections.max(connections);
    }

    Plan plan() {
        return new Plan(warmupSeconds, rounds, seconds);
    }

    /** Real Dubbo providers instead of stubs. */
    boolean realProviders() {
        return provider == Provider.dubbo;
    }

    boolean wants(String side) {
        return sides == null || sides.contains(side);
    }
}
