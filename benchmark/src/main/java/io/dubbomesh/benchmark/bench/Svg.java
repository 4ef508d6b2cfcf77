package io.dubbomesh.benchmark.bench;

import java.util.List;
import java.util.Locale;

/** Writes one SVG element of a fixed size, with a grid and a legend. */
final class Svg {
    static final int WIDTH = 880;
    static final int LEFT = 80;
    static final int RIGHT = WIDTH - 40;
    static final int TOP = 28;
    static final int BOTTOM = 300;
    private static final int AXIS_LABELS = 52;
    private static final int LEGEND_ROW = 18;
    private static final int LEGEND_COLUMNS = 4;

    private final StringBuilder body = new StringBuilder();
    private final int legendTop;
    private int height;

    /** @param labelSpace between the axis and its labels */
    Svg(int labelSpace) {
        legendTop = BOTTOM + labelSpace + AXIS_LABELS;
        height = legendTop;
    }

    /** The marks of the vertical axis from 0 to {@code max}, and what they count. */
    void verticalAxis(double max, String unit) {
        double step = Chart.step(max);
        for (int i = 0; i * step <= max; i++) {
            double y = BOTTOM - (BOTTOM - TOP) * i * step / max;
            line(LEFT, y, RIGHT, y, "#ddd", 1);
            text(LEFT - 6, y + 4, "end", Table.text(i * step));
        }
        text(LEFT - 6, TOP - 8, "end", unit);
    }

    void rectangle(double x, double y, double width, double height, String colour, String tip) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%s</title></rect>",
                x, y, width, height, colour, Html.escape(tip));
    }

    void line(double x1, double y1, double x2, double y2, String colour, int width) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>",
                x1, y1, x2, y2, colour, width);
    }

    void polyline(List<double[]> points, String colour) {
        StringBuilder list = new StringBuilder();
        for (double[] point : points) {
            list.append(String.format(Locale.ROOT, "%.1f,%.1f ", point[0], point[1]));
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                list.toString().strip(), colour);
    }

    /** @param anchor start, middle or end: the part of the text that stands at {@code x} */
    void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, Html.escape(text));
    }

    /** Ends at the place, and rises towards it. */
    void slantedText(double x, double y, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" transform=\"rotate(-35 %.1f %.1f)\">%s</text>",
                x, y, x, y, Html.escape(text));
    }

    void legend(List<String> names) {
        double width = (double) (RIGHT - LEFT) / LEGEND_COLUMNS;
        for (int i = 0; i < names.size(); i++) {
            double x = LEFT + i % LEGEND_COLUMNS * width;
            double y = legendTop + i / LEGEND_COLUMNS * LEGEND_ROW;
            rectangle(x, y - 10, 12, 12, Chart.colour(i), names.get(i));
            text(x + 17, y, "start", names.get(i));
            height = (int) y + LEGEND_ROW;
        }
    }

    private void add(String format, Object... arguments) {
        body.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    @Override
    public String toString() {
        return "<svg viewBox=\"0 0 " + WIDTH + " " + height + "\" role=\"img\">\n" + body + "</svg>\n";
    }
}
