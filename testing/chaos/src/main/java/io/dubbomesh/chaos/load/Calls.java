package io.dubbomesh.chaos.load;

import io.dubbomesh.benchmark.ledger.Ledger;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls that have ended, or some of them: each method that returns calls selects. */
public record Calls(List<Call> all) {

    static Calls of(Ledger ledger, long startNs) {
        return new Calls(ledger.calls()
                .map(call -> new Call(
                        ledger.texts().hash(call.number()),
                        startNs + call.intendedNs(),
                        startNs + call.endNs(),
                        call.outcome(),
                        call.status()))
                .toList());
    }

    /** Returns the calls that were due in this time. */
    public Calls between(long fromNs, long untilNs) {
        return where(call -> call.dueNs() - fromNs >= 0 && call.dueNs() - untilNs < 0);
    }

    public Calls from(long fromNs) {
        return where(call -> call.dueNs() - fromNs >= 0);
    }

    public Calls until(long untilNs) {
        return where(call -> call.dueNs() - untilNs < 0);
    }

    public Calls good() {
        return where(Call::isGood);
    }

    public Calls failed() {
        return where(call -> !call.isGood());
    }

    public Calls withStatus(int status) {
        return where(call -> call.status() == status);
    }

    public Calls where(Predicate<Call> condition) {
        return new Calls(all.stream().filter(condition).toList());
    }

    public Calls and(Calls others) {
        return new Calls(Stream.concat(all.stream(), others.all.stream()).toList());
    }

    public int count() {
        return all.size();
    }

    public double failedPercent() {
        return all.isEmpty() ? 100 : 100.0 * failed().count() / count();
    }

    /** The time from when a call was due until its end; 0 if there is no call. */
    public double percentileMs(double percentile) {
        double[] sorted = all.stream().mapToDouble(Call::tookMs).sorted().toArray();
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percentile / 100 * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    /** When the last of them ended, or {@code otherwiseNs} if there are none. */
    public long lastEndNs(long otherwiseNs) {
        return all.stream().mapToLong(Call::endNs).reduce(otherwiseNs, (a, b) -> b - a > 0 ? b : a);
    }

    /** When the last of them was due, or {@code otherwiseNs} if there are none. */
    public long lastDueNs(long otherwiseNs) {
        return all.stream().mapToLong(Call::dueNs).reduce(otherwiseNs, (a, b) -> b - a > 0 ? b : a);
    }

    /** In which seconds since then they were due: {@code 3 s: 7, 12 s: 1} */
    public String times(long fromNs) {
        Map<Long, Long> counts = all.stream()
                .collect(Collectors.groupingBy(
                        call -> (call.dueNs() - fromNs) / 1_000_000_000, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " s: " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /** {@code 200: 500, 504: 3, LOST: 1} */
    public String statuses() {
        Map<String, Long> counts =
                all.stream().collect(Collectors.groupingBy(Calls::end, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String end(Call call) {
        return call.status() == 0 || call.isWrong() ? call.outcome().toString() : Integer.toString(call.status());
    }
}
