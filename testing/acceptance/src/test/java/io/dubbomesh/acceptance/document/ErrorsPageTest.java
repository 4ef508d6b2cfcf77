package io.dubbomesh.acceptance.document;

import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/operate/errors.md} explains every code of a problem document and every line of level WARN or ERROR, and
 * nothing else; {@code docs/errors.md}, which the documents name, leads to each code.
 */
class ErrorsPageTest {
    private static final Path ROOT = Path.of("../..");
    private static final List<String> MODULES = List.of(
            "runtime",
            "protocol",
            "loadbalance",
            "registry/core",
            "registry/zookeeper",
            "registry/nacos",
            "transport",
            "dubbo-client",
            "consumer-agent",
            "provider-agent",
            "dist");

    private static final Pattern LOGGED = Pattern.compile("\\b(?:LOG|log|logger)\\s*\\.\\s*(warn|error)\\(");
    private static final Pattern LITERAL = Pattern.compile("\\G\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*(\\+?)");
    /** It passes on the lines of other libraries. */
    private static final Set<String> PASSING_ON = Set.of("JdkLogHandler.java");

    /** The page to which problem documents of all versions lead by default. */
    private static final String ERRORS_PAGE = "docs/errors.md";

    private static final Pattern ADDRESS =
            Pattern.compile("(?m)^### \\[([A-Z_]+)]\\(operate/errors\\.md#([a-z_]+)\\)$");
    private static final Pattern CODE = Pattern.compile("(?m)^### ([A-Z_]+)$");
    /** The lines of a level stand below headings that begin with "Errors" or "Warnings". */
    private static final Pattern LEVEL = Pattern.compile("(?ms)^### (Errors|Warnings)\\b(.*?)(?=^###|\\z)");

    private static final Pattern ITEM = Pattern.compile("(?m)^- `([^`]+)`(:.*)?$");

    @Test
    void everyCodeHasItsSection() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.OK && outcome != Outcome.NOT_EXECUTED) {
                codes.add(outcome.code());
            }
        }
        Set<String> explained = new TreeSet<>();
        CODE.matcher(page()).results().forEach(section -> explained.add(section.group(1)));
        assertThat(explained).isEqualTo(codes);
    }

    /** Anchors of headings are their texts in lower case. */
    @Test
    void theAddressInProblemDocumentsLeadsToTheSectionOfEachCode() throws IOException {
        String addresses = Files.readString(ROOT.resolve(ERRORS_PAGE));
        Set<String> explained = new TreeSet<>();
        CODE.matcher(page()).results().forEach(section -> explained.add(section.group(1)));
        Set<String> leading = new TreeSet<>();
        ADDRESS.matcher(addresses)
                .results()
                .filter(address -> address.group(2).equals(address.group(1).toLowerCase(Locale.ROOT)))
                .forEach(address -> leading.add(address.group(1)));
        assertThat(leading).isEqualTo(explained);
        assertThat(Files.readString(
                        ROOT.resolve("consumer-agent/src/main/resources/io/dubbomesh/consumer/reference.conf")))
                .contains("\"http.errors-page\" = \"" + ERRORS_PAGE + "\"");
    }

    @Test
    void everyWarningAndErrorIsExplained() throws IOException {
        TreeMap<String, String> logged = new TreeMap<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    logged.putAll(lines(file));
                }
            }
        }
        assertThat(logged).hasSizeGreaterThan(40);
        TreeMap<String, String> explained = new TreeMap<>();
        LEVEL.matcher(page()).results().forEach(section -> {
            String level = section.group(1).equals("Warnings") ? "WARN" : "ERROR";
            explained(section.group(2)).forEach(line -> explained.put(line, level));
        });
        assertThat(explained).isEqualTo(logged);
    }

    /**
     * The lines of a section that are explained, behind them or by the paragraph before their list: one that is a
     * sentence, and no mere heading, which ends with a colon.
     */
    private static List<String> explained(String section) {
        List<String> lines = new ArrayList<>();
        String before = "";
        for (String paragraph : section.split("\n\n")) {
            boolean areAll = before.endsWith(".");
            ITEM.matcher(paragraph)
                    .results()
                    .filter(item -> areAll || item.group(2) != null)
                    .forEach(item -> lines.add(item.group(1)));
            before = paragraph.strip();
        }
        return lines;
    }

    /** The lines that a file logs, as the page has them, with their levels. */
    private static TreeMap<String, String> lines(Path file) throws IOException {
        TreeMap<String, String> lines = new TreeMap<>();
        String source = Files.readString(file);
        Matcher call = LOGGED.matcher(source);
        while (call.find()) {
            String text = text(source, call.end());
            if (text != null) {
                lines.put(text.replace("{}", "…"), call.group(1).equals("warn") ? "WARN" : "ERROR");
            } else {
                assertThat(PASSING_ON)
                        .as("%s logs what is no literal", file)
                        .contains(file.getFileName().toString());
            }
        }
        return lines;
    }

    /** The string literals that are joined from {@code at} on; null if there is none. */
    private static String text(String source, int at) {
        List<String> parts = new ArrayList<>();
        Matcher literal = LITERAL.matcher(source);
        for (int from = at; literal.find(from); from = literal.end()) {
            parts.add(literal.group(1));
            if (literal.group(2).isEmpty()) {
                return String.join("", parts);
            }
        }
        return null;
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/operate/errors.md"));
    }
}
