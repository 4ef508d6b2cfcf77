package io.dubbomesh.benchmark.ledger;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of the ledgers of the client and of the providers together.
 *
 * @param calls    in the client's ledger
 * @param outcomes how many of them ended so
 * @param faults   by their kind; must all be 0
 * @param examples the first of each kind
 */
public record Verdict(long calls, Map<Outcome, Long> outcomes, Map<Fault, Long> faults, List<String> examples) {
    private static final int EXAMPLES_OF_A_KIND = 3;

    /** A fault that no call may have. */
    public enum Fault {
        /** Sent, and not answered. */
        LOST,
        /** Answered wrongly with status 200. */
        WRONG,
        /** Answered with the right answer to another call. */
        CROSSED,
        /** An answer that no call waited for. */
        SURPLUS,
        /** Answered 500 without being an exception of the service. */
        UNTAGGED_500,
        EXECUTED_TWICE,
        /** Executed, although the answer says that it was not, or although it was never sent. */
        EXECUTED_THOUGH_REFUSED,
        /** Answered rightly, although no provider executed it: a provider's ledger is not complete. */
        NOT_EXECUTED
    }

    static Verdict of(Ledger ledger, Executions executions, long surplusAnswers) {
        Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
        Findings findings = new Findings();
        findings.counts.put(Fault.SURPLUS, surplusAnswers);
        ledger.calls().forEach(call -> {
            outcomes.merge(call.outcome(), 1L, Long::sum);
            judge(call, findings);
            if (executions.isKnown()) {
                int times = executions.count(ledger.texts().hash(call.number()));
                judge(call, times, findings);
            }
        });
        return new Verdict(ledger.size(), outcomes, findings.counts, findings.examples);
    }

    private static void judge(Call call, Findings findings) {
        switch (call.outcome()) {
            case LOST, PENDING -> findings.add(Fault.LOST, call);
            case WRONG -> findings.add(Fault.WRONG, call);
            case CROSSED -> findings.add(Fault.CROSSED, call);
            case UNTAGGED -> findings.add(Fault.UNTAGGED_500, call);
            case GOOD, REFUSED, FAILED, UNSENT -> {}
        }
    }

    private static void judge(Call call, int executions, Findings findings) {
        if (executions > 1) {
            findings.add(Fault.EXECUTED_TWICE, call);
        }
        if (executions > 0 && call.isReportedNotExecuted()) {
            findings.add(Fault.EXECUTED_THOUGH_REFUSED, call);
        }
        if (executions == 0 && call.outcome() == Outcome.GOOD) {
            findings.add(Fault.NOT_EXECUTED, call);
        }
    }

    private static final class Findings {
        private final Map<Fault, Long> counts = new EnumMap<>(Fault.class);
        private final List<String> examples = new ArrayList<>();

        Findings() {
            for (Fault fault : Fault.values()) {
                counts.put(fault, 0L);
            }
        }

        void add(Fault fault, Call call) {
            if (counts.merge(fault, 1L, Long::sum) <= EXAMPLES_OF_A_KIND) {
                examples.add(fault + ": " + call);
            }
        }
    }

    public boolean isClean() {
        return faults.values().stream().allMatch(count -> count == 0);
    }

    public long count(Fault fault) {
        return faults.get(fault);
    }

    public long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** {@code calls=9 good=7 refused=1 lost=1; faults: LOST=1}, followed by examples. */
    @Override
    public String toString() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("calls", calls);
        outcomes.forEach((outcome, count) -> figures.put(outcome.name().toLowerCase(Locale.ROOT), count));
        String text = join(figures) + "; faults: " + (isClean() ? "none" : join(found()));
        return examples.isEmpty() ? text : text + "\n  " + String.join("\n  ", examples);
    }

    private Map<Fault, Long> found() {
        Map<Fault, Long> found = new EnumMap<>(faults);
        found.values().removeIf(count -> count == 0);
        return found;
    }

    private static String join(Map<?, ?> figures) {
        return figures.entrySet().stream()
                .map(figure -> figure.getKey() + "=" + figure.getValue())
                .collect(Collectors.joining(" "));
    }
}
