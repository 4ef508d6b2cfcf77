package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes a report as one page that needs nothing else. It is well-formed XML too. */
final class Html {
    private static final String STYLE = """
            body { font: 15px/1.45 system-ui, sans-serif; max-width: 920px; margin: 2em auto; padding: 0 1em; color: #222 }
            h1 { font-size: 1.5em } h2 { font-size: 1.1em; margin-top: 2em }
            table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto }
            th, td { padding: 3px 9px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
            .text { text-align: left }
            svg { width: 100%; font: 12px system-ui, sans-serif; fill: #444 }
            .failure { color: #b00020; font-weight: bold }
            """;

    private Html() {}

    static void write(Report report, Path file) throws IOException {
        Files.writeString(file, page(report));
    }

    static String page(Report report) {
        StringBuilder out = new StringBuilder();
        String title = escape(report.scenario() + ", " + report.time());
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>")
                .append(title)
                .append("</title><style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>")
                .append(title)
                .append("</h1>\n");
        Machine machine = report.machine();
        paragraph(
                out,
                machine.cores() + " cores (" + machine.cpu() + "), Linux " + machine.kernel() + ", JDK " + machine.jdk()
                        + ", commit " + machine.commit());
        list(out, "", report.statements());
        list(out, "failure", report.failures());
        for (Chart chart : report.charts()) {
            heading(out, chart.title());
            out.append(chart.svg());
        }
        for (Table table : report.tables()) {
            heading(out, table.title());
            table(out, table);
        }
        return out.append("</body></html>\n").toString();
    }

    private static void heading(StringBuilder out, String text) {
        out.append("<h2>").append(escape(text)).append("</h2>\n");
    }

    private static void paragraph(StringBuilder out, String text) {
        out.append("<p>").append(escape(text)).append("</p>\n");
    }

    private static void list(StringBuilder out, String kind, List<String> items) {
        if (items.isEmpty()) {
            return;
        }
        out.append("<ul class=\"").append(kind).append("\">\n");
        for (String item : items) {
            out.append("<li>").append(escape(item)).append("</li>\n");
        }
        out.append("</ul>\n");
    }

    private static void table(StringBuilder out, Table table) {
        out.append("<table>\n");
        row(out, table, "th", table.columns());
        table.rows().forEach(cells -> row(out, table, "td", cells));
        out.append("</table>\n");
    }

    private static void row(StringBuilder out, Table table, String element, List<?> cells) {
        out.append("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            out.append('<').append(element).append(table.isText(i) ? " class=\"text\">" : ">");
            out.append(escape(Table.text(cells.get(i))));
            out.append("</").append(element).append('>');
        }
        out.append("</tr>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
