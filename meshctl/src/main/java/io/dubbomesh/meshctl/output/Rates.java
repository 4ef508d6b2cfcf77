package io.dubbomesh.meshctl.output;

import io.dubbomesh.meshctl.output.MetricsText.Series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rates of an agent between two samples of its metrics. */
public final class Rates {
    private static final String CONSUMER = "dubbomesh_consumer_";
    private static final String PROVIDER = "dubbomesh_provider_";
    private static final String OK = "OK";

    private final MetricsText before;
    private final MetricsText after;
    private final double seconds;

    /**
     * Durations are those of a histogram: between two bounds the calls count as spread evenly. Null if there were no
     * calls.
     */
    public record MethodRate(
            String service, String method, double callsPerSecond, double failedPerSecond, Double p50Ms, Double p99Ms) {}

    /** @param share of the calls, from 0 to 1 */
    public record EndpointRate(
            String endpoint, double callsPerSecond, double share, double failedPerSecond, long inFlight, long limit) {}

    public Rates(MetricsText before, MetricsText after, double seconds) {
        this.before = before;
        this.after = after;
        this.seconds = seconds;
    }

    /** Returns those of methods, the busiest first. */
    public List<MethodRate> methods() {
        String agent = after.series(CONSUMER + "requests_total").isEmpty() ? PROVIDER : CONSUMER;
        Map<List<String>, double[]> counts = new LinkedHashMap<>();
        for (Series series : after.series(agent + "requests_total")) {
            double calls = rate(series);
            double[] count = counts.computeIfAbsent(
                    List.of(series.label("service"), series.label("method")), method -> new double[2]);
            count[0] += calls;
            count[1] += series.label("code").equals(OK) ? 0 : calls;
        }
        List<MethodRate> rates = new ArrayList<>();
        counts.forEach((method, count) -> {
            TreeMap<Double, Double> buckets = buckets(agent + "request_duration_seconds_bucket", method);
            rates.add(new MethodRate(
                    method.get(0),
                    method.get(1),
                    count[0],
                    count[1],
                    quantileMs(buckets, 0.5),
                    quantileMs(buckets, 0.99)));
        });
        rates.sort(Comparator.comparingDouble(MethodRate::callsPerSecond).reversed());
        return rates;
    }

    /** Returns those of endpoints, in the order of their addresses; none of a provider agent. */
    public List<EndpointRate> endpoints() {
        Map<String, double[]> counts = new TreeMap<>();
        add(counts, "endpoint_requests_total", 0);
        add(counts, "endpoint_failures_total", 1);
        double all = counts.values().stream().mapToDouble(count -> count[0]).sum();
        List<EndpointRate> rates = new ArrayList<>();
        counts.forEach((endpoint, count) -> rates.add(new EndpointRate(
                endpoint,
                count[0],
                all == 0 ? 0 : count[0] / all,
                count[1],
                now("endpoint_in_flight", endpoint),
                now("endpoint_limit", endpoint))));
        return rates;
    }

    private void add(Map<String, double[]> counts, String name, int index) {
        for (Series series : after.series(CONSUMER + name)) {
            counts.computeIfAbsent(series.label("endpoint"), endpoint -> new double[2])[index] += rate(series);
        }
    }

    private long now(String name, String endpoint) {
        return (long) after.value(new Series(CONSUMER + name, Map.of("endpoint", endpoint)));
    }

    private double rate(Series series) {
        // An agent that was started again counts from 0.
        return Math.max(0, after.value(series) - before.value(series)) / seconds;
    }

    /** Returns the calls of the method that took at most so many seconds, by the seconds. */
    private TreeMap<Double, Double> buckets(String name, List<String> method) {
        TreeMap<Double, Double> buckets = new TreeMap<>();
        for (Series series : after.series(name)) {
            if (series.label("service").equals(method.get(0))
                    && series.label("method").equals(method.get(1))) {
                String bound = series.label("le");
                buckets.merge(
                        bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound),
                        rate(series),
                        Double::sum);
            }
        }
        return buckets;
    }

    private static Double quantileMs(TreeMap<Double, Double> buckets, double quantile) {
        if (buckets.isEmpty() || buckets.lastEntry().getValue() == 0) {
            return null;
        }
        double rank = buckets.lastEntry().getValue() * quantile;
        double lowerBound = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            if (bucket.getValue() >= rank) {
                boolean isLast = bucket.getKey().isInfinite();
                double part = isLast ? 0 : (rank - below) / (bucket.getValue() - below);
                return 1e3 * (lowerBound + (isLast ? 0 : part * (bucket.getKey() - lowerBound)));
            }
            lowerBound = bucket.getKey();
            below = bucket.getValue();
        }
        return null;
    }
}
