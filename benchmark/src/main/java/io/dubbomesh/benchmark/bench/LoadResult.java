package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a load generator says at its end, in lines of its output:
 * <pre>
 * RESULT requests=1000 duration_us=1000000 p50_us=100 ...
 * CURVE 0:90 50:100 99.9:400 100:500      the latency in microseconds by percentile; may be absent
 * </pre>
 *
 * @param meanUs  -1 if it does not say; so are the percentiles of requests that are sent several at once
 * @param checked answers whose values were compared
 */
record LoadResult(
        long requests,
        long durationUs,
        long meanUs,
        long p50Us,
        long p90Us,
        long p99Us,
        long maxUs,
        long socketErrors,
        long timeouts,
        long badStatuses,
        long checked,
        long wrong,
        List<Quantile> curve) {
    private static final String RESULT = "RESULT ";
    private static final String CURVE = "CURVE ";
    private static final double US_PER_SECOND = 1e6;

    record Quantile(double percentile, long us) {}

    static LoadResult parse(String output) throws BenchException {
        Map<String, Long> values = null;
        List<Quantile> curve = List.of();
        for (String line : output.lines().toList()) {
            if (line.startsWith(RESULT)) {
                values = values(line);
            } else if (line.startsWith(CURVE)) {
                curve = curve(line);
            }
        }
        if (values == null) {
            throw new BenchException("no line RESULT (expected at the end) in:\n" + output);
        }
        return new LoadResult(
                required(values, "requests"),
                required(values, "duration_us"),
                values.getOrDefault("mean_us", -1L),
                required(values, "p50_us"),
                required(values, "p90_us"),
                required(values, "p99_us"),
                required(values, "max_us"),
                required(values, "socket_errors"),
                required(values, "timeouts"),
                required(values, "bad_statuses"),
                values.getOrDefault("checked", 0L),
                values.getOrDefault("wrong", 0L),
                curve);
    }

    private static Map<String, Long> values(String line) throws BenchException {
        Map<String, Long> values = new HashMap<>();
        for (String pair : line.substring(RESULT.length()).strip().split(" +")) {
            int equals = pair.indexOf('=');
            try {
                values.put(pair.substring(0, Math.max(equals, 0)), Long.valueOf(pair.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw new BenchException(pair + " (expected: key=whole number) in: " + line);
            }
        }
        return values;
    }

    private static List<Quantile> curve(String line) throws BenchException {
        List<Quantile> curve = new ArrayList<>();
        for (String pair : line.substring(CURVE.length()).strip().split(" +")) {
            int colon = pair.indexOf(':');
            try {
                curve.add(new Quantile(
                        Double.parseDouble(pair.substring(0, Math.max(colon, 0))),
                        Long.parseLong(pair.substring(colon + 1))));
            } catch (NumberFormatException e) {
                throw new BenchException(pair + " (expected: percentile:microseconds) in: " + line);
            }
        }
        return List.copyOf(curve);
    }

    private static long required(Map<String, Long> values, String key) throws BenchException {
        Long value = values.get(key);
        if (value == null) {
            throw new BenchException("RESULT has no " + key + ", only " + values.keySet());
        }
        return value;
    }

    /** Requests with a good status in a second, as the 2018 benchmark counts. */
    double qps() {
        return (requests - badStatuses) * US_PER_SECOND / durationUs;
    }

    long errors() {
        return socketErrors + timeouts + badStatuses + wrong;
    }
}
