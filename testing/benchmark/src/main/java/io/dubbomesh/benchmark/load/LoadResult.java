package io.dubbomesh.benchmark.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.report.Report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a load generator, in lines of its output:
 * <pre>
 * RESULT requests=1000 duration_us=1000000 p50_us=100 ...
 * CURVE 0:90 50:100 99.9:400 100:500      the latency in microseconds by percentile; may be absent
 * </pre>
 *
 * @param meanUs  -1 if it is not known, like the percentiles of requests that are sent several at once
 * @param checked answers whose values were compared
 * @param curve   microseconds by percentile
 */
public record LoadResult(
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
        Map<Double, Long> curve) {
    private static final double US_PER_SECOND = 1e6;

    public static LoadResult parse(String output) {
        Map<String, Long> result = pairs(output, "RESULT ", "=");
        if (result.isEmpty()) {
            throw new BenchException("no line RESULT (expected at the end) in:\n" + output);
        }
        Map<Double, Long> curve = new TreeMap<>();
        pairs(output, "CURVE ", ":").forEach((percentile, us) -> curve.put(Double.valueOf(percentile), us));
        return new LoadResult(
                required(result, "requests"),
                required(result, "duration_us"),
                result.getOrDefault("mean_us", -1L),
                required(result, "p50_us"),
                required(result, "p90_us"),
                required(result, "p99_us"),
                required(result, "max_us"),
                required(result, "socket_errors"),
                required(result, "timeouts"),
                required(result, "bad_statuses"),
                result.getOrDefault("checked", 0L),
                result.getOrDefault("wrong", 0L),
                curve);
    }

    /** Returns the pairs in the line that starts so; none if there is no such line. */
    private static Map<String, Long> pairs(String output, String start, String separator) {
        String line =
                output.lines().filter(l -> l.startsWith(start)).findFirst().orElse(start);
        Map<String, Long> pairs = new LinkedHashMap<>();
        for (String pair : line.substring(start.length()).strip().split(" +")) {
            String[] parts = pair.split(separator);
            try {
                if (!pair.isEmpty()) {
                    pairs.put(parts[0], Long.valueOf(parts[1]));
                }
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw new BenchException(pair + " (expected: key" + separator + "whole number) in: " + line);
            }
        }
        return pairs;
    }

    private static long required(Map<String, Long> values, String key) {
        Long value = values.get(key);
        if (value == null) {
            throw new BenchException("RESULT has no " + key + ", only " + values.keySet());
        }
        return value;
    }

    /** Requests with a good status in a second, as the 2018 benchmark counts. */
    @JsonProperty
    public double qps() {
        return (requests - badStatuses) * US_PER_SECOND / durationUs;
    }

    @JsonProperty
    public long errors() {
        return socketErrors + timeouts + badStatuses + wrong;
    }

    /** @param name of what ran under the load */
    public void failOnErrors(Report report, String name) {
        if (errors() > 0) {
            report.fail("%s: %d socket errors, %d timeouts, %d bad statuses, %d wrong answers"
                    .formatted(name, socketErrors, timeouts, badStatuses, wrong));
        }
    }
}
