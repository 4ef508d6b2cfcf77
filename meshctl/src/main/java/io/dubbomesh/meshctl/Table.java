package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.PrintableText;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows whose columns are aligned by blanks. */
final class Table {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    Table(String... titles) {
        rows.add(titles);
    }

    void add(Object... cells) {
        String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            row[i] = PrintableText.of(String.valueOf(cells[i]));
        }
        rows.add(row);
    }

    void print(PrintWriter out) {
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
