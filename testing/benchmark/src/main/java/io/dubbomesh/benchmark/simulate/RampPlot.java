package io.dubbomesh.benchmark.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws the tail of each policy over the steps of a ramp, on a logarithmic scale. */
final class RampPlot {
    private static final int WIDTH = 880;
    private static final int HEIGHT = 400;
    private static final int LEFT = 80;
    private static final int RIGHT = 660;
    private static final int TOP = 30;
    private static final int BOTTOM = 350;
    private static final List<String> COLOURS =
            List.of("#888888", "#c8a415", "#1f77b4", "#d1495b", "#2a9d4a", "#8e5bb5", "#444444");
    private static final double LOWEST_MS = 10;
    private static final double HIGHEST_MS = 10_000;

    private final StringBuilder out = new StringBuilder();
    private final List<String> phases;

    private RampPlot(List<String> phases) {
        this.phases = phases;
    }

    static void write(Path file, List<Row> rows) throws IOException {
        Map<String, List<Row>> byStrategy = new LinkedHashMap<>();
        for (Row row : rows) {
            byStrategy
                    .computeIfAbsent(row.strategy(), name -> new ArrayList<>())
                    .add(row);
        }
        List<String> phases = rows.stream().map(Row::phase).distinct().toList();
        Files.writeString(file, new RampPlot(phases).draw(byStrategy));
    }

    private String draw(Map<String, List<Row>> byStrategy) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#444\""
                        + " viewBox=\"0 0 %d %d\" role=\"img\">",
                WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, HEIGHT);
        for (double ms = LOWEST_MS; ms <= HIGHEST_MS; ms *= 10) {
            line(LEFT, y(ms), RIGHT, y(ms), "#ddd");
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>", LEFT - 6, y(ms) + 4, ms);
        }
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">p99, ms</text>", LEFT - 6, TOP - 10);
        for (int i = 0; i < phases.size(); i++) {
            line(x(i), TOP, x(i), BOTTOM, "#ddd");
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(i), BOTTOM + 20, phases.get(i));
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">load, in parts of the allocation</text>",
                (LEFT + RIGHT) / 2, BOTTOM + 40);
        int number = 0;
        for (Map.Entry<String, List<Row>> policy : byStrategy.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            StringBuilder points = new StringBuilder();
            for (Row row : policy.getValue()) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(phases.indexOf(row.phase())), y(row.p99Ms())));
            }
            add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, colour);
            double at = TOP + 10 + 20.0 * number++;
            add("<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"4\" fill=\"%s\"/>", RIGHT + 20, at - 6, colour);
            add("<text x=\"%d\" y=\"%.1f\">%s</text>", RIGHT + 40, at, policy.getKey());
        }
        return out.append("</svg>\n").toString();
    }

    private void add(String element, Object... values) {
        out.append(String.format(Locale.ROOT, element, values)).append('\n');
    }

    private void line(double x1, double y1, double x2, double y2, String colour) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, colour);
    }

    private double x(int phase) {
        return LEFT + (double) (RIGHT - LEFT) * phase / Math.max(1, phases.size() - 1);
    }

    private static double y(double ms) {
        double part = Math.log(Math.max(LOWEST_MS, ms) / LOWEST_MS) / Math.log(HIGHEST_MS / LOWEST_MS);
        return BOTTOM - (BOTTOM - TOP) * Math.min(1, part);
    }
}
