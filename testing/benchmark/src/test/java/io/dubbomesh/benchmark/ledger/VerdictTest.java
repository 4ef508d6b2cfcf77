package io.dubbomesh.benchmark.ledger;

import io.dubbomesh.benchmark.ledger.Verdict.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class VerdictTest {
    private static final int FIRST = 1000;
    private static final long MS = 1_000_000;

    private final NumberedText texts = new NumberedText(10);
    private final Ledger ledger = new Ledger(texts, FIRST);

    /** A call, and how often a provider executed it: the one fault that this is, or none. */
    @ParameterizedTest
    @CsvSource({
        "GOOD, 200, 1,",
        "GOOD, 200, 0, NOT_EXECUTED",
        "GOOD, 200, 2, EXECUTED_TWICE",
        "REFUSED, 503, 0,",
        "REFUSED, 503, 1, EXECUTED_THOUGH_REFUSED",
        "REFUSED, 429, 1, EXECUTED_THOUGH_REFUSED",
        "FAILED, 400, 1, EXECUTED_THOUGH_REFUSED",
        "FAILED, 404, 1, EXECUTED_THOUGH_REFUSED",
        "FAILED, 501, 1, EXECUTED_THOUGH_REFUSED",
        "FAILED, 400, 0,",
        "FAILED, 500, 1,",
        "FAILED, 502, 0,",
        "FAILED, 502, 1,",
        "FAILED, 504, 1,",
        "FAILED, 504, 2, EXECUTED_TWICE",
        "UNSENT, 0, 0,",
        "UNSENT, 0, 1, EXECUTED_THOUGH_REFUSED",
        "LOST, 0, 0, LOST",
        "LOST, 0, 1, LOST",
        "PENDING, 0, 1, LOST",
        "WRONG, 200, 1, WRONG",
        "CROSSED, 200, 1, CROSSED",
        "UNTAGGED, 500, 1, UNTAGGED_500",
    })
    void aCallHasTheFaultThatBothLedgersShow(Outcome outcome, int status, int executions, Fault fault) {
        add(0, Outcome.GOOD, 200, MS);
        add(0, outcome, status, MS);
        int[] executed = new int[1 + executions];
        for (int i = 0; i < executed.length; i++) {
            executed[i] = texts.hash(i == 0 ? FIRST : FIRST + 1);
        }

        Verdict verdict = ledger.verdict(Executions.of(executed));

        for (Fault each : Fault.values()) {
            assertThat(verdict.count(each)).as(each.name()).isEqualTo(each == fault ? 1 : 0);
        }
        assertThat(verdict.isClean()).isEqualTo(fault == null);
        if (fault != null) {
            assertThat(verdict).asString().contains("faults: " + fault + "=1\n  " + fault + ": call 1001, ");
        }
    }

    @Test
    void withoutTheProvidersLedgersOnlyTheClientsIsJudged() {
        add(0, Outcome.GOOD, 200, MS);
        add(0, Outcome.REFUSED, 503, MS);
        assertThat(ledger.verdict(Executions.unknown())).hasToString("calls=2 good=1 refused=1; faults: none");
        add(0, Outcome.LOST, 0, MS);
        assertThat(ledger.verdict(Executions.unknown()).count(Fault.LOST)).isEqualTo(1);
    }

    @Test
    void anAnswerThatNoCallWaitedForIsAFault() {
        ledger.addSurplusAnswer();
        assertThat(ledger.verdict(Executions.of()).isClean()).isFalse();
    }

    @Test
    void executionsOfOtherClientsDoNotCount() {
        add(0, Outcome.GOOD, 200, MS);
        int other = texts.hash(FIRST + 1);
        Executions executions = Executions.of(texts.hash(FIRST), other, other);
        assertThat(ledger.verdict(executions).isClean()).isTrue();
    }

    @Test
    void theFilesOfSeveralProvidersAreOneLedger(@TempDir Path directory) throws IOException {
        Path one = Files.writeString(directory.resolve("one"), "5\n-7\n5\n");
        Path two = Files.writeString(directory.resolve("two"), "5\n-123");
        Executions executions = Executions.read(List.of(one, two));
        assertThat(executions.count(5)).isEqualTo(3);
        assertThat(executions.count(-7)).isEqualTo(1);
        // The provider was killed while it wrote the line.
        assertThat(executions.count(-123)).isZero();
    }

    @Test
    void aSliceHasTheCallsThatWereToBeSentInIt() {
        for (int i = 0; i < 100; i++) {
            add(i * 10 * MS, Outcome.GOOD, 200, (i + 1) * MS);
        }
        add(1000 * MS, Outcome.REFUSED, 503, 2 * MS);
        add(1000 * MS, Outcome.FAILED, 504, 900 * MS);
        add(1999 * MS, Outcome.LOST, 0, 900 * MS);

        Slice first = ledger.slice(Duration.ZERO, Duration.ofSeconds(1));
        assertThat(first.calls()).isEqualTo(100);
        assertThat(first.goodPerSecond()).isEqualTo(100);
        assertThat(first.goodMs(50)).isCloseTo(50, within(0.1));
        assertThat(first.goodMs(99)).isCloseTo(99, within(0.1));
        assertThat(first.refusedMs(99)).isNaN();
        assertThat(first.failedShare()).isZero();
        assertThat(first.failedOrSlowShare(90)).isCloseTo(0.1, within(1e-9));

        Slice second = ledger.slice(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(second.calls()).isEqualTo(3);
        assertThat(second.statuses()).containsOnlyKeys(503, 504);
        assertThat(second.refusedMs(99)).isCloseTo(2, within(0.01));
        assertThat(second.goodMs(99)).isNaN();
        assertThat(second.failedShare()).isEqualTo(1);
        assertThat(ledger.all().calls()).isEqualTo(103);
    }

    private void add(long intendedNs, Outcome outcome, int status, long latencyNs) {
        int number = ledger.add(intendedNs);
        ledger.sent(number, intendedNs);
        if (outcome != Outcome.PENDING) {
            ledger.ended(number, intendedNs + latencyNs, outcome, status);
        }
    }
}
