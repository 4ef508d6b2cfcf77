package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures in rows: a cell is a {@link Number}, a {@link Spread}, a {@link MedianInterval} or a text. */
final class Table {
    private static final String GAP = "  ";

    private final String title;
    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    Table(String title, String... columns) {
        this.title = title;
        this.columns = List.of(columns);
    }

    void add(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells (expected: " + columns.size() + ")");
        }
        rows.add(List.of(cells));
    }

    String title() {
        return title;
    }

    List<String> columns() {
        return columns;
    }

    List<List<Object>> rows() {
        return rows;
    }

    static String text(Object cell) {
        if (cell instanceof Spread spread) {
            String median = text(spread.median());
            String min = text(spread.min());
            String max = text(spread.max());
            return min.equals(max) ? median : median + " (" + min + "-" + max + ")";
        }
        if (cell instanceof MedianInterval interval) {
            // Ratios around 1, of which the third decimal matters.
            return interval.isKnown()
                    ? String.format(Locale.ROOT, "%.3f (%.3f-%.3f)", interval.median(), interval.low(), interval.high())
                    : String.format(Locale.ROOT, "%.3f (too few rounds)", interval.median());
        }
        if (cell instanceof Double number) {
            double size = Math.abs(number);
            return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", number);
        }
        return cell instanceof Number ? String.format(Locale.ROOT, "%,d", cell) : cell.toString();
    }

    /** For a terminal: texts to the left, figures to the right. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(title).append('\n');
        line(out, columns);
        for (List<Object> row : rows) {
            line(out, row);
        }
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
        int width = columns.get(column).length();
        for (List<Object> row : rows) {
            width = Math.max(width, text(row.get(column)).length());
        }
        return width;
    }

    boolean isText(int column) {
        return rows.stream().allMatch(row -> row.get(column) instanceof String);
    }
}
