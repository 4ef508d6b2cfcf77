package io.dubbomesh.benchmark.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of a run, for a terminal, as an HTML page that needs no other file, and as JSON. */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String STYLE = """
            body { font: 15px/1.45 system-ui, sans-serif; max-width: 920px; margin: 2em auto; padding: 0 1em; color: #222 }
            h1 { font-size: 1.5em } h2 { font-size: 1.1em; margin-top: 2em }
            pre { font-size: 12px; overflow-x: auto }
            img { width: 100% }
            .failure { color: #b00020; font-weight: bold }
            """;

    private final String title;
    private final String headline;
    private final Map<String, Object> facts;
    private final List<String> statements = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Object> rounds = new ArrayList<>();
    private final List<Table> tables = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();
    private long checked;
    private long wrong;

    /**
     * @param headline where the figures were taken
     * @param facts    for JSON only: where and how they were taken
     */
    public Report(String title, String headline, Map<String, Object> facts) {
        this.title = title;
        this.headline = headline;
        this.facts = facts;
    }

    /** Returns the time as it stands in the names of reports. */
    public static String timeOfNow() {
        return TIME.format(Instant.now());
    }

    /** Adds a statement that a reader must know: providers, limits that were raised, what could not be measured. */
    public void state(String statement) {
        statements.add(statement);
    }

    /** A failure makes the run's exit status 1. */
    public void fail(String failure) {
        failures.add(failure);
    }

    public void addChecks(long count, long wrongOfThem) {
        checked += count;
        wrong += wrongOfThem;
        if (wrongOfThem > 0) {
            fail(wrongOfThem + " of " + count + " compared answers were wrong");
        }
    }

    public void add(Table table) {
        tables.add(table);
    }

    public void add(Plot plot) {
        plots.add(plot);
    }

    /** @param round a record or a map, for JSON only */
    public void addRound(Object round) {
        rounds.add(round);
    }

    public List<String> failures() {
        return failures;
    }

    public long checked() {
        return checked;
    }

    public long wrong() {
        return wrong;
    }

    /** Returns the tables for a terminal. */
    public String tables() {
        return tables.stream().map(Table::toString).collect(Collectors.joining("\n"));
    }

    /** The headline, the statements and the tables. */
    public String text() {
        return headline + "\n" + statements.stream().map(s -> s + "\n").collect(Collectors.joining()) + "\n" + tables();
    }

    public void writeJson(Path file) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(facts);
        all.put("statements", statements);
        all.put("failures", failures);
        all.put("checked", checked);
        all.put("wrong", wrong);
        all.put("rounds", rounds);
        all.put("tables", tables.stream().map(Report::json).toList());
        JSON.writeValue(file.toFile(), all);
    }

    private static Map<String, Object> json(Table table) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (List<Object> cells : table.rows()) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 0; i < cells.size(); i++) {
                row.put(table.columns().get(i), cells.get(i));
            }
            rows.add(row);
        }
        return Map.of("title", table.title(), "rows", rows);
    }

    public void writeHtml(Path file) throws IOException {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>");
        out.append("<title>").append(escape(title)).append("</title><style>\n").append(STYLE);
        out.append("</style></head><body>\n");
        element(out, "h1", title);
        element(out, "p", headline);
        list(out, "", statements);
        list(out, "failure", failures);
        for (Plot plot : plots) {
            element(out, "h2", plot.title());
            String png = Base64.getEncoder().encodeToString(plot.png());
            out.append("<img alt=\"%s\" src=\"data:image/png;base64,%s\"/>%n".formatted(escape(plot.title()), png));
        }
        for (Table table : tables) {
            element(out, "pre", table.toString());
        }
        Files.writeString(file, out.append("</body></html>\n"));
    }

    private static void element(StringBuilder out, String name, String text) {
        out.append("<%s>%s</%s>%n".formatted(name, escape(text), name));
    }

    private static void list(StringBuilder out, String kind, List<String> items) {
        if (!items.isEmpty()) {
            out.append("<ul class=\"%s\">%n".formatted(kind));
            items.forEach(item -> element(out, "li", item));
            out.append("</ul>\n");
        }
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
