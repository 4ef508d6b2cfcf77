package io.dubbomesh.client.call;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class LearntLimitTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long nowNs = Long.MAX_VALUE - SECOND;
    private LearntLimit limit = new LearntLimit(1, 100, nowNs);

    /** A window or a probe: enough calls of this latency, sent and answered under the limit in force. */
    private void answers(long latencyNs) {
        nowNs += Math.max(100 * MS, latencyNs);
        limit.answered(100, 100 * latencyNs, limit.inForceSinceNs(), nowNs);
    }

    private void answersWhileUsedUp(long latencyNs) {
        limit.reached();
        answers(latencyNs);
    }

    private void learnBaseline(long latencyNs) {
        answersWhileUsedUp(latencyNs);
        answers(latencyNs);
        assertThat(limit.limit()).as("the probe has ended").isEqualTo(limit.settled());
    }

    /**
     * The ways to the phases, and the events, by letters: f few answers, l enough of 50 ms while permits are left, u
     * enough of 50 ms while the limit is used up, h as many of 150 ms, o answers to calls that were sent before, x a
     * refusal, y one of a call that was sent under a higher limit, n six seconds pass. A dot stands for an event that
     * changes nothing.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    PHASE      | WAY | f | l          | u          | h        | o | x        | y
                    WATCHING   | ''  | . | .          | PROBING    | PROBING  | . | .        | .
                    WATCHING   | uu  | . | .          | .          | .        | . | .        | .
                    WATCHING   | uun | . | .          | .          | PROBING  | . | .        | .
                    PROBING    | h   | . | CONFIRMING | CONFIRMING | WATCHING | . | WATCHING | .
                    PROBING    | u   | . | WATCHING   | WATCHING   | WATCHING | . | WATCHING | .
                    CONFIRMING | hu  | . | WATCHING   | WATCHING   | WATCHING | . | WATCHING | .
                    """)
    void itFollowsItsDrawing(
            String phase, String way, String f, String l, String u, String h, String o, String x, String y) {
        String[] next = {f, l, u, h, o, x, y};
        for (int event = 0; event < next.length; event++) {
            limit = new LearntLimit(1, 100, nowNs);
            way.chars().forEach(step -> happen((char) step));
            assertThat(limit.phase()).as(way).hasToString(phase);
            happen("fluhoxy".charAt(event));
            assertThat(limit.phase())
                    .as(way + " " + "fluhoxy".charAt(event))
                    .hasToString(next[event].equals(".") ? phase : next[event]);
        }
    }

    private void happen(char event) {
        switch (event) {
            case 'f' -> limit.answered(1, 50 * MS, limit.inForceSinceNs(), nowNs);
            case 'l' -> answers(50 * MS);
            case 'u' -> answersWhileUsedUp(50 * MS);
            case 'h' -> answersWhileUsedUp(150 * MS);
            case 'o' -> limit.answered(100, 100 * 50 * MS, limit.inForceSinceNs() - 1, nowNs + SECOND);
            case 'x' -> limit.refused(limit.settled(), nowNs);
            case 'y' -> limit.refused(limit.settled() + 1, nowNs);
            default -> nowNs += 6 * SECOND;
        }
    }

    @Test
    void itStartsWithinItsBounds() {
        assertThat(limit.limit()).isEqualTo(20);
        assertThat(new LearntLimit(30, 100, 0).limit()).isEqualTo(30);
        assertThat(new LearntLimit(1, 8, 0).limit()).isEqualTo(8);
    }

    @Test
    void itDoesNotChangeWhileItIsNotUsedUp() {
        answers(50 * MS);
        answers(500 * MS);
        answers(5 * MS);

        assertThat(limit.limit()).isEqualTo(20);
    }

    @Test
    void itsFirstUseBeginsAProbeWithHalfTheLimit() {
        answersWhileUsedUp(50 * MS);

        assertThat(limit.limit()).isEqualTo(10);
        assertThat(limit.settled()).isEqualTo(20);
    }

    @Test
    void itDoublesAtTheStartAsLongAsTheLatencyDoesNotRise() {
        learnBaseline(50 * MS);

        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(40);
        answersWhileUsedUp(60 * MS);
        assertThat(limit.limit()).isEqualTo(80);
        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(100);
    }

    @Test
    void aLatencyThatFallsWithTheCallsInServiceAndRisesWithThemWasAQueue() {
        answersWhileUsedUp(75 * MS);
        answers(50 * MS);
        assertThat(limit.limit()).as("the whole limit again").isEqualTo(20);
        answers(75 * MS);

        assertThat(limit.limit()).as("20 / 1.5, and a tenth more").isEqualTo(14);
        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).as("no further probe").isEqualTo(14);
    }

    @Test
    void aLatencyThatFallsAndDoesNotRiseAgainWasOfAnotherReason() {
        answersWhileUsedUp(150 * MS);
        answers(50 * MS);
        answers(50 * MS);

        assertThat(limit.limit()).isEqualTo(20);
    }

    @Test
    void aLatencyThatIsHalvedMayNotHaveBeenTheWholeQueueAndIsProbedAgain() {
        answersWhileUsedUp(100 * MS);
        answers(50 * MS);
        answers(100 * MS);
        assertThat(limit.limit()).isEqualTo(11);

        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).as("a probe").isEqualTo(5);
        answers(50 * MS);
        assertThat(limit.limit()).isEqualTo(11);
        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(11);
    }

    @Test
    void latenciesDoNotLowerItBelowFour() {
        LearntLimit narrow = new LearntLimit(1, 6, 0);
        long timeNs = SECOND;
        narrow.reached();
        for (long latencyNs : new long[] {100 * MS, 50 * MS, 100 * MS}) {
            narrow.answered(100, 100 * latencyNs, narrow.inForceSinceNs(), timeNs);
            timeNs += SECOND;
        }

        assertThat(narrow.limit()).isEqualTo(4);
        narrow.reached();
        narrow.answered(100, 100 * SECOND, narrow.inForceSinceNs(), timeNs);
        assertThat(narrow.limit()).as("no probe").isEqualTo(4);
    }

    @Test
    void aLatencyThatStaysWasTheProvidersOwn() {
        learnBaseline(50 * MS);
        nowNs += 6 * SECOND;

        answersWhileUsedUp(150 * MS);
        assertThat(limit.limit()).as("a probe").isEqualTo(10);
        answers(150 * MS);
        assertThat(limit.limit()).isEqualTo(20);
        answersWhileUsedUp(150 * MS);
        assertThat(limit.limit()).as("150 ms is the baseline now").isEqualTo(40);
    }

    @Test
    void aHigherLatencySoonAfterAProbeOnlyStopsTheGrowth() {
        learnBaseline(50 * MS);

        answersWhileUsedUp(150 * MS);

        assertThat(limit.limit()).isEqualTo(20);
    }

    @Test
    void aRefusalTellsHowManyThreadsThereAre() {
        learnBaseline(50 * MS);
        answersWhileUsedUp(50 * MS);

        for (int inService = 40; inService > 25; inService--) {
            limit.refused(inService, nowNs);
        }

        assertThat(limit.limit()).isEqualTo(25);
    }

    @Test
    void laterRefusalsLowerItByATenthInATenthOfASecond() {
        limit.refused(20, nowNs);
        nowNs += SECOND;

        for (int inService = 19; inService > 10; inService--) {
            limit.refused(inService, nowNs);
        }
        assertThat(limit.limit()).isEqualTo(18);
        nowNs += 100 * MS;
        limit.refused(10, nowNs);
        assertThat(limit.limit()).isEqualTo(17);
    }

    @Test
    void aRefusalEndsAProbe() {
        answersWhileUsedUp(50 * MS);

        limit.refused(20, nowNs);

        assertThat(limit.limit()).isEqualTo(19);
    }

    @Test
    void aRefusalOfACallThatWasSentUnderAHigherLimitTellsNothing() {
        limit.refused(15, nowNs);
        limit.refused(18, nowNs);

        assertThat(limit.limit()).isEqualTo(14);
    }

    @Test
    void itGrowsByOneInTwentyThreeSecondsAfterItWasTooHigh() {
        learnBaseline(50 * MS);
        limit.refused(20, nowNs);

        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(19);
        nowNs += 3 * SECOND;
        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(20);
        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(21);
    }

    @Test
    void itStaysAtLeastAtItsMinimum() {
        LearntLimit bounded = new LearntLimit(3, 10, 0);

        for (int inService = 10; inService > 0; inService--) {
            bounded.refused(inService, 0);
        }

        assertThat(bounded.limit()).isEqualTo(3);
    }

    @Test
    void answersToCallsThatWereSentBeforeAChangeAreDropped() {
        long sinceNs = limit.inForceSinceNs();
        answersWhileUsedUp(50 * MS);
        assertThat(limit.limit()).isEqualTo(10);

        limit.answered(100, 100 * MS, sinceNs, nowNs);

        assertThat(limit.limit()).as("still a probe").isEqualTo(10);
    }

    @Test
    void aLimitOfOneGrowsWithoutAProbe() {
        LearntLimit narrow = new LearntLimit(1, 100, 0);
        narrow.refused(2, 0);
        assertThat(narrow.limit()).isEqualTo(1);

        narrow.reached();
        narrow.answered(20, 20 * MS, 0, 6 * SECOND);

        assertThat(narrow.limit()).isEqualTo(2);
    }
}
