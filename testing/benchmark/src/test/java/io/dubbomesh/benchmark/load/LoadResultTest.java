package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoadResultTest {
    private static final String COMPLETE = "RESULT requests=1000 duration_us=2000000 mean_us=120 p50_us=100 p90_us=200 "
            + "p99_us=300 max_us=400 socket_errors=1 timeouts=2 bad_statuses=10 checked=50 wrong=3";

    @Test
    void theResultIsReadAfterTheOutputOfTheLoadGenerator() {
        LoadResult result = LoadResult.parse("Running 2s test @ http://192.0.2.1\n  Requests/sec: 1\n" + COMPLETE
                + "\nCURVE 0:90 50:100 99.9:350 100:400\n");
        Map<Double, Long> curve = Map.of(0.0, 90L, 50.0, 100L, 99.9, 350L, 100.0, 400L);
        assertThat(result).isEqualTo(new LoadResult(1000, 2_000_000, 120, 100, 200, 300, 400, 1, 2, 10, 50, 3, curve));
        assertThat(result.qps()).isEqualTo(495);
        assertThat(result.errors()).isEqualTo(1 + 2 + 10 + 3);
    }

    @Test
    void theMeanTheChecksAndTheCurveMayBeAbsent() {
        LoadResult result =
                LoadResult.parse("RESULT connections=7 requests=1 duration_us=1 p50_us=-1 p90_us=-1 p99_us=-1 "
                        + "max_us=9 socket_errors=0 timeouts=0 bad_statuses=0");
        assertThat(result.meanUs()).isEqualTo(-1);
        assertThat(result.checked()).isZero();
        assertThat(result.curve()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unable to connect               | no line RESULT",
                "RESULT requests=1               | RESULT has no duration_us",
                "RESULT requests=many            | requests=many (expected: key=whole number)",
                "RESULT requests                 | requests (expected: key=whole number)",
            })
    void anIncompleteResultIsReported(String output, String message) {
        assertThatThrownBy(() -> LoadResult.parse(output))
                .isInstanceOf(BenchException.class)
                .hasMessageStartingWith(message);
    }
}
