package io.dubbomesh.meshctl.output;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of an agent at {@code /metrics}, in the text format of Prometheus. */
public final class MetricsText {
    private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Map<Series, Double> values = new LinkedHashMap<>();

    /** A name with its labels, in the order of the line. */
    record Series(String name, Map<String, String> labels) {
        String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }

    public static MetricsText parse(String text) {
        MetricsText metrics = new MetricsText();
        for (String line : text.split("\n")) {
            Matcher sample = LINE.matcher(line);
            if (sample.matches()) {
                metrics.values.put(
                        new Series(sample.group(1), labels(sample.group(2))),
                        sample.group(3).equals("+Inf")
                                ? Double.POSITIVE_INFINITY
                                : Double.parseDouble(sample.group(3)));
            }
        }
        return metrics;
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (text != null) {
            LABEL.matcher(text)
                    .results()
                    .forEach(label -> labels.put(label.group(1), label.group(2).replace("\\\"", "\"")));
        }
        return labels;
    }

    /** Returns all series of this name, in the order of the text. */
    List<Series> series(String name) {
        return values.keySet().stream()
                .filter(series -> series.name().equals(name))
                .toList();
    }

    /** Returns 0 for a series that is not there. */
    double value(Series series) {
        return values.getOrDefault(series, 0.0);
    }
}
