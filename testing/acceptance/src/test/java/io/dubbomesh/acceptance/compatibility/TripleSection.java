package io.dubbomesh.acceptance.compatibility;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sections of the page on Triple: a line for each method whose answers through a gateway differ from those by
 * dubbo, and one for each whose answers through a pair differ from those through the gateway.
 */
final class TripleSection {
    private static final String GATEWAY = """

            ## By Triple, through a gateway

            `TripleCompatibilityTest` makes the same calls by Triple, with providers that export their services by `tri` alone, through a gateway with class files and
            one without (alone). Every cell is that of the same version of Dubbo in the tables above, but for these:

            """;

    private static final String PAIR = """

            ## By Triple, through a pair

            A provider agent with `dubbo.protocol.name=tri`, and a consumer agent. Every cell is that of the gateway, but for these:

            """;

    private final KnownLimits limits;
    private final Map<String, Map<Setup, List<Verdict>>> methods = new LinkedHashMap<>();
    private final Map<Integer, Integer> footnotes = new LinkedHashMap<>();

    TripleSection(KnownLimits limits, Collection<Verdict> verdicts) {
        this.limits = limits;
        for (Verdict verdict : verdicts) {
            methods.computeIfAbsent(verdict.call().signature(), signature -> new EnumMap<>(Setup.class))
                    .computeIfAbsent(verdict.setup(), setup -> new ArrayList<>())
                    .add(verdict);
        }
    }

    String markdown() {
        StringBuilder page = new StringBuilder(GATEWAY);
        appendTable(page, Setup.byTriple().stream().filter(Setup::isGateway).toList());
        page.append("\nAn empty cell is as by `dubbo`.\n").append(PAIR);
        appendTable(
                page,
                Setup.byTriple().stream().filter(setup -> !setup.isGateway()).toList());
        page.append("\nAn empty cell is as through the gateway. Reasons by Triple:\n\n");
        footnotes.forEach((reason, number) -> page.append(number)
                .append(". ")
                .append(limits.reasons().get(reason))
                .append('\n'));
        return page.toString();
    }

    private void appendTable(StringBuilder page, List<Setup> setups) {
        page.append("| method |");
        setups.forEach(setup -> page.append(' ').append(setup).append(" |"));
        page.append("\n|---|").append("---|".repeat(setups.size())).append('\n');
        methods.forEach((signature, verdicts) -> {
            if (setups.stream().anyMatch(setup -> isOther(verdicts.getOrDefault(setup, List.of())))) {
                page.append("| `").append(signature).append("` |");
                setups.forEach(setup -> page.append(' ')
                        .append(cell(verdicts.getOrDefault(setup, List.of())))
                        .append(" |"));
                page.append('\n');
            }
        });
    }

    private boolean isOther(List<Verdict> verdicts) {
        return verdicts.stream()
                .anyMatch(verdict -> limits.isOtherThanBase(verdict.setup(), verdict.style(), verdict.call()));
    }

    private String cell(List<Verdict> verdicts) {
        if (!isOther(verdicts)) {
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
