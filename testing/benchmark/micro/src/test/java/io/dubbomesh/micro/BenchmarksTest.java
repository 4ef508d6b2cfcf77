package io.dubbomesh.micro;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;

import static org.assertj.core.api.Assertions.assertThat;

class BenchmarksTest {
    @Test
    void everyBenchmarkRunsAndGivesTheRightResult() throws RunnerException {
        Options once = new OptionsBuilder()
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();

        Collection<RunResult> results = new Runner(once).run();

        assertThat(results.stream().map(result -> simpleName(result.getParams().getBenchmark())))
                .contains(
                        "RequestBenchmark.http",
                        "RequestBenchmark.form",
                        "DubboBenchmark.request",
                        "DubboBenchmark.answer26",
                        "DubboBenchmark.answer33",
                        "HessianListToJsonBenchmark.agent");
    }

    private static String simpleName(String benchmark) {
        int method = benchmark.lastIndexOf('.');
        return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    }
}
