package io.dubbomesh.benchmark.report;

import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.AxesChart;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A figure of the HTML report. */
public record Plot(String title, AxesChart<?, ?> chart) {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 480;
    private static final int MOST_LEVEL_LABELS = 6;
    private static final double BAR_WIDTH = 0.6;

    /** The last mark of an axis of percentiles stands for everything above it. */
    private static final double LAST_PERCENTILE = 99.999;

    /** A bar for each name, with a second colour from the lowest to the highest value. */
    public static Plot ranges(String title, String unit, Map<String, Spread> ranges) {
        List<Spread> spreads = List.copyOf(ranges.values());
        Map<String, List<Double>> parts = new LinkedHashMap<>();
        parts.put("lowest", spreads.stream().map(Spread::min).toList());
        parts.put("to the highest", spreads.stream().map(s -> s.max() - s.min()).toList());
        return stackedBars(title, unit, List.copyOf(ranges.keySet()), parts);
    }

    /** A bar for each category, stacked of the named parts, whose values are in the order of the categories. */
    public static Plot stackedBars(
            String title, String unit, List<String> categories, Map<String, List<Double>> parts) {
        CategoryChart chart = new CategoryChart(WIDTH, HEIGHT, ChartTheme.GGPlot2);
        chart.getStyler().setStacked(true).setAvailableSpaceFill(BAR_WIDTH);
        // More labels would overlap.
        chart.getStyler().setXAxisLabelRotation(categories.size() > MOST_LEVEL_LABELS ? 20 : 0);
        parts.forEach((name, values) -> chart.addSeries(name, categories, values));
        return plot(title, unit, chart);
    }

    /** @param lines by name, each a list of x and a list of y */
    public static Plot lines(String title, String unit, String across, Map<String, List<List<Double>>> lines) {
        XYChart chart = new XYChart(WIDTH, HEIGHT, ChartTheme.GGPlot2);
        chart.setXAxisTitle(across);
        lines.forEach(
                (name, line) -> chart.addSeries(name, line.get(0), line.get(1)).setMarker(SeriesMarkers.NONE));
        return plot(title, unit, chart);
    }

    /** Values by {@link #nines} of their percentiles. */
    public static Plot percentiles(String title, String unit, Map<String, List<List<Double>>> lines) {
        Plot plot = lines(title, unit, "percentile", lines);
        plot.chart.getStyler().setXAxisTickLabelsFormattingFunction(Plot::label);
        return plot;
    }

    /** The place of a percentile on the axis: 90 % at 1, 99 % at 2, 99.9 % at 3 and so on. */
    public static double nines(double percentile) {
        return -Math.log10(1 - Math.min(percentile, LAST_PERCENTILE) / 100);
    }

    private static String label(double nines) {
        double percentile = 100 - 100 * Math.pow(10, -Math.rint(nines));
        return Math.abs(nines - Math.rint(nines)) > 1e-6 ? " " : (float) percentile + " %";
    }

    private static Plot plot(String title, String unit, AxesChart<?, ?> chart) {
        chart.setYAxisTitle(unit);
        chart.getStyler()
                .setYAxisMin(0.0)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal);
        return new Plot(title, chart);
    }

    byte[] png() throws IOException {
        return ChartEncoder.getBytes(chart, "png");
    }
}
