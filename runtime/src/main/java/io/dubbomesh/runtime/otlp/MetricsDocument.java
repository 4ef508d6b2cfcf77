package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.metrics.DurationBuckets;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.MetricSamples.Sample;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Metrics as items of an {@link ExportRequest}.
 * <pre>
 *   Metric                  1 name, 2 description, 3 unit, and one of 5 Gauge, 7 Sum,
 *                           10 ExponentialHistogram, 11 Summary
 *   Gauge and the others    1 point ..., of those that are cumulative 2 temporality, of Sum 3 whether it only grows
 *   NumberDataPoint         2 start and 3 time (ns since 1970), 4 value, 7 KeyValue ...
 *   SummaryDataPoint        2 start, 3 time, 4 count, 5 sum, 7 KeyValue ...
 *   ExponentialHistogramDataPoint
 *                           1 KeyValue ..., 2 start, 3 time, 4 count, 5 sum, 6 scale, 7 count at 0,
 *                           8 Buckets, 14 bound of what counts as 0
 *   Buckets                 1 offset, 2 counts
 * </pre>
 * Histograms have the buckets that Prometheus' native ones have; OTLP counts them from 0, Prometheus from 1.
 * Reused by one thread.
 */
final class MetricsDocument {
    private static final int CUMULATIVE = 2;

    private final ExportRequest request;
    private final long startNs;

    MetricsDocument(ExportRequest request, long startEpochMs) {
        this.request = request;
        startNs = TimeUnit.MILLISECONDS.toNanos(startEpochMs);
    }

    /**
     * Writes samples. Metrics and their points come in the reverse order, which means nothing in OTLP.
     *
     * @return valid until the next call
     */
    ProtobufBuffer write(MetricSamples samples, long nowEpochMs) {
        long timeNs = TimeUnit.MILLISECONDS.toNanos(nowEpochMs);
        return request.write(out -> samples.forEach((metric, byLabels) -> metric(out, metric, byLabels, timeNs)));
    }

    private void metric(ProtobufBuffer out, Metric metric, Map<List<String>, Sample> samples, long timeNs) {
        int end = out.end();
        int data = out.end();
        if (metric.type() == Metric.Type.COUNTER) {
            out.varintField(3, 1);
        }
        if (metric.type() == Metric.Type.COUNTER || metric.type() == Metric.Type.HISTOGRAM) {
            out.varintField(2, CUMULATIVE);
        }
        samples.forEach((labels, sample) -> {
            int point = out.end();
            point(out, metric, labels, sample, timeNs);
            out.message(1, point);
        });
        out.message(
                switch (metric.type()) {
                    case GAUGE, MAXIMUM, INFO -> 5;
                    case COUNTER -> 7;
                    case HISTOGRAM -> 10;
                    case SUMMARY -> 11;
                },
                data);
        String unit = unit(metric.name());
        if (unit != null) {
            out.textField(3, unit);
        }
        out.textField(2, metric.help());
        out.textField(1, name(metric));
        out.message(ExportRequest.ITEM, end);
    }

    /** Returns the name without the end of a counter's: in OTLP the type tells it. */
    private static String name(Metric metric) {
        return metric.type() == Metric.Type.COUNTER ? metric.name().replaceFirst("_total$", "") : metric.name();
    }

    /** Returns the unit by UCUM; null for a count of things. */
    private static String unit(String name) {
        String base = name.replaceFirst("_total$", "");
        return base.endsWith("_seconds") ? "s" : base.endsWith("_bytes") ? "By" : null;
    }

    private void point(ProtobufBuffer out, Metric metric, List<String> labels, Sample sample, long timeNs) {
        switch (metric.type()) {
            case HISTOGRAM -> {
                histogram(out, sample.durations());
                times(out, timeNs);
                attributes(out, 1, metric.labels(), labels);
            }
            case SUMMARY -> {
                attributes(out, 7, metric.labels(), labels);
                out.doubleField(5, sample.value());
                out.fixed64Field(4, sample.count());
                times(out, timeNs);
            }
            case COUNTER, GAUGE, MAXIMUM, INFO -> {
                attributes(out, 7, metric.labels(), labels);
                out.doubleField(4, sample.value());
                times(out, timeNs);
            }
        }
    }

    private void times(ProtobufBuffer out, long timeNs) {
        out.fixed64Field(3, timeNs);
        out.fixed64Field(2, startNs);
    }

    private static void histogram(ProtobufBuffer out, DurationHistogram durations) {
        out.doubleField(14, DurationBuckets.ZERO_THRESHOLD_S);
        buckets(out, durations);
        out.fixed64Field(7, durations.count(0));
        out.sint32Field(6, DurationBuckets.SCHEMA);
        out.doubleField(5, durations.sumSeconds());
        out.fixed64Field(4, durations.count());
    }

    private static void buckets(ProtobufBuffer out, DurationHistogram durations) {
        int first = 1;
        while (first < DurationBuckets.CELLS && durations.count(first) == 0) {
            first++;
        }
        int last = DurationBuckets.CELLS - 1;
        while (last >= first && durations.count(last) == 0) {
            last--;
        }
        if (first > last) {
            return;
        }
        int end = out.end();
        int counts = out.end();
        for (int cell = last; cell >= first; ) {
            int index = DurationBuckets.nativeIndex(cell);
            long count = 0;
            for (; cell >= first && DurationBuckets.nativeIndex(cell) == index; cell--) {
                count += durations.count(cell);
            }
            out.varint(count);
        }
        out.message(2, counts);
        out.sint32Field(1, DurationBuckets.nativeIndex(first) - 1);
        out.message(8, end);
    }

    private static void attributes(ProtobufBuffer out, int field, List<String> names, List<String> values) {
        for (int i = names.size() - 1; i >= 0; i--) {
            ExportRequest.attribute(out, field, names.get(i), values.get(i));
        }
    }
}
