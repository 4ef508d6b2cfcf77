package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RecentFailuresTest {
    private static final MethodName BUY = method("buy");

    private final RecentFailures failures = new RecentFailures();

    private static MethodName method(String name) {
        return new MethodName("a.Shop", name, "I", "1.0", "blue");
    }

    @Test
    void theSameFailuresAreCountedTogether() {
        failures.add(Outcome.TIMEOUT, BUY, "192.0.2.7:30000", "the first");
        failures.add(Outcome.TIMEOUT, BUY, "192.0.2.7:30000", "the second");
        failures.add(Outcome.TIMEOUT, BUY, "192.0.2.8:30000", "elsewhere");
        failures.add(Outcome.OVERLOADED, BUY, null, "full");

        assertThat(failures.failures())
                .extracting(Failure::outcome, Failure::endpoint, Failure::count)
                .containsExactlyInAnyOrder(
                        tuple(Outcome.TIMEOUT, "192.0.2.7:30000", 2L),
                        tuple(Outcome.TIMEOUT, "192.0.2.8:30000", 1L),
                        tuple(Outcome.OVERLOADED, null, 1L));
        assertThat(failures.failures())
                .allSatisfy(failure -> assertThat(failure.service()).isEqualTo("a.Shop"));
    }

    @Test
    void theReasonOfAFloodOfFailuresIsAskedForOnce() {
        AtomicInteger asked = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            failures.add(Outcome.OVERLOADED, BUY, null, () -> "reason " + asked.incrementAndGet());
        }

        assertThat(failures.failures())
                .extracting(Failure::count, Failure::reason)
                .containsExactly(tuple(3L, "reason 1"));
    }

    @Test
    void inventedNamesMakeItForgetOnlyFailuresOfTheSameCode() {
        failures.add(Outcome.PROVIDER_ERROR, BUY, "192.0.2.7:30000", "lost");
        for (int i = 0; i < 1000; i++) {
            failures.add(Outcome.SERVICE_NOT_FOUND, method(i + "x".repeat(100_000)), null, "y".repeat(100_000));
        }

        assertThat(failures.failures())
                .hasSize(1 + RecentFailures.ROWS_PER_CODE)
                .anySatisfy(failure -> assertThat(failure.reason()).isEqualTo("lost"))
                .allSatisfy(failure -> assertThat(failure.reason()).hasSizeLessThan(1010))
                .allSatisfy(failure -> assertThat(failure.method()).hasSizeLessThan(210));
    }

    @Test
    void theReportAddsUpEventLoopsAndHasTheLatestFirst() {
        Failure early = new Failure(Outcome.TIMEOUT, "a.Shop", "buy", "", "", "192.0.2.7:30000", 2, 1000, 5000, "old");
        Failure late = new Failure(Outcome.TIMEOUT, "a.Shop", "buy", "", "", "192.0.2.7:30000", 3, 2000, 7000, "new");
        Failure other =
                new Failure(Outcome.NOT_FOUND, "a.Shop", MethodName.DESCRIBE, "", "", null, 1, 8000, 8000, "none");

        assertThat(FailureReport.of(List.of(List.of(early), List.of(late, other)), 9500)
                        .failures())
                .containsExactly(
                        new FailureReport.Entry(
                                "NOT_FOUND",
                                404,
                                "a.Shop",
                                null,
                                "",
                                "",
                                null,
                                1,
                                "1970-01-01T00:00:08Z",
                                "1970-01-01T00:00:08Z",
                                1.5,
                                "none"),
                        new FailureReport.Entry(
                                "TIMEOUT",
                                504,
                                "a.Shop",
                                "buy",
                                "",
                                "",
                                "192.0.2.7:30000",
                                5,
                                "1970-01-01T00:00:01Z",
                                "1970-01-01T00:00:07Z",
                                2.5,
                                "new"));
    }
}
