package io.dubbomesh.testsupport;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The samples of an agent's {@code /metrics} in Prometheus' text format. */
public final class Scrape {
    private static final int TIMEOUT_MS = 20_000;
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern LINE = Pattern.compile("([a-z_]+(?:\\{.*})?) (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final String text;
    private final Map<String, Double> series = new LinkedHashMap<>();
    private final Set<String> names = new TreeSet<>();

    private Scrape(String text) {
        this.text = text;
        for (String line : text.split("\n")) {
            Matcher type = TYPE.matcher(line);
            Matcher sample = LINE.matcher(line);
            if (type.matches()) {
                names.add(type.group(1));
            } else if (sample.matches()) {
                series.put(sample.group(1), Double.valueOf(sample.group(2)));
            } else if (!line.startsWith("# HELP ")) {
                throw new AssertionError("no line of the text format: " + line);
            }
        }
    }

    public static Scrape of(int adminPort) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + adminPort + "/metrics").toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        try {
            return new Scrape(new String(connection.getInputStream().readAllBytes(), UTF_8));
        } finally {
            connection.disconnect();
        }
    }

    public String text() {
        return text;
    }

    /** The names of all metrics, with {@code _total} where they are counters. */
    public Set<String> names() {
        return names;
    }

    /** The sum of the series of this name that have all these labels: {@code sum("requests_total", "code", "OK")}. */
    public double sum(String name, String... labels) {
        double sum = 0;
        for (Map.Entry<String, Double> each : series.entrySet()) {
            String key = each.getKey();
            int brace = key.indexOf('{');
            if ((brace < 0 ? key : key.substring(0, brace)).equals(name) && hasAll(key, labels)) {
                sum += each.getValue();
            }
        }
        return sum;
    }

    private static boolean hasAll(String key, String... labels) {
        Map<String, String> present = new LinkedHashMap<>();
        Matcher label = LABEL.matcher(key);
        while (label.find()) {
            present.put(label.group(1), label.group(2));
        }
        for (int i = 0; i < labels.length; i += 2) {
            if (!labels[i + 1].equals(present.get(labels[i]))) {
                return false;
            }
        }
        return true;
    }
}
