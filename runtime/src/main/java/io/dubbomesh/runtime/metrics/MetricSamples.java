package io.dubbomesh.runtime.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The samples of a scrape, by metric and by the values of its labels. Samples of the same labels are added up, by which
 * the event loops of an agent become one. Used by one thread at a time.
 */
public final class MetricSamples {
    /** The value of a counter or gauge, or what is known of durations. */
    public static final class Sample {
        private double value;
        private long count;
        /** Null unless the metric is a histogram. */
        private DurationHistogram durations;

        /** Returns the value; of a summary, the sum of the durations in seconds. */
        public double value() {
            return value;
        }

        /** Returns the number of durations of a summary. */
        public long count() {
            return count;
        }

        public DurationHistogram durations() {
            return durations;
        }
    }

    private final Map<Metric, Map<List<String>, Sample>> samples = new LinkedHashMap<>();

    /** @param labels their values, in the order of the metric's names */
    public void add(Metric metric, double value, String... labels) {
        add(metric, value, sample(metric, List.of(labels)));
    }

    private static void add(Metric metric, double value, Sample to) {
        to.value = metric.type() == Metric.Type.MAXIMUM ? Math.max(to.value, value) : to.value + value;
    }

    public void addSummary(Metric metric, long count, double sumSeconds, String... labels) {
        Sample to = sample(metric, List.of(labels));
        to.count += count;
        to.value += sumSeconds;
    }

    public void addHistogram(Metric metric, DurationHistogram durations, String... labels) {
        addHistogram(durations, sample(metric, List.of(labels)));
    }

    private static void addHistogram(DurationHistogram durations, Sample to) {
        if (to.durations == null) {
            to.durations = new DurationHistogram();
        }
        to.durations.add(durations);
    }

    /** Adds all that another one has. */
    public void addAll(MetricSamples other) {
        other.samples.forEach((metric, byLabels) -> byLabels.forEach((labels, sample) -> {
            Sample to = sample(metric, labels);
            to.count += sample.count;
            add(metric, sample.value, to);
            if (sample.durations != null) {
                addHistogram(sample.durations, to);
            }
        }));
    }

    public void forEach(BiConsumer<Metric, Map<List<String>, Sample>> visitor) {
        samples.forEach(visitor);
    }

    private Sample sample(Metric metric, List<String> labels) {
        assert labels.size() == metric.labels().size() : metric.name() + ": labels " + labels;
        return samples.computeIfAbsent(metric, key -> new LinkedHashMap<>())
                .computeIfAbsent(labels, key -> new Sample());
    }
}
