package io.dubbomesh.runtime.history;

import io.dubbomesh.runtime.history.CallCounts.MethodKey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Rates and durations of the last intervals, by method and by endpoint. Bounded: each of them takes 1 KB, and there
 * are at most {@value #MAX_SERIES} of each, those that had calls in these intervals. Not safe for
 * several threads.
 */
final class CallHistory {
    static final int MAX_SERIES = 128;

    private static final double P50 = 0.5;
    private static final double P99 = 0.99;

    private static final CallCounts.MethodTotals NONE = new CallCounts.MethodTotals();

    private final int length;
    private final int intervalSeconds;
    private final TimedSeries all;
    private final Map<MethodKey, TimedSeries> methods = new TreeMap<>();
    private final Map<String, TimedSeries> endpoints = new TreeMap<>();
    /** Null before the first. */
    private CallCounts last;

    private long lastNs;
    /**
     * The end of the last interval, whether anything is known of it or not; as a time of the clock in {@link #lastMs}.
     */
    private long endNs;

    private long lastMs;

    /** Calls and failures per second. */
    private static final class CallSeries {
        final Series calls;
        final Series failed;

        CallSeries(int length) {
            calls = new Series(length);
            failed = new Series(length);
        }

        void add(double callsPerSecond, double failedPerSecond) {
            calls.add((float) callsPerSecond);
            failed.add((float) failedPerSecond);
        }
    }

    /** A series with the durations of calls. */
    private static final class TimedSeries {
        final CallSeries calls;
        final Series p50;
        final Series p99;

        TimedSeries(int length) {
            calls = new CallSeries(length);
            p50 = new Series(length);
            p99 = new Series(length);
        }

        void add(double callsPerSecond, double failedPerSecond, Durations durations) {
            calls.add(callsPerSecond, failedPerSecond);
            p50.add(durations.quantileMs(P50));
            p99.add(durations.quantileMs(P99));
        }

        void addUnknown() {
            calls.add(Double.NaN, Double.NaN);
            p50.add(Float.NaN);
            p99.add(Float.NaN);
        }
    }

    /**
     * One number for each interval, the oldest first; null where nothing is known, and in durations where there were no
     * calls.
     */
    record Document(
            int intervalSeconds,
            String newest,
            List<Double> calls,
            List<Double> failed,
            List<Double> p50Ms,
            List<Double> p99Ms,
            List<MethodHistory> methods,
            List<EndpointHistory> endpoints) {}

    record MethodHistory(
            String service,
            String method,
            List<Double> calls,
            List<Double> failed,
            List<Double> p50Ms,
            List<Double> p99Ms) {}

    record EndpointHistory(
            String id, List<Double> calls, List<Double> failed, List<Double> p50Ms, List<Double> p99Ms) {}

    CallHistory(int intervalSeconds, int length) {
        this.intervalSeconds = intervalSeconds;
        this.length = length;
        all = new TimedSeries(length);
    }

    /**
     * Ends an interval, with all that was counted until now; if that was due long ago, nothing is known of those
     * between. The first one only begins with it.
     */
    void add(CallCounts counts, long nowNs, long nowMs) {
        if (last != null) {
            addMissed(nowNs);
            addInterval(counts, (nowNs - lastNs) / (double) TimeUnit.SECONDS.toNanos(1));
        }
        last = counts;
        lastNs = nowNs;
        endNs = nowNs;
        lastMs = nowMs;
    }

    /** Fills the intervals that were not ended: the process stood still, or the machine. */
    private void addMissed(long nowNs) {
        double intervals = (nowNs - endNs) / (double) TimeUnit.SECONDS.toNanos(intervalSeconds);
        long missed = Math.min(Math.round(intervals) - 1, length);
        for (long i = 0; i < missed; i++) {
            addUnknown();
        }
    }

    private void addInterval(CallCounts counts, double seconds) {
        Durations ofAll = new Durations();
        counts.methods.forEach((key, after) -> {
            CallCounts.MethodTotals before = last.methods.getOrDefault(key, NONE);
            ofAll.add(before.durations, after.durations);
            if (after.calls > before.calls && methods.size() < MAX_SERIES) {
                methods.computeIfAbsent(key, made -> new TimedSeries(length));
            }
        });
        methods.forEach((key, series) -> {
            CallCounts.MethodTotals before = last.methods.getOrDefault(key, NONE);
            CallCounts.MethodTotals after = counts.methods.getOrDefault(key, before);
            Durations durations = new Durations();
            durations.add(before.durations, after.durations);
            add(series, before, after, durations, seconds);
        });
        methods.values().removeIf(series -> !series.calls.calls.hasAny());
        add(all, last.all, counts.all, ofAll, seconds);
        addEndpoints(counts, seconds);
    }

    private static void add(
            TimedSeries series,
            CallCounts.MethodTotals before,
            CallCounts.MethodTotals after,
            Durations durations,
            double seconds) {
        series.add((after.calls - before.calls) / seconds, (after.failed - before.failed) / seconds, durations);
    }

    private void addEndpoints(CallCounts counts, double seconds) {
        counts.endpoints.forEach((id, after) -> {
            CallCounts.EndpointTotals before = last.endpoints.get(id);
            if (after.calls > (before == null ? 0 : before.calls) && endpoints.size() < MAX_SERIES) {
                endpoints.computeIfAbsent(id, made -> new TimedSeries(length));
            }
        });
        endpoints.forEach((id, series) -> {
            CallCounts.EndpointTotals before = last.endpoints.get(id);
            CallCounts.EndpointTotals after = counts.endpoints.get(id);
            Durations durations = new Durations();
            // One that was removed and came back counts from 0.
            if (after == null || before != null && after.calls < before.calls) {
                series.add(0, 0, durations);
            } else {
                durations.add(before == null ? null : before.durations, after.durations);
                series.add(
                        (after.calls - (before == null ? 0 : before.calls)) / seconds,
                        (after.failed - (before == null ? 0 : before.failed)) / seconds,
                        durations);
            }
        });
        endpoints.values().removeIf(series -> !series.calls.calls.hasAny());
    }

    /** Ends an interval of which nothing is known: what was counted in it is part of the next one. */
    void addUnknown(long nowNs, long nowMs) {
        if (last != null) {
            addMissed(nowNs);
        }
        addUnknown();
        endNs = nowNs;
        lastMs = nowMs;
    }

    private void addUnknown() {
        all.addUnknown();
        methods.values().forEach(TimedSeries::addUnknown);
        endpoints.values().forEach(TimedSeries::addUnknown);
    }

    /** Returns the calls per second to each endpoint, by its address, over the last intervals that are known. */
    Map<String, Double> recentRates(int intervals) {
        Map<String, Double> rates = new HashMap<>();
        endpoints.forEach((id, series) -> rates.put(id, series.calls.calls.meanOfLast(intervals)));
        return rates;
    }

    Document document() {
        List<MethodHistory> ofMethods = new ArrayList<>();
        methods.forEach((key, series) -> ofMethods.add(new MethodHistory(
                key.service(),
                key.method(),
                series.calls.calls.toList(),
                series.calls.failed.toList(),
                series.p50.toList(),
                series.p99.toList())));
        List<EndpointHistory> ofEndpoints = new ArrayList<>();
        endpoints.forEach((id, series) -> ofEndpoints.add(new EndpointHistory(
                id,
                series.calls.calls.toList(),
                series.calls.failed.toList(),
                series.p50.toList(),
                series.p99.toList())));
        return new Document(
                intervalSeconds,
                last == null ? null : Instant.ofEpochMilli(lastMs).toString(),
                all.calls.calls.toList(),
                all.calls.failed.toList(),
                all.p50.toList(),
                all.p99.toList(),
                ofMethods,
                ofEndpoints);
    }
}
