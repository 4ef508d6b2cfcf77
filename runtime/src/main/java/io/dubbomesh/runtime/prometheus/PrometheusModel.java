package io.dubbomesh.runtime.prometheus;

import io.dubbomesh.runtime.metrics.DurationBuckets;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.MetricSamples.Sample;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Turns samples into the model of Prometheus' client. A histogram has both its forms: which of them is sent depends on
 * the format.
 */
final class PrometheusModel {
    private static final double[] CLASSIC_BOUNDS = DurationBuckets.classicBounds();
    /** The time of creation where that of the first sample is not told. */
    private static final long NO_CREATION = 0;

    private static final HexFormat DIGITS = HexFormat.of();

    private PrometheusModel() {}

    static MetricSnapshots of(MetricSamples samples) {
        List<MetricSnapshot> families = new ArrayList<>();
        samples.forEach((metric, byLabels) -> families.add(family(metric, byLabels)));
        return new MetricSnapshots(families);
    }

    private static MetricSnapshot family(Metric metric, Map<List<String>, Sample> samples) {
        MetricMetadata metadata = new MetricMetadata(baseName(metric), metric.help());
        return switch (metric.type()) {
            case COUNTER ->
                new CounterSnapshot(
                        metadata,
                        points(
                                metric,
                                samples,
                                (labels, sample) ->
                                        new CounterDataPointSnapshot(sample.value(), labels, null, NO_CREATION)));
            case GAUGE, MAXIMUM ->
                new GaugeSnapshot(
                        metadata,
                        points(
                                metric,
                                samples,
                                (labels, sample) -> new GaugeDataPointSnapshot(sample.value(), labels, null)));
            case INFO ->
                new InfoSnapshot(
                        metadata, points(metric, samples, (labels, sample) -> new InfoDataPointSnapshot(labels)));
            case SUMMARY -> new SummarySnapshot(metadata, points(metric, samples, PrometheusModel::summary));
            case HISTOGRAM -> new HistogramSnapshot(metadata, points(metric, samples, PrometheusModel::histogram));
        };
    }

    /** The client appends what belongs to the type. */
    private static String baseName(Metric metric) {
        return switch (metric.type()) {
            case COUNTER -> withoutSuffix(metric.name(), "_total");
            case INFO -> withoutSuffix(metric.name(), "_info");
            case GAUGE, MAXIMUM, SUMMARY, HISTOGRAM -> metric.name();
        };
    }

    private static String withoutSuffix(String name, String suffix) {
        assert name.endsWith(suffix) : name;
        return name.substring(0, name.length() - suffix.length());
    }

    private static <T> List<T> points(
            Metric metric, Map<List<String>, Sample> samples, BiFunction<Labels, Sample, T> newPoint) {
        List<T> points = new ArrayList<>();
        samples.forEach((values, sample) -> points.add(newPoint.apply(Labels.of(metric.labels(), values), sample)));
        return points;
    }

    private static SummaryDataPointSnapshot summary(Labels labels, Sample sample) {
        return new SummaryDataPointSnapshot(
                sample.count(), sample.value(), Quantiles.EMPTY, labels, Exemplars.EMPTY, NO_CREATION);
    }

    private static HistogramDataPointSnapshot histogram(Labels labels, Sample sample) {
        DurationHistogram durations = sample.durations();
        return new HistogramDataPointSnapshot(
                classic(durations),
                DurationBuckets.SCHEMA,
                durations.count(0),
                DurationBuckets.ZERO_THRESHOLD_S,
                positive(durations),
                NativeHistogramBuckets.EMPTY,
                durations.sumSeconds(),
                labels,
                exemplars(durations),
                NO_CREATION);
    }

    private static Exemplars exemplars(DurationHistogram durations) {
        return Exemplars.of(durations.exemplars().stream()
                .map(each -> Exemplar.builder()
                        .value(each.seconds())
                        .traceId(DIGITS.toHexDigits(each.traceIdHigh()) + DIGITS.toHexDigits(each.traceIdLow()))
                        .spanId(DIGITS.toHexDigits(each.spanId()))
                        .timestampMillis(each.epochMs())
                        .build())
                .toList());
    }

    private static ClassicHistogramBuckets classic(DurationHistogram durations) {
        long[] counts = new long[CLASSIC_BOUNDS.length];
        for (int cell = 0; cell < DurationBuckets.CELLS; cell++) {
            counts[DurationBuckets.classicIndex(cell)] += durations.count(cell);
        }
        return ClassicHistogramBuckets.of(CLASSIC_BOUNDS, counts);
    }

    private static NativeHistogramBuckets positive(DurationHistogram durations) {
        NativeHistogramBuckets.Builder buckets = NativeHistogramBuckets.builder();
        for (int cell = 1; cell < DurationBuckets.CELLS; ) {
            int index = DurationBuckets.nativeIndex(cell);
            long count = 0;
            for (; cell < DurationBuckets.CELLS && DurationBuckets.nativeIndex(cell) == index; cell++) {
                count += durations.count(cell);
            }
            if (count > 0) {
                buckets.bucket(index, count);
            }
        }
        return buckets.build();
    }
}
