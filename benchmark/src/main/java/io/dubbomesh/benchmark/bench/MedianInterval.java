package io.dubbomesh.benchmark.bench;

import java.util.Collection;

/**
 * A median, and the interval that the true one lies in with a confidence of 95 % at least.
 *
 * <p>The interval is that of order statistics, from the k-th lowest value to the k-th highest. Each value is as likely to lie below the true
 * median as above, so the chance that the interval misses it is 2 P(B &lt; k), B being binomial with n values and 1/2; k is the highest that
 * keeps it at 5 % at most. It supposes nothing of the values but that they are independent of each other. With ten values it goes from the
 * second lowest to the second highest, which is 97.9 %; with fewer than six there is none.
 *
 * @param low  not a number where there are too few values, as is {@code high}
 */
record MedianInterval(double median, double low, double high) {
    private static final double MAX_MISSED = 0.05;

    static MedianInterval of(Collection<Double> values) {
        double median = Spread.of(values).median();
        int rank = rank(values.size());
        if (rank == 0) {
            return new MedianInterval(median, Double.NaN, Double.NaN);
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new MedianInterval(median, sorted[rank - 1], sorted[sorted.length - rank]);
    }

    /** The k of the interval for so many values, 0 for none. */
    private static int rank(int values) {
        int rank = 0;
        // By logarithms, since 2^-n itself is too small for many values.
        double logOfOne = -values * Math.log(2);
        double below = Math.exp(logOfOne);
        while (2 * below <= MAX_MISSED) {
            rank++;
            logOfOne += Math.log((double) (values - rank + 1) / rank);
            below += Math.exp(logOfOne);
        }
        return rank;
    }

    boolean isKnown() {
        return !Double.isNaN(low);
    }
}
