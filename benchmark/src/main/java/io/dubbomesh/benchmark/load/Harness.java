package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.benchmark.report.Report;

import java.io.PrintStream;

/**
 * What every measurement works with.
 *
 * @param out for the person who watches
 */
public record Harness(Programs programs, Wrk wrk, Report report, PrintStream out) {
    /** For the report and for the person who watches. */
    public void state(String statement) {
        report.state(statement);
        out.println("  " + statement);
    }
}
