package io.dubbomesh.benchmark.report;

import com.fasterxml.jackson.annotation.JsonInclude;

import java.util.Collection;

/**
 * A median, and the interval that contains the true median with a confidence of at least 95 %.
 *
 * <p>The interval is that of order statistics, from the k-th lowest value to the k-th highest. A value is as likely to
 * be below the true median as above, so the interval misses it with the probability 2 P(B &lt; k), where B is binomial
 * with n values and 1/2; k is the highest that keeps this at 5 % or less. The only assumption is that the values are
 * independent. With ten values the interval goes from the second lowest to the second highest, which is 97.9 %; with
 * fewer than six there is none.
 *
 * @param low null if there are too few values, like {@code high}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MedianInterval(double median, Double low, Double high) {
    private static final double MAX_MISSED = 0.05;

    public static MedianInterval of(Collection<Double> values) {
        double median = Spread.of(values).median();
        int rank = rank(values.size());
        if (rank == 0) {
            return new MedianInterval(median, null, null);
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new MedianInterval(median, sorted[rank - 1], sorted[sorted.length - rank]);
    }

    /** The k of the interval for so many values, 0 for none. */
    private static int rank(int values) {
        int rank = 0;
        // Computed by logarithms, since 2^-n itself is too small for many values.
        double logOfOne = -values * Math.log(2);
        double below = Math.exp(logOfOne);
        while (2 * below <= MAX_MISSED) {
            rank++;
            logOfOne += Math.log((double) (values - rank + 1) / rank);
            below += Math.exp(logOfOne);
        }
        return rank;
    }
}
