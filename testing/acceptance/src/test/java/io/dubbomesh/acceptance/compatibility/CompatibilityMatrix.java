package io.dubbomesh.acceptance.compatibility;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** docs/results/compatibility.md: a line for each method, a column for each setup. */
final class CompatibilityMatrix {
    private static final String RIGHT = "✓";
    private static final String WRONG = "✗";

    private final List<Setup> used;
    private final List<String> reasons;
    private final Map<String, Map<Setup, List<Verdict>>> methods = new LinkedHashMap<>();
    /** The number of the footnote of each reason that is referred to. */
    private final Map<Integer, Integer> footnotes = new TreeMap<>();

    CompatibilityMatrix(List<Setup> used, List<String> reasons, Collection<Verdict> verdicts) {
        this.used = used;
        this.reasons = reasons;
        for (Verdict verdict : verdicts) {
            methods.computeIfAbsent(verdict.call().signature(), signature -> new EnumMap<>(Setup.class))
                    .computeIfAbsent(verdict.setup(), setup -> new ArrayList<>())
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

    String markdown(String introduction) {
        StringBuilder page = new StringBuilder(introduction);
        page.append("\n## With the class files of the service beside the provider agent\n\n");
        appendTable(page, false, true);
        page.append("\n## Without class files: the provider agent uses the provider's metadata\n\n");
        appendTable(page, false, false);
        page.append("\n## Peculiarities of real providers, with class files\n\n");
        appendTable(page, true, true);
        page.append("\n## Peculiarities of real providers, without class files\n\n");
        appendTable(page, true, false);
        page.append("\n## Reasons\n\n");
        footnotes.forEach((reason, number) ->
                page.append(number).append(". ").append(reasons.get(reason)).append('\n'));
        return page.toString();
    }

    private void appendTable(StringBuilder page, boolean office, boolean classFiles) {
        List<Setup> setups =
                Setup.all(office, classFiles).stream().filter(used::contains).toList();
        page.append("| method |");
        setups.forEach(setup -> page.append(' ').append(setup).append(" |"));
        page.append("\n|---|").append("---|".repeat(setups.size())).append('\n');
        methods.forEach((signature, verdicts) -> {
            if (verdicts.values().iterator().next().get(0).call().isOfOffice() != office) {
                return;
            }
            page.append("| `").append(signature).append("` |");
            setups.forEach(
                    setup -> page.append(' ').append(cell(verdicts.get(setup))).append(" |"));
            page.append('\n');
        });
    }

    private String cell(List<Verdict> verdicts) {
        Map<CallStyle, String> marks = new EnumMap<>(CallStyle.class);
        for (CallStyle style : CallStyle.values()) {
            List<Verdict> ofStyle = verdicts.stream()
                    .filter(verdict -> verdict.style() == style)
                    .toList();
            if (!ofStyle.isEmpty()) {
                marks.put(style, mark(ofStyle));
            }
        }
        Set<String> different = new LinkedHashSet<>(marks.values());
        if (different.size() == 1) {
            return different.iterator().next();
        }
        List<String> parts = new ArrayList<>();
        marks.forEach((style, mark) -> parts.add(style + " " + mark));
        return String.join(", ", parts);
    }

    private String mark(List<Verdict> verdicts) {
        if (verdicts.stream().anyMatch(verdict -> verdict.fault() != null)) {
            return WRONG;
        }
        Set<Integer> numbers = new LinkedHashSet<>();
        verdicts.stream()
                .filter(verdict -> verdict.reason() >= 0)
                .forEach(verdict -> numbers.add(footnotes.get(verdict.reason())));
        boolean someRight = verdicts.stream().anyMatch(Verdict::isRight);
        if (numbers.isEmpty()) {
            return RIGHT;
        }
        return (someRight ? RIGHT + " " : "") + numbers;
    }
}
