package io.dubbomesh.benchmark.report;

import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The median of several values, the lowest and the highest. */
public record Spread(double median, double min, double max) {
    public static <T> Spread of(List<T> items, ToDoubleFunction<T> value) {
        return of(items.stream().map(value::applyAsDouble).toList());
    }

    /** Returns the ratio of each item to the other one in the same place. */
    public static <T> List<Double> ratios(List<T> items, List<T> others, ToDoubleFunction<T> value) {
        return IntStream.range(0, items.size())
                .mapToObj(i -> value.applyAsDouble(items.get(i)) / value.applyAsDouble(others.get(i)))
                .toList();
    }

    public static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no values (expected: at least one)");
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
