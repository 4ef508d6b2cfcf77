package io.dubbomesh.benchmark.scenario;

import java.io.IOException;
import java.util.Map;

/**
 * Something that is measured.
 *
 * @param defaults of its options, by their names, where they differ from those of all scenarios
 */
record Scenario(Map<String, String> defaults, Action action) {

    /** Starts programs, puts load on them, and adds to the report. The caller ends all programs. */
    interface Action {
        void run(Session session) throws IOException, InterruptedException;
    }
}
