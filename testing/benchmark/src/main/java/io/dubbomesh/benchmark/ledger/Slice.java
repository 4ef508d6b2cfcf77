package io.dubbomesh.benchmark.ledger;

import org.HdrHistogram.Histogram;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calls that were to be sent in a part of the load: how many ended how, and the latency of good answers and of
 * refusals.
 */
public final class Slice {
    private static final long MAX_LATENCY_NS = Duration.ofMinutes(10).toNanos();
    private static final int DIGITS = 3;
    private static final double NS_PER_MS = 1e6;

    private final Duration from;
    private final Duration to;
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Histogram good = new Histogram(MAX_LATENCY_NS, DIGITS);
    private final Histogram refused = new Histogram(MAX_LATENCY_NS, DIGITS);
    private long calls;

    Slice(Duration from, Duration to) {
        this.from = from;
        this.to = to;
    }

    void add(Call call) {
        calls++;
        outcomes.merge(call.outcome(), 1L, Long::sum);
        if (call.status() != 0) {
            statuses.merge(call.status(), 1L, Long::sum);
        }
        if (call.outcome() == Outcome.GOOD) {
            good.recordValue(Math.min(call.latencyNs(), MAX_LATENCY_NS));
        } else if (call.outcome() == Outcome.REFUSED) {
            refused.recordValue(Math.min(call.latencyNs(), MAX_LATENCY_NS));
        }
    }

    public long calls() {
        return calls;
    }

    public long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** Returns the number of answers by status. */
    public Map<Integer, Long> statuses() {
        return statuses;
    }

    public double callsPerSecond() {
        return calls / seconds();
    }

    public double goodPerSecond() {
        return count(Outcome.GOOD) / seconds();
    }

    private double seconds() {
        return to.minus(from).toNanos() / 1e9;
    }

    /** The share of the calls that have no good answer, 0 to 1. */
    public double failedShare() {
        return calls == 0 ? 0 : (double) (calls - count(Outcome.GOOD)) / calls;
    }

    /** The share of the calls that have no good answer, or one after more than {@code limitMs}. */
    public double failedOrSlowShare(double limitMs) {
        if (calls == 0) {
            return 0;
        }
        long inTime = good.getCountBetweenValues(0, (long) (limitMs * NS_PER_MS));
        return (double) (calls - inTime) / calls;
    }

    /**
     * The latency of good answers in milliseconds, from the time at which each call was to be sent; NaN if there are
     * none.
     */
    public double goodMs(double percentile) {
        return ms(good, percentile);
    }

    /** Likewise, of refusals. */
    public double refusedMs(double percentile) {
        return ms(refused, percentile);
    }

    private static double ms(Histogram latencies, double percentile) {
        return latencies.getTotalCount() == 0 ? Double.NaN : latencies.getValueAtPercentile(percentile) / NS_PER_MS;
    }

    /** The columns of {@link #toString}. */
    public static String header() {
        return "        from s        calls/s   good/s  p50 ms   p99 ms p99.9 ms  refused  p50 ms   p99 ms p99.9 ms  statuses, others";
    }

    @Override
    public String toString() {
        StringBuilder others = new StringBuilder();
        statuses.forEach(
                (status, count) -> others.append(' ').append(status).append('=').append(count));
        for (Outcome outcome : new Outcome[] {
            Outcome.WRONG, Outcome.CROSSED, Outcome.UNTAGGED, Outcome.LOST, Outcome.UNSENT, Outcome.PENDING
        }) {
            if (count(outcome) > 0) {
                others.append(' ').append(outcome).append('=').append(count(outcome));
            }
        }
        return String.format(
                Locale.ROOT,
                "%7.1f-%7.1f %9.1f %8.1f %7.2f %8.2f %8.2f %8d %7.2f %8.2f %8.2f %s",
                from.toMillis() / 1e3,
                to.toMillis() / 1e3,
                callsPerSecond(),
                goodPerSecond(),
                goodMs(50),
                goodMs(99),
                goodMs(99.9),
                count(Outcome.REFUSED),
                refusedMs(50),
                refusedMs(99),
                refusedMs(99.9),
                others);
    }
}
