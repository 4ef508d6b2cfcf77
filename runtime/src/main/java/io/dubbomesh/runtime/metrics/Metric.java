package io.dubbomesh.runtime.metrics;

import java.util.List;

/**
 * The definition of a metric. Name and labels are a contract with dashboards and alerts, listed in
 * docs/operate/metrics.md.
 *
 * @param name   as Prometheus has it, with {@code _total} where it is a counter
 * @param help   a sentence for operators
 * @param labels the names of the labels
 */
public record Metric(Type type, String name, String help, List<String> labels) {
    /** The way in which the samples of several event loops make one. */
    public enum Type {
        /** Only rises; the sum of those of the loops. */
        COUNTER,
        /** The sum of those of the loops. */
        GAUGE,
        /** A gauge that is meant to be the same on every loop; the largest. */
        MAXIMUM,
        /** Only its labels tell something. */
        INFO,
        /** A number of durations and their sum. */
        SUMMARY,
        HISTOGRAM
    }

    public static Metric counter(String name, String help, String... labels) {
        return new Metric(Type.COUNTER, name, help, List.of(labels));
    }

    public static Metric gauge(String name, String help, String... labels) {
        return new Metric(Type.GAUGE, name, help, List.of(labels));
    }

    public static Metric maximum(String name, String help, String... labels) {
        return new Metric(Type.MAXIMUM, name, help, List.of(labels));
    }

    public static Metric info(String name, String help, String... labels) {
        return new Metric(Type.INFO, name, help, List.of(labels));
    }

    public static Metric summary(String name, String help, String... labels) {
        return new Metric(Type.SUMMARY, name, help, List.of(labels));
    }

    public static Metric histogram(String name, String help, String... labels) {
        return new Metric(Type.HISTOGRAM, name, help, List.of(labels));
    }

    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof Metric that
                && type == that.type
                && name.equals(that.name)
                && help.equals(that.help)
                && labels.equals(that.labels);
    }

    @Override
    public int hashCode() {
        int hash = type.hashCode();
        hash = 31 * hash + name.hashCode();
        hash = 31 * hash + help.hashCode();
        hash = 31 * hash + labels.hashCode();
        return hash;
    }
}
