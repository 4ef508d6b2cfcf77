package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.Map;

/** Something that is measured: starts programs, puts load on them, and adds to the report. All programs are ended behind it. */
interface Scenario {
    /** Of the options that differ from what holds for all. */
    Map<String, String> defaults();

    void run(Session session) throws IOException, InterruptedException, BenchException;
}
