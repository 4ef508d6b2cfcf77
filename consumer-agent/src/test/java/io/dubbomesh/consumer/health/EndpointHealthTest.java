package io.dubbomesh.consumer.health;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointHealthTest {
    private static final long MS = 1_000_000;
    private static final int FAILURES = 5;
    private static final long STALL_MS = 1000;
    private static final int SLOWNESS = 3;
    private static final long PAUSE_MS = 500;
    private static final long MAX_PAUSE_MS = 4000;
    /** The latency of every call but those that a test makes slow, in milliseconds. */
    private static final long LATENCY_MS = 20;

    private final EndpointHealth health = new EndpointHealth(settings(SLOWNESS), 0);
    private long nowMs;

    private static HealthSettings settings(int slowness) {
        return new HealthSettings(true, FAILURES, STALL_MS * MS, slowness, PAUSE_MS, MAX_PAUSE_MS, 50, 0);
    }

    /**
     * The ways to the states, and the events, by letters: s a call is sent, a one that was sent now is answered, o one
     * that was sent before the last change, f one that was sent now fails, g one that was sent before, r one that was
     * sent now is refused, u a call ends in a way that tells nothing, e the owner ejects it, n the pause passes. A dot
     * stands for an event that changes nothing.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE       | WAY  | s       | a           | o | f       | g | r       | u       | e
                    IN_ROTATION | s    | .       | .           | . | .       | . | .       | .       | EJECTED
                    EJECTED     | se   | .       | IN_ROTATION | . | .       | . | .       | .       | .
                    EJECTED     | sen  | PROBING | IN_ROTATION | . | .       | . | .       | .       | .
                    PROBING     | ens  | .       | IN_ROTATION | . | EJECTED | . | EJECTED | EJECTED | EJECTED
                    PROBING     | sens | .       | IN_ROTATION | . | EJECTED | . | EJECTED | .       | EJECTED
                    """)
    void itFollowsItsDrawing(
            String state, String way, String s, String a, String o, String f, String g, String r, String u, String e) {
        String[] next = {s, a, o, f, g, r, u, e};
        for (int event = 0; event < next.length; event++) {
            EndpointHealth judged = new EndpointHealth(settings(SLOWNESS), 0);
            nowMs = 0;
            way.chars().forEach(step -> happen(judged, (char) step));
            assertThat(judged.state()).as(way).hasToString(state);
            happen(judged, "saofgrue".charAt(event));
            assertThat(judged.state())
                    .as(way + " " + "saofgrue".charAt(event))
                    .hasToString(next[event].equals(".") ? state : next[event]);
        }
    }

    private void happen(EndpointHealth judged, char event) {
        long nowNs = nowMs * MS;
        switch (event) {
            case 's' -> judged.sent(nowNs);
            case 'a' -> judged.answered(nowNs, nowNs);
            case 'o' -> judged.answered(-1, nowNs);
            case 'f' -> judged.failed(nowNs, nowNs);
            case 'g' -> judged.failed(-1, nowNs);
            case 'r' -> judged.refused(nowNs, nowNs);
            case 'u' -> {
                judged.ended();
                if (judged.isProbeUndecided()) {
                    judged.postponeProbe(nowNs);
                }
            }
            case 'e' -> judged.eject(false, nowNs);
            default -> nowMs += MAX_PAUSE_MS;
        }
    }

    // --- failures ---

    @Test
    void fiveFailuresInARowAreEvidence() {
        for (int i = 1; i < FAILURES; i++) {
            assertThat(fail()).as("failure " + i).isFalse();
        }
        assertThat(fail()).isTrue();
        assertThat(health.failures()).isEqualTo(FAILURES);
    }

    @Test
    void anAnswerEndsARowOfFailures() {
        times(FAILURES - 1, this::fail);
        answer();
        times(FAILURES - 1, () -> assertThat(fail()).isFalse());
        assertThat(fail()).isTrue();
    }

    @Test
    void evidenceStaysUntilAnAnswerComes() {
        times(FAILURES, this::fail);
        assertThat(fail()).isTrue();
    }

    @Test
    void aDeadlineThatLeftLessTimeThanCallsTakeIsNoFailure() {
        learnLatency();
        // Three times the usual latency and 5 ms.
        times(3 * FAILURES, () -> assertThat(timeOut(64)).isFalse());
        times(FAILURES - 1, () -> assertThat(timeOut(66)).isFalse());
        assertThat(timeOut(66)).isTrue();
    }

    @Test
    void aDeadlineOfASecondIsAFailureHoweverLongCallsTake() {
        health.compareWith(LatencyWindow.log2(10_000 * MS));
        times(FAILURES - 1, () -> assertThat(timeOut(STALL_MS)).isFalse());
        assertThat(timeOut(STALL_MS)).isTrue();
    }

    // --- refusals ---

    @Test
    void refusalsAloneFor100MsAreEvidence() {
        times(10, () -> assertThat(refuse()).isFalse());
        nowMs += 99;
        assertThat(refuse()).isFalse();
        nowMs += 1;
        assertThat(refuse()).isTrue();
        assertThat(health.refusals()).isEqualTo(12);
    }

    @Test
    void fewRefusalsAreNoEvidenceHoweverLongTheyTake() {
        times(FAILURES - 1, () -> {
            assertThat(refuse()).isFalse();
            nowMs += 1000;
        });
        assertThat(refuse()).isTrue();
    }

    @Test
    void anOverloadedEndpointStillAnswersAndIsNotEjected() {
        for (int i = 0; i < 100; i++) {
            times(10, () -> assertThat(refuse()).isFalse());
            nowMs += 50;
            answer();
        }
    }

    @Test
    void refusalsBetweenAnswersOfASlowMethodAreNoEvidence() {
        health.compareWith(LatencyWindow.log2(1000 * MS));
        times(10, () -> assertThat(refuse()).isFalse());
        nowMs += 2900;
        assertThat(refuse()).isFalse();
        nowMs += 200;
        assertThat(refuse()).isTrue();
    }

    // --- stall ---

    @Test
    void callsThatWaitASecondWithoutAnyAnswerAreEvidence() {
        learnLatency();
        send(5);
        assertThat(stalledAtCheck()).isFalse();
        for (int i = 0; i < 9; i++) {
            nowMs += 100;
            assertThat(stalledAtCheck()).isFalse();
        }
        nowMs += 100;
        assertThat(stalledAtCheck()).isTrue();
    }

    @Test
    void anyAnswerShowsThatNothingStalls() {
        learnLatency();
        send(6);
        stalledAtCheck();
        nowMs += 900;
        health.answered(nowMs * MS, nowMs * MS);
        health.ended();
        assertThat(stalledAtCheck()).isFalse();
        nowMs += 900;
        assertThat(stalledAtCheck()).isFalse();
        nowMs += 1000;
        assertThat(stalledAtCheck()).isTrue();
    }

    @Test
    void fewCallsMayBeOfASlowMethod() {
        learnLatency();
        send(4);
        stalledAtCheck();
        nowMs += 60_000;
        assertThat(stalledAtCheck()).isFalse();
    }

    @Test
    void callsThatUsuallyTakeLongMayWaitLonger() {
        health.compareWith(LatencyWindow.log2(500 * MS));
        send(5);
        stalledAtCheck();
        nowMs += 3900;
        assertThat(stalledAtCheck()).isFalse();
        nowMs += 200;
        assertThat(stalledAtCheck()).isTrue();
    }

    @Test
    void nothingStallsWhereNoLatencyIsKnown() {
        send(5);
        stalledAtCheck();
        nowMs += 60_000;
        assertThat(stalledAtCheck()).isFalse();
    }

    @Test
    void anEventLoopThatWasHeldUpBlamesNobody() {
        learnLatency();
        send(5);
        stalledAtCheck();
        nowMs += 5000;
        assertThat(health.isStalled(nowMs * MS, true)).isFalse();
        nowMs += 100;
        assertThat(stalledAtCheck()).isFalse();
    }

    // --- slowness ---

    @Test
    void tenTimesSlowerThanTheOthersIsEvidence() {
        answerIn(10 * LATENCY_MS, LatencyWindow.ENOUGH);
        health.compareWith(LatencyWindow.log2(LATENCY_MS * MS));
        assertThat(health.isSlow()).isTrue();
    }

    @Test
    void upToThreeTimesAndFiveMillisecondsSlowerIsNot() {
        answerIn(64, 100);
        health.compareWith(LatencyWindow.log2(LATENCY_MS * MS));
        assertThat(health.isSlow()).isFalse();
    }

    @Test
    void fewCallsAreComparedWithNothing() {
        answerIn(10 * LATENCY_MS, LatencyWindow.ENOUGH - 1);
        health.compareWith(LatencyWindow.log2(LATENCY_MS * MS));
        assertThat(health.isSlow()).isFalse();
    }

    @Test
    void someCallsOfASlowMethodMakeNoSlowEndpoint() {
        // The others happened to get none of them.
        answerIn(1, 7);
        answerIn(500, 3);
        health.compareWith(LatencyWindow.log2(MS));
        assertThat(health.isSlow()).isFalse();
    }

    @Test
    void anEndpointThatBecomesSlowIsFoundWithinAFewChecks() {
        long medianNs = LATENCY_MS * MS;
        for (int i = 0; i < 50; i++) {
            answerIn(LATENCY_MS, 5);
            health.compareWith(LatencyWindow.log2(medianNs));
            assertThat(health.isSlow()).isFalse();
            health.ageLatency();
        }
        int checks = 0;
        boolean slow = false;
        while (!slow && checks < 10) {
            answerIn(10 * LATENCY_MS, 5);
            health.compareWith(LatencyWindow.log2(medianNs));
            slow = health.isSlow();
            health.ageLatency();
            checks++;
        }
        assertThat(checks).isEqualTo(3);
    }

    @Test
    void slownessCanBeSwitchedOff() {
        EndpointHealth tolerant = new EndpointHealth(settings(0), 0);
        for (int i = 0; i < 100; i++) {
            tolerant.sent(0);
            tolerant.answered(0, 1000 * MS);
            tolerant.ended();
        }
        tolerant.compareWith(LatencyWindow.log2(MS));
        assertThat(tolerant.isSlow()).isFalse();
    }

    // --- ejection and return ---

    @Test
    void anEjectedEndpointIsProbedAfterAPauseCutByUpToHalf() {
        eject();
        assertThat(health.isInRotation()).isFalse();
        nowMs += PAUSE_MS / 2 - 1;
        assertThat(health.isProbeDue(nowMs * MS)).isFalse();
        nowMs += PAUSE_MS / 2 + 1;
        assertThat(health.isProbeDue(nowMs * MS)).isTrue();
    }

    @Test
    void oneCallIsTheProbe() {
        eject();
        nowMs += PAUSE_MS;
        send(1);
        assertThat(health.isProbeDue(nowMs * MS)).isFalse();
        assertThat(health.isInRotation()).isFalse();
    }

    @Test
    void anAnsweredProbeBringsTheEndpointBack() {
        eject();
        nowMs += PAUSE_MS;
        assertThat(answer()).isTrue();
        assertThat(health.isInRotation()).isTrue();
    }

    @Test
    void eachFailedProbeDoublesThePauseUpToTheMaximum() {
        eject();
        for (long pauseMs : new long[] {500, 1000, 2000, 4000, 4000, 4000}) {
            assertThat(health.probeNs() - nowMs * MS).isBetween(pauseMs / 2 * MS, pauseMs * MS);
            nowMs += pauseMs;
            assertThat(fail()).isFalse();
            assertThat(health.isProbeDue(nowMs * MS)).isFalse();
        }
    }

    @Test
    void aRefusedProbeFails() {
        eject();
        nowMs += PAUSE_MS;
        assertThat(refuse()).isFalse();
        assertThat(health.isInRotation()).isFalse();
        assertThat(health.probeNs() - nowMs * MS).isBetween(PAUSE_MS * MS, 2 * PAUSE_MS * MS);
    }

    @Test
    void aProbeThatTellsNothingIsRepeatedAfterAPause() {
        eject();
        nowMs += PAUSE_MS;
        send(1);
        health.ended();
        assertThat(health.isProbeUndecided()).isTrue();
        health.postponeProbe(nowMs * MS);
        assertThat(health.isProbeUndecided()).isFalse();
        assertThat(health.isProbeDue(nowMs * MS)).isFalse();
        nowMs += 2 * PAUSE_MS;
        assertThat(health.isProbeDue(nowMs * MS)).isTrue();
    }

    @Test
    void anEndpointThatWasEjectedAsSlowMustAnswerItsProbeQuickly() {
        health.compareWith(LatencyWindow.log2(LATENCY_MS * MS));
        health.eject(true, nowMs * MS);
        nowMs += PAUSE_MS;
        assertThat(answerIn(10 * LATENCY_MS)).isFalse();
        assertThat(health.isInRotation()).isFalse();
        nowMs += 2 * PAUSE_MS;
        assertThat(answerIn(LATENCY_MS)).isTrue();
    }

    @Test
    void anEndpointThatWasEjectedForFailuresMayAnswerItsProbeSlowly() {
        health.compareWith(LatencyWindow.log2(LATENCY_MS * MS));
        eject();
        nowMs += PAUSE_MS;
        assertThat(answerIn(3000)).isTrue();
    }

    @Test
    void callsSentBeforeTheEjectionTellNothingAboutTheTimeAfterIt() {
        long sentNs = nowMs * MS;
        send(2);
        nowMs += 100;
        eject();
        nowMs += 100;
        assertThat(health.answered(sentNs, nowMs * MS)).isFalse();
        assertThat(health.isInRotation()).isFalse();

        nowMs += PAUSE_MS;
        assertThat(answer()).isTrue();
        times(3 * FAILURES, () -> assertThat(health.failed(sentNs, nowMs * MS)).isFalse());
        assertThat(health.isInRotation()).isTrue();
    }

    @Test
    void aGoodAnswerBringsBackWhatIsUsedThoughItIsEjected() {
        eject();
        nowMs += 1;
        assertThat(health.isProbeDue(nowMs * MS)).isFalse();
        assertThat(answer()).isTrue();
    }

    @Test
    void aBadAnswerOfWhatIsUsedThoughItIsEjectedDoesNotMoveTheProbe() {
        eject();
        long probeNs = health.probeNs();
        nowMs += 1;
        fail();
        assertThat(health.probeNs()).isEqualTo(probeNs);
    }

    @Test
    void thePauseIsShortAgainAfterTenSecondsInRotation() {
        eject();
        nowMs += PAUSE_MS;
        fail();
        nowMs += 2 * PAUSE_MS;
        answer();
        nowMs += 9_000;
        eject();
        assertThat(health.probeNs() - nowMs * MS).as("soon again").isBetween(2 * PAUSE_MS * MS, 4 * PAUSE_MS * MS);
        nowMs += 4 * PAUSE_MS;
        answer();
        nowMs += 10_000;
        eject();
        assertThat(health.probeNs() - nowMs * MS).as("later").isBetween(PAUSE_MS / 2 * MS, PAUSE_MS * MS);
    }

    @Test
    void anEndpointThatIsBackStartsWithoutItsOldLatencies() {
        answerIn(10 * LATENCY_MS, 100);
        health.compareWith(LatencyWindow.log2(LATENCY_MS * MS));
        health.eject(true, nowMs * MS);
        nowMs += PAUSE_MS;
        answerIn(LATENCY_MS);
        assertThat(health.hasLatency()).isFalse();
        assertThat(health.isSlow()).isFalse();
    }

    // --- set-up ---

    private void eject() {
        health.eject(false, nowMs * MS);
    }

    private void learnLatency() {
        answerIn(LATENCY_MS, LatencyWindow.ENOUGH);
        health.compareWith(health.latencyLog());
        stalledAtCheck();
    }

    private void send(int calls) {
        for (int i = 0; i < calls; i++) {
            health.sent(nowMs * MS);
        }
    }

    private boolean stalledAtCheck() {
        return health.isStalled(nowMs * MS, false);
    }

    private boolean answer() {
        return answerIn(LATENCY_MS);
    }

    private void answerIn(long latencyMs, int calls) {
        for (int i = 0; i < calls; i++) {
            answerIn(latencyMs);
        }
    }

    private boolean answerIn(long latencyMs) {
        long sentNs = nowMs * MS;
        health.sent(sentNs);
        nowMs += latencyMs;
        boolean back = health.answered(sentNs, nowMs * MS);
        health.ended();
        return back;
    }

    private boolean fail() {
        health.sent(nowMs * MS);
        boolean evidence = health.failed(nowMs * MS, nowMs * MS);
        health.ended();
        return evidence;
    }

    private boolean refuse() {
        health.sent(nowMs * MS);
        boolean evidence = health.refused(nowMs * MS, nowMs * MS);
        health.ended();
        return evidence;
    }

    private boolean timeOut(long afterMs) {
        long sentNs = nowMs * MS;
        health.sent(sentNs);
        nowMs += afterMs;
        boolean evidence = health.timedOut(sentNs, nowMs * MS);
        health.ended();
        return evidence;
    }

    private static void times(int count, Runnable action) {
        for (int i = 0; i < count; i++) {
            action.run();
        }
    }
}
