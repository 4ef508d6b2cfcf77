package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines over one axis: over percentiles, spread as HdrHistogram's plots spread them, or over a linear quantity. */
final class LineChart implements Chart {
    /** Marks of the axis of percentiles; the last stands for everything from there on. */
    private static final double[] PERCENTILES = {0, 90, 99, 99.9, 99.99, 99.999};

    private final String title;
    private final String unit;
    private final String across;
    private final boolean percentiles;
    private final Map<String, List<double[]>> lines = new LinkedHashMap<>();

    private LineChart(String title, String unit, String across, boolean percentiles) {
        this.title = title;
        this.unit = unit;
        this.across = across;
        this.percentiles = percentiles;
    }

    static LineChart ofPercentiles(String title, String unit) {
        return new LineChart(title, unit, "percentile", true);
    }

    static LineChart of(String title, String unit, String across) {
        return new LineChart(title, unit, across, false);
    }

    /** @param points pairs of a place on the axis and a value */
    void line(String name, List<double[]> points) {
        lines.put(name, points);
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String svg() {
        Svg svg = new Svg(0);
        double top = max(1);
        double end = percentiles ? position(100) : max(0);
        svg.verticalAxis(top, unit);
        if (percentiles) {
            for (double percentile : PERCENTILES) {
                mark(svg, position(percentile) / end, percentile + " %");
            }
        } else {
            double step = Chart.step(end);
            for (int i = 0; i * step <= end; i++) {
                mark(svg, i * step / end, Table.text(i * step));
            }
        }
        svg.text((Svg.LEFT + Svg.RIGHT) / 2.0, Svg.BOTTOM + 36, "middle", across);
        int i = 0;
        for (List<double[]> points : lines.values()) {
            List<double[]> drawn = new ArrayList<>();
            for (double[] point : points) {
                double x = percentiles ? position(point[0]) : point[0];
                drawn.add(new double[] {
                    Svg.LEFT + (Svg.RIGHT - Svg.LEFT) * x / end, Svg.BOTTOM - (Svg.BOTTOM - Svg.TOP) * point[1] / top
                });
            }
            svg.polyline(drawn, Chart.colour(i++));
        }
        svg.legend(List.copyOf(lines.keySet()));
        return svg.toString();
    }

    private double max(int coordinate) {
        double max = lines.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[coordinate])
                .max()
                .orElse(1);
        return max > 0 ? max : 1;
    }

    /** The nines: 90 % lies at 1, 99 % at 2. */
    private static double position(double percentile) {
        double last = PERCENTILES[PERCENTILES.length - 1];
        return -Math.log10(1 - Math.min(percentile, last) / 100);
    }

    private static void mark(Svg svg, double part, String label) {
        double x = Svg.LEFT + (Svg.RIGHT - Svg.LEFT) * part;
        svg.line(x, Svg.TOP, x, Svg.BOTTOM, "#ddd", 1);
        svg.text(x, Svg.BOTTOM + 20, "middle", label);
    }
}
