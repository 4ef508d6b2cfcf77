package io.dubbomesh.acceptance.compatibility;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The section of the page on Triple: a line for each method whose answers differ from those by dubbo. */
final class TripleSection {
    private static final String INTRODUCTION = """

            ## By Triple, through a gateway

            `TripleCompatibilityTest` makes the same calls by Triple, with providers that export their services by `tri` alone, through a gateway with class files and
            one without (alone). Every cell is that of the same version of Dubbo in the tables above, but for these:

            """;

    private final List<Setup> setups;
    private final KnownLimits limits;
    private final Map<String, Map<Setup, List<Verdict>>> methods = new LinkedHashMap<>();
    private final Map<Integer, Integer> footnotes = new LinkedHashMap<>();

    TripleSection(List<Setup> setups, KnownLimits limits, Collection<Verdict> verdicts) {
        this.setups = setups;
        this.limits = limits;
        for (Verdict verdict : verdicts) {
            methods.computeIfAbsent(verdict.call().signature(), signature -> new EnumMap<>(Setup.class))
                    .computeIfAbsent(verdict.setup(), setup -> new ArrayList<>())
                    .add(verdict);
        }
    }

    String markdown() {
        StringBuilder page = new StringBuilder(INTRODUCTION).append("| method |");
        setups.forEach(setup -> page.append(' ').append(setup).append(" |"));
        page.append("\n|---|").append("---|".repeat(setups.size())).append('\n');
        methods.forEach((signature, verdicts) -> {
            if (verdicts.values().stream().flatMap(List::stream).anyMatch(this::isOther)) {
                page.append("| `").append(signature).append("` |");
                setups.forEach(setup -> page.append(' ')
                        .append(cell(verdicts.getOrDefault(setup, List.of())))
                        .append(" |"));
                page.append('\n');
            }
        });
        page.append("\nAn empty cell is as by `dubbo`. Reasons by Triple:\n\n");
        footnotes.forEach((reason, number) -> page.append(number)
                .append(". ")
                .append(limits.reasons().get(reason))
                .append('\n'));
        return page.toString();
    }

    private boolean isOther(Verdict verdict) {
        return limits.isOtherByTriple(verdict.setup(), verdict.style(), verdict.call());
    }

    private String cell(List<Verdict> verdicts) {
        if (verdicts.stream().noneMatch(this::isOther)) {
            return "";
        }
        Set<String> marks = new LinkedHashSet<>();
        if (verdicts.stream().anyMatch(Verdict::isRight)) {
            marks.add("✓");
        }
        for (Verdict verdict : verdicts) {
            if (verdict.reason() >= 0) {
                int number = footnotes.computeIfAbsent(verdict.reason(), reason -> footnotes.size() + 1);
                marks.add("[" + number + "]");
            }
        }
        return String.join(" ", marks);
    }
}
