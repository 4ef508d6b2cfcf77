package io.dubbomesh.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The snippets that no test runs, and why: {@code snippets.not-run}, whose head describes its syntax. */
final class NotRun {
    private static final String SEPARATOR = " | ";

    private final Map<String, String> reasons = new TreeMap<>();

    static NotRun read() throws IOException {
        NotRun list = new NotRun();
        for (String line : Files.readAllLines(Path.of("src/test/resources/snippets.not-run"))) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                int end = line.lastIndexOf(SEPARATOR);
                if (end <= line.indexOf(SEPARATOR)) {
                    throw new AssertionError(line + " (expected: page | first line | reason)");
                }
                list.reasons.put(
                        line.substring(0, end),
                        line.substring(end + SEPARATOR.length()).strip());
            }
        }
        return list;
    }

    boolean has(Snippet snippet) {
        return reasons.containsKey(key(snippet));
    }

    Map<String, String> reasons() {
        return reasons;
    }

    static String key(Snippet snippet) {
        return snippet.page() + SEPARATOR + snippet.firstLine();
    }
}
