package io.dubbomesh.acceptance.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The snippets that no test runs, and why: {@code snippets.not-run}, whose head describes its syntax. */
final class NotRun {
    private static final String SEPARATOR = " | ";

    /** @param begin how the first line of the snippet begins */
    record Entry(String page, String begin, String reason) {
        boolean concerns(Snippet snippet) {
            return snippet.page().equals(page) && snippet.firstLine().startsWith(begin);
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    private NotRun() {}

    static NotRun read() throws IOException {
        NotRun list = new NotRun();
        for (String line : Files.readAllLines(Path.of("src/test/resources/snippets.not-run"))) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                int first = line.indexOf(SEPARATOR);
                int last = line.lastIndexOf(SEPARATOR);
                if (first < 0 || last == first || line.endsWith(SEPARATOR)) {
                    throw new AssertionError(line + " (expected: page | begin of the first line | reason)");
                }
                list.entries.add(new Entry(
                        line.substring(0, first),
                        line.substring(first + SEPARATOR.length(), last),
                        line.substring(last + SEPARATOR.length())));
            }
        }
        return list;
    }

    boolean has(Snippet snippet) {
        return entries.stream().anyMatch(entry -> entry.concerns(snippet));
    }

    List<Entry> entries() {
        return entries;
    }
}
