package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.List;

/** What a run found out, to be written down. */
final class Report {
    private final String scenario;
    private final String time;
    private final Machine machine;
    private final Options options;
    private final Installation installation;
    private final List<String> statements = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Comparison> comparisons = new ArrayList<>();
    private final List<Table> tables = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private long checked;
    private long wrong;

    /** @param time of the start, as it stands in the files' names */
    Report(String scenario, String time, Machine machine, Options options, Installation installation) {
        this.scenario = scenario;
        this.time = time;
        this.machine = machine;
        this.options = options;
        this.installation = installation;
    }

    /** What a reader must know: providers, limits that were raised, what could not be measured. */
    void state(String statement) {
        statements.add(statement);
    }

    /** What makes the run's exit status 1. */
    void fail(String failure) {
        failures.add(failure);
    }

    /** To be called when it has run. */
    void add(Comparison comparison) {
        comparisons.add(comparison);
        Summary summary = new Summary(comparison);
        tables.add(summary.figures());
        tables.add(summary.programs());
        charts.addAll(summary.charts());
        statements.addAll(comparison.notes());
        for (Round round : comparison.rounds()) {
            failOnErrors(round.side() + ", " + round.point().label() + ", round " + round.number(), round.load());
        }
        addChecks(comparison.checked(), comparison.wrong());
    }

    /** @param name of what was done under the load */
    void failOnErrors(String name, LoadResult load) {
        if (load.errors() > 0) {
            fail("%s: %d socket errors, %d timeouts, %d bad statuses, %d wrong answers"
                    .formatted(name, load.socketErrors(), load.timeouts(), load.badStatuses(), load.wrong()));
        }
    }

    /** @param when it was made */
    void addCheck(String when, LoadResult check) {
        if (check.checked() == 0) {
            fail("no answer's value was compared " + when + " the load");
        }
        addChecks(check.checked(), check.wrong());
    }

    private void addChecks(long count, long wrongOfThem) {
        checked += count;
        wrong += wrongOfThem;
        if (wrongOfThem > 0) {
            fail(wrongOfThem + " of " + count + " compared answers were wrong");
        }
    }

    void add(Table table) {
        tables.add(table);
    }

    void add(Chart chart) {
        charts.add(chart);
    }

    String scenario() {
        return scenario;
    }

    String time() {
        return time;
    }

    Machine machine() {
        return machine;
    }

    Options options() {
        return options;
    }

    Installation installation() {
        return installation;
    }

    List<String> statements() {
        return statements;
    }

    List<String> failures() {
        return failures;
    }

    List<Comparison> comparisons() {
        return comparisons;
    }

    List<Table> tables() {
        return tables;
    }

    List<Chart> charts() {
        return charts;
    }

    long checked() {
        return checked;
    }

    long wrong() {
        return wrong;
    }
}
