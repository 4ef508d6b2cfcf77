package io.dubbomesh.acceptance.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** docs/results/values.md: a line for each value, by kind. */
final class ValuesPage {
    /** Begins the line before the calls of a kind in the table. */
    private static final String KIND = "# --- ";

    private final List<String> reasons;
    private final Map<String, String> results;
    private final Map<Call, Set<Verdict>> withClassFiles = new LinkedHashMap<>();
    private final Map<Call, Set<Verdict>> without = new LinkedHashMap<>();
    /** The number of the footnote of each reason that is referred to. */
    private final Map<Integer, Integer> footnotes = new TreeMap<>();

    /** @param results the types that methods without parameters return, by their names */
    ValuesPage(List<String> reasons, Map<String, String> results, Collection<Verdict> verdicts) {
        this.reasons = reasons;
        this.results = results;
        for (Verdict verdict : verdicts) {
            (verdict.setup().classFiles() ? withClassFiles : without)
                    .computeIfAbsent(verdict.call(), call -> new LinkedHashSet<>())
                    .add(verdict);
            if (verdict.reason() >= 0) {
                footnotes.put(verdict.reason(), 0);
            }
        }
        int number = 1;
        for (Map.Entry<Integer, Integer> footnote : footnotes.entrySet()) {
            footnote.setValue(number++);
        }
    }

    String markdown(String introduction, Path table) throws IOException {
        StringBuilder page = new StringBuilder(introduction);
        List<String> lines = Files.readAllLines(table);
        Map<Integer, Call> calls = withClassFiles.keySet().stream().collect(Collectors.toMap(Call::line, call -> call));
        for (int i = 0; i < lines.size(); i++) {
            Call call = calls.get(i + 1);
            if (lines.get(i).startsWith(KIND)) {
                page.append("\n## ").append(lines.get(i).substring(KIND.length()));
                page.append("\n\n| Java | JSON | with class files | without |\n|---|---|---|---|\n");
            } else if (call != null) {
                appendValue(page, call);
            }
        }
        page.append("\n## Reasons\n\n");
        footnotes.forEach((reason, number) ->
                page.append(number).append(". ").append(reasons.get(reason)).append('\n'));
        return page.toString();
    }

    private void appendValue(StringBuilder page, Call call) {
        String argument = call.arguments().substring(1, call.arguments().length() - 1);
        ExpectedAnswer expected = call.answer(CallStyle.UNTYPED);
        String answer = expected.whole() ? code(expected.json()) : Integer.toString(expected.status());
        String json = argument.isEmpty() || argument.equals(expected.json()) ? answer : code(argument) + " → " + answer;
        page.append("| ").append(code(type(call))).append(argument.isEmpty() ? " " + words(call.method()) : "");
        page.append(" | ").append(json);
        page.append(" | ").append(mark(withClassFiles.get(call)));
        page.append(" | ").append(mark(without.get(call))).append(" |\n");
    }

    private String type(Call call) {
        String type = call.types().isEmpty() ? results.get(call.method()) : String.join(", ", call.types());
        return type.replaceAll("\\b[a-z0-9]+\\.", "").replaceAll("Value(s|Exchange|Source)\\$", "");
    }

    /** {@code unmodifiable list} of {@code unmodifiableList}. */
    private static String words(String method) {
        return method.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String code(String text) {
        return '`' + text.replace("|", "\\|") + '`';
    }

    private String mark(Set<Verdict> verdicts) {
        if (verdicts.stream().anyMatch(verdict -> verdict.fault() != null)) {
            return "✗";
        }
        Set<Integer> numbers = verdicts.stream()
                .filter(verdict -> verdict.reason() >= 0)
                .map(verdict -> footnotes.get(verdict.reason()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (numbers.isEmpty()) {
            return "✓";
        }
        return (verdicts.stream().anyMatch(Verdict::isRight) ? "✓ " : "") + numbers;
    }
}
