package io.dubbomesh.benchmark.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the user asks for, {@code --KEY VALUE}, in front of what the scenario asks for by default. */
final class Options {
    private static final String PREFIX = "--";
    private static final String KEEP_LOGS = "--keep-logs";
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,6}");
    private static final Pattern NUMBERS = Pattern.compile(NUMBER + "(," + NUMBER + ")*");
    private static final Pattern SIZE = Pattern.compile("\\d+[kmgKMG]|");
    private static final int MAX_WEIGHTS = 3;

    /** What holds for every scenario unless it says otherwise. Empty: not set. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "connections", "512",
            "seconds", "10",
            "warmup", "20",
            "rounds", "3",
            "weights", "1",
            "provider", "stub",
            "minutes", "5",
            "xmx", "",
            "sides", "");

    private final Map<String, String> values = new HashMap<>(DEFAULTS);
    private boolean keepLogs;

    /** @param defaults of the scenario, with the keys of the options; a key that is not among those of all is of this scenario alone */
    Options(Map<String, String> defaults) {
        values.putAll(defaults);
    }

    static Options parse(List<String> arguments, Map<String, String> defaults) throws BenchException {
        Options options = new Options(defaults);
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals(KEEP_LOGS)) {
                options.keepLogs = true;
                continue;
            }
            String key = argument.startsWith(PREFIX) ? argument.substring(PREFIX.length()) : "";
            if (!options.values.containsKey(key)) {
                throw new BenchException(argument + " (expected: an option, see bench.sh --help)");
            }
            if (++i == arguments.size()) {
                throw new BenchException(argument + " needs a value");
            }
            String expected = expected(key, arguments.get(i));
            if (expected != null) {
                throw new BenchException(argument + ": " + arguments.get(i) + " (expected: " + expected + ")");
            }
            options.values.put(key, arguments.get(i));
        }
        return options;
    }

    /** Null if the value fits. */
    private static String expected(String key, String value) {
        return switch (key) {
            case "connections" ->
                NUMBERS.matcher(value).matches() ? null : "whole numbers from 1 to 9999999, separated by commas";
            case "weights" ->
                NUMBERS.matcher(value).matches() && value.split(",").length <= MAX_WEIGHTS
                        ? null
                        : "one to three whole numbers from 1, separated by commas";
            case "provider" -> value.equals("dubbo") || value.equals("stub") ? null : "dubbo or stub";
            case "xmx" -> SIZE.matcher(value).matches() ? null : "a size like 128m";
            case "sides" -> value.isEmpty() ? "names of sides, separated by commas" : null;
            case "before" -> Files.isDirectory(Path.of(value)) ? null : "the directory of another checkout";
            default -> NUMBER.matcher(value).matches() ? null : "a whole number from 1 to 9999999";
        };
    }

    /** Of the load; each is a point of the comparison. */
    List<Integer> connections() {
        return numbers("connections");
    }

    int mostConnections() {
        return connections().stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** Of a round. */
    int seconds() {
        return number("seconds");
    }

    /** Before the first round, for each side. */
    int warmupSeconds() {
        return number("warmup");
    }

    /** How often each side is measured at each point. */
    int rounds() {
        return number("rounds");
    }

    /** One provider for each. */
    List<Integer> weights() {
        return numbers("weights");
    }

    /** Real Dubbo providers rather than stubs. */
    boolean realProviders() {
        return values.get("provider").equals("dubbo");
    }

    /** Of the scenarios that last. */
    int minutes() {
        return number("minutes");
    }

    /** Each agent's heap, or an empty text: as the scripts have it. */
    String xmx() {
        return values.get("xmx");
    }

    /** The directory of another checkout whose agents are to be measured beside these, or an empty text. */
    String before() {
        return values.get("before");
    }

    /** Whether the side of this name is to be measured. */
    boolean wants(String side) {
        List<String> sides = List.of(values.get("sides").split(","));
        return sides.contains("") || sides.contains(side);
    }

    boolean keepLogs() {
        return keepLogs;
    }

    private int number(String key) {
        return Integer.parseInt(values.get(key));
    }

    private List<Integer> numbers(String key) {
        return Arrays.stream(values.get(key).split(",")).map(Integer::valueOf).toList();
    }
}
