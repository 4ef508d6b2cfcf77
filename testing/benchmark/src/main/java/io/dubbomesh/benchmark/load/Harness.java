package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.benchmark.report.Report;

import java.io.IOException;
import java.io.PrintStream;

/**
 * The tools of every measurement.
 *
 * @param out for the person who watches
 */
public record Harness(Programs programs, Wrk wrk, Report report, PrintStream out) {
    /** Adds a statement for the report and for the person who watches. */
    public void state(String statement) {
        report.state(statement);
        out.println("  " + statement);
    }

    /** Compares answers under the load of {@code point}. */
    public void check(Side side, Point point, int seconds) throws IOException, InterruptedException {
        LoadResult result = wrk.check(side, point, seconds);
        report.addChecks(result.checked(), result.wrong());
    }
}
