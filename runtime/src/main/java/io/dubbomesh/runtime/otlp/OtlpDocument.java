package io.dubbomesh.runtime.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.runtime.metrics.DurationBuckets;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.MetricSamples.Sample;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * An ExportMetricsServiceRequest of OTLP 1 as JSON: whole numbers of 64 bits are texts there, enumerations numbers.
 * Histograms are exponential, with the buckets that Prometheus' native ones have; OTLP counts them from 0 where
 * Prometheus begins with 1.
 */
final class OtlpDocument {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int CUMULATIVE = 2;
    private static final String SCOPE = "io.dubbomesh";

    private final String service;
    private final String instance;
    private final String startNs;

    /** @param instance tells the agents of one service apart */
    OtlpDocument(String service, String instance, long startEpochMs) {
        this.service = service;
        this.instance = instance;
        startNs = nanos(startEpochMs);
    }

    private static String nanos(long epochMs) {
        return epochMs + "000000";
    }

    byte[] of(MetricSamples samples, long nowEpochMs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("resourceMetrics");
            json.writeStartObject();
            json.writeObjectFieldStart("resource");
            attributes(json, List.of("service.name", "service.instance.id"), List.of(service, instance));
            json.writeEndObject();
            json.writeArrayFieldStart("scopeMetrics");
            json.writeStartObject();
            json.writeObjectFieldStart("scope");
            json.writeStringField("name", SCOPE);
            json.writeEndObject();
            json.writeArrayFieldStart("metrics");
            String timeNs = nanos(nowEpochMs);
            samples.forEach((metric, byLabels) -> {
                try {
                    metric(json, metric, byLabels, timeNs);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void metric(JsonGenerator json, Metric metric, Map<List<String>, Sample> samples, String timeNs)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("name", name(metric));
        json.writeStringField("description", metric.help());
        String unit = unit(metric.name());
        if (unit != null) {
            json.writeStringField("unit", unit);
        }
        json.writeObjectFieldStart(
                switch (metric.type()) {
                    case COUNTER -> "sum";
                    case GAUGE, MAXIMUM, INFO -> "gauge";
                    case SUMMARY -> "summary";
                    case HISTOGRAM -> "exponentialHistogram";
                });
        if (metric.type() == Metric.Type.COUNTER || metric.type() == Metric.Type.HISTOGRAM) {
            json.writeNumberField("aggregationTemporality", CUMULATIVE);
        }
        if (metric.type() == Metric.Type.COUNTER) {
            json.writeBooleanField("isMonotonic", true);
        }
        json.writeArrayFieldStart("dataPoints");
        for (Map.Entry<List<String>, Sample> each : samples.entrySet()) {
            json.writeStartObject();
            attributes(json, metric.labels(), each.getKey());
            json.writeStringField("startTimeUnixNano", startNs);
            json.writeStringField("timeUnixNano", timeNs);
            point(json, metric, each.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    /** OTLP tells by the type what a counter is. */
    private static String name(Metric metric) {
        return metric.type() == Metric.Type.COUNTER ? metric.name().replaceFirst("_total$", "") : metric.name();
    }

    /** By UCUM, null for a count of things. */
    private static String unit(String name) {
        String base = name.replaceFirst("_total$", "");
        return base.endsWith("_seconds") ? "s" : base.endsWith("_bytes") ? "By" : null;
    }

    private static void point(JsonGenerator json, Metric metric, Sample sample) throws IOException {
        switch (metric.type()) {
            case SUMMARY -> {
                json.writeStringField("count", Long.toString(sample.count()));
                json.writeNumberField("sum", sample.value());
            }
            case HISTOGRAM -> histogram(json, sample.durations());
            case COUNTER, GAUGE, MAXIMUM, INFO -> json.writeNumberField("asDouble", sample.value());
        }
    }

    private static void histogram(JsonGenerator json, DurationHistogram durations) throws IOException {
        json.writeStringField("count", Long.toString(durations.count()));
        json.writeNumberField("sum", durations.sumSeconds());
        json.writeNumberField("scale", DurationBuckets.SCHEMA);
        json.writeStringField("zeroCount", Long.toString(durations.count(0)));
        json.writeNumberField("zeroThreshold", DurationBuckets.ZERO_THRESHOLD_S);
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
        json.writeObjectFieldStart("positive");
        json.writeNumberField("offset", DurationBuckets.nativeIndex(first) - 1);
        json.writeArrayFieldStart("bucketCounts");
        for (int cell = first; cell <= last; ) {
            int index = DurationBuckets.nativeIndex(cell);
            long count = 0;
            for (; cell <= last && DurationBuckets.nativeIndex(cell) == index; cell++) {
                count += durations.count(cell);
            }
            json.writeString(Long.toString(count));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void attributes(JsonGenerator json, List<String> names, List<String> values) throws IOException {
        json.writeArrayFieldStart("attributes");
        for (int i = 0; i < names.size(); i++) {
            json.writeStartObject();
            json.writeStringField("key", names.get(i));
            json.writeObjectFieldStart("value");
            json.writeStringField("stringValue", values.get(i));
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
