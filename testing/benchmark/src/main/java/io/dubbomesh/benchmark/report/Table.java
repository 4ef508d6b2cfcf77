package io.dubbomesh.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figures in rows.
 *
 * @param rows a cell is a {@link Number}, a {@link Spread}, a {@link MedianInterval} or a text
 */
public record Table(String title, List<String> columns, List<List<Object>> rows) {
    private static final String GAP = "  ";

    /** @param columns separated by {@code " | "} */
    public Table(String title, String columns) {
        this(title, List.of(columns.split(" \\| ")), new ArrayList<>());
    }

    public void add(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells (expected: " + columns.size() + ")");
        }
        rows.add(List.of(cells));
    }

    public static String text(Object cell) {
        if (cell instanceof Spread spread) {
            String median = text(spread.median());
            String min = text(spread.min());
            String max = text(spread.max());
            return min.equals(max) ? median : median + " (" + min + "-" + max + ")";
        }
        if (cell instanceof MedianInterval interval) {
            // Ratios around 1, whose third decimal matters.
            return interval.low() == null
                    ? String.format(Locale.ROOT, "%.3f (too few rounds)", interval.median())
                    : String.format(
                            Locale.ROOT, "%.3f (%.3f-%.3f)", interval.median(), interval.low(), interval.high());
        }
        if (cell instanceof Double number) {
            double size = Math.abs(number);
            return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", number);
        }
        return cell instanceof Number ? String.format(Locale.ROOT, "%,d", cell) : cell.toString();
    }

    private boolean isText(int column) {
        return rows.stream().allMatch(row -> row.get(column) instanceof String);
    }

    /** Texts to the left, figures to the right. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(title).append('\n');
        line(out, columns);
        rows.forEach(row -> line(out, row));
        return out.toString();
    }

    private void line(StringBuilder out, List<?> cells) {
        for (int i = 0; i < cells.size(); i++) {
            String text = text(cells.get(i));
            String blanks = " ".repeat(width(i) - text.length());
            out.append(isText(i) ? text + blanks : blanks + text).append(i + 1 < cells.size() ? GAP : "\n");
        }
    }

    private int width(int column) {
        return rows.stream()
                .mapToInt(row -> text(row.get(column)).length())
                .reduce(columns.get(column).length(), Math::max);
    }
}
