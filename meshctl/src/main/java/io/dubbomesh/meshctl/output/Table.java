package io.dubbomesh.meshctl.output;

import io.dubbomesh.runtime.PrintableText;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows whose columns are aligned by blanks. */
public final class Table {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    public Table(String... titles) {
        rows.add(titles);
    }

    public void add(Object... cells) {
        String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            row[i] = PrintableText.of(String.valueOf(cells[i]));
        }
        rows.add(row);
    }

    /** Adds a row with this text alone if there is none. */
    public Table orRow(String text) {
        if (rows.size() == 1) {
            Object[] cells = new Object[rows.get(0).length];
            Arrays.fill(cells, "");
            cells[0] = text;
            add(cells);
        }
        return this;
    }

    /** Returns the same rows with another column in front, which has one text in all of them. */
    public Table behind(String title, String cell) {
        Table wider = new Table(prepend(title, rows.get(0)));
        rows.stream().skip(1).forEach(row -> wider.rows.add(prepend(PrintableText.of(cell), row)));
        return wider;
    }

    /** Returns the same rows without the columns of these titles, if all of them are empty in all rows. */
    public Table withoutEmpty(String... titles) {
        List<Integer> columns = Arrays.stream(titles).map(titles()::indexOf).toList();
        if (rows.stream().skip(1).anyMatch(row -> columns.stream().anyMatch(column -> !row[column].isEmpty()))) {
            return this;
        }
        Table narrower = new Table(without(columns, rows.get(0)));
        rows.stream().skip(1).forEach(row -> narrower.rows.add(without(columns, row)));
        return narrower;
    }

    private static String[] without(List<Integer> columns, String[] row) {
        return IntStream.range(0, row.length)
                .filter(column -> !columns.contains(column))
                .mapToObj(column -> row[column])
                .toArray(String[]::new);
    }

    private static String[] prepend(String first, String[] others) {
        return Stream.concat(Stream.of(first), Arrays.stream(others)).toArray(String[]::new);
    }

    public List<String> titles() {
        return List.of(rows.get(0));
    }

    /** Adds the rows of another table with the same titles. */
    public Table with(Table other) {
        rows.addAll(other.rows.subList(1, other.rows.size()));
        return this;
    }

    public void print(PrintWriter out) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i])
                        .append(" ".repeat(widths[i] - row[i].length()))
                        .append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
