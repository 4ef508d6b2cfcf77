package io.dubbomesh.consumer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The page that the {@code type} of a problem document leads to: the codes of failed calls from docs/operate/errors.md,
 * which the build puts beside this class, as HTML.
 */
final class ErrorsPage {
    private static final String SOURCE = "errors.md";
    private static final String BEGIN = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Errors</title>
            <style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}
            :target{background:#ff9}code{background:#eee}</style></head><body>
            <h1>Errors</h1>
            """;
    private static final String END = "</body></html>\n";

    private static final Pattern CODE = Pattern.compile("`([^`]*)`");
    private static final Pattern STRONG = Pattern.compile("\\*\\*([^*]*)\\*\\*");
    /** The target is a file beside the source, which the agent does not have. */
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    private ErrorsPage() {}

    static String html() {
        return html(source());
    }

    private static String source() {
        try (InputStream in = ErrorsPage.class.getResourceAsStream(SOURCE)) {
            return in == null ? "" : new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Converts the sections of codes, which are those of the third level below the first of the second level. */
    static String html(String markdown) {
        StringBuilder html = new StringBuilder(BEGIN);
        boolean isInSection = false;
        String block = "";
        int sections = 0;
        for (String line : markdown.split("\\R")) {
            if (line.startsWith("## ")) {
                sections++;
                isInSection = false;
            } else if (line.startsWith("### ") && sections == 1) {
                html.append(end(block));
                block = "";
                isInSection = true;
                String code = line.substring("### ".length());
                html.append("<h2 id=\"").append(code.toLowerCase(Locale.ROOT)).append("\">");
                html.append(escaped(code)).append("</h2>\n");
            } else if (isInSection) {
                String next = kind(line);
                if (!next.equals(block) || next.isEmpty()) {
                    html.append(end(block)).append(next.isEmpty() ? "" : '<' + next + '>');
                    block = next;
                }
                html.append(content(line, next)).append('\n');
            }
        }
        return html.append(end(block)).append(END).toString();
    }

    /** Returns the element that a line is part of; empty for none. */
    private static String kind(String line) {
        if (line.isBlank()) {
            return "";
        }
        return line.startsWith("|") ? "table" : line.startsWith("- ") ? "ul" : "p";
    }

    private static String end(String block) {
        return block.isEmpty() ? "" : "</" + block + ">\n";
    }

    private static String content(String line, String block) {
        return switch (block) {
            case "table" -> row(line);
            case "ul" -> "<li>" + inline(line.substring(2));
            default -> inline(line);
        };
    }

    private static String row(String line) {
        if (line.startsWith("|---")) {
            return "";
        }
        List<String> cells = List.of(line.substring(1).split("\\|"));
        StringBuilder row = new StringBuilder("<tr>");
        cells.forEach(cell -> row.append("<td>").append(inline(cell.strip())).append("</td>"));
        return row.append("</tr>").toString();
    }

    private static String inline(String text) {
        String plain = LINK.matcher(escaped(text)).replaceAll("$1");
        return STRONG.matcher(CODE.matcher(plain).replaceAll("<code>$1</code>")).replaceAll("<strong>$1</strong>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
