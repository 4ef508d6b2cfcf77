package io.dubbomesh.transport.call;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class StandingDelayTest {
    private static final long START = Long.MAX_VALUE - SECONDS.toNanos(100);
    private static final long DEADLINE = SECONDS.toNanos(5);
    private static final long MS = MILLISECONDS.toNanos(1);
    private static final int IN_SERVICE = 20;

    private final StandingDelay delay = new StandingDelay(20 * MS, 250 * MS, START);
    private long nowNs = START;
    private int waiting;

    private boolean arrives(long timeLeftNs) {
        nowNs += 10;
        boolean admitted = delay.admits(waiting, IN_SERVICE, timeLeftNs, nowNs);
        if (admitted) {
            waiting++;
        }
        return admitted;
    }

    /** Adds as many as may wait; returns how many those were. */
    private int fill() {
        int admitted = 0;
        while (arrives(DEADLINE)) {
            admitted++;
            assertThat(admitted).isLessThan(1000);
        }
        return admitted;
    }

    /** An overload that is just being noticed, at a rate of one call every 2.5 ms. */
    private void overload() {
        arrives(DEADLINE);
        arrives(DEADLINE);
        serve(2);
        fill();
    }

    /** Calls leave for service, one every 2.5 ms. */
    private void serve(int calls) {
        for (int i = 0; i < calls; i++) {
            nowNs += 5 * MS / 2;
            delay.served(--waiting, nowNs);
        }
    }

    @Test
    void asMuchMayWaitInABurstAsIsWorkedOffWithinTheBurstsDelay() {
        arrives(DEADLINE);
        arrives(DEADLINE);
        serve(2);

        assertThat(fill()).isEqualTo(100);
        assertThat(delay.isOverloaded()).isTrue();
    }

    @Test
    void beforeTheRateIsKnownFiveTimesTheCallsInServiceMayWait() {
        assertThat(arrives(DEADLINE)).isTrue();
        nowNs += 50 * MS;
        assertThat(fill()).isEqualTo(5 * IN_SERVICE - 1);
    }

    @Test
    void callsMayWaitForTheFirstConnectionToOpen() {
        assertThat(delay.admits(0, 0, DEADLINE, nowNs)).isTrue();
        assertThat(delay.admits(500, 0, DEADLINE, nowNs + 300 * MS)).isTrue();
    }

    @Test
    void inAnOverloadCallsMayWaitForTheTargetOnlyOrForHalfARoundWhereThatIsLonger() {
        overload();
        serve(waiting);

        arrives(DEADLINE);
        // A round is 20 calls in service at 2.5 ms each.
        assertThat(1 + fill()).isEqualTo(IN_SERVICE / 2);
    }

    @Test
    void theFirstInTheQueueMayAlwaysWait() {
        overload();
        serve(waiting - 1);
        delay.abandoned(--waiting, nowNs);
        nowNs += 10 * MS;

        assertThat(arrives(0)).isTrue();
        assertThat(arrives(DEADLINE)).isTrue();
    }

    @Test
    void aCallThatCannotBeServedBeforeItsDeadlineIsRefusedWhichIsNoOverload() {
        arrives(DEADLINE);
        arrives(DEADLINE);
        arrives(DEADLINE);
        serve(2);
        for (int i = 0; i < 10; i++) {
            arrives(DEADLINE);
        }

        assertThat(arrives(27 * MS)).isFalse();
        assertThat(delay.isOverloaded()).isFalse();
        assertThat(arrives(28 * MS)).isTrue();
    }

    @Test
    void aQueueThatWasEmptyForTwoRoundsMayHoldABurstAgain() {
        overload();
        serve(waiting);
        nowNs += 99 * MS;
        arrives(DEADLINE);
        assertThat(delay.isOverloaded()).isTrue();

        serve(1);
        nowNs += 101 * MS;
        arrives(DEADLINE);
        assertThat(delay.isOverloaded()).isFalse();
        assertThat(1 + fill()).isEqualTo(5 * IN_SERVICE);
    }

    /**
     * As many calls come as leave: nothing has to be refused, and without this bound all calls would be late for ever.
     */
    @Test
    void aQueueThatStandsAboveTheTargetForFiveBurstsIsAnOverload() {
        for (int i = 0; i < 60; i++) {
            arrives(DEADLINE);
        }
        long filledNs = nowNs;
        while (!delay.isOverloaded() && nowNs < filledNs + SECONDS.toNanos(5)) {
            serve(1);
            arrives(DEADLINE);
        }

        assertThat(nowNs - filledNs).isBetween(1250 * MS, 1260 * MS);
    }

    @Test
    void callsThatTakeTwoSecondsMayWaitForOneInAnOverload() {
        overload();
        while (waiting > 0) {
            nowNs += 100 * MS;
            delay.served(--waiting, nowNs);
        }

        arrives(DEADLINE);
        assertThat(1 + fill()).isEqualTo(IN_SERVICE / 2);
        delay.abandoned(waiting = 0, nowNs);
        nowNs += SECONDS.toNanos(3);
        arrives(DEADLINE);
        assertThat(delay.isOverloaded())
                .as("an empty queue for less than two rounds")
                .isTrue();
    }

    @Test
    void aQueueFromWhichNothingHasLeftForLongTakesWhatCouldBeServedIfAllCallsInServiceEndedNow() {
        arrives(DEADLINE);
        arrives(DEADLINE);
        serve(1);
        nowNs += SECONDS.toNanos(3);
        // 20 calls in three seconds are 33 in the five until the deadline.
        int wait = waiting;
        assertThat(wait + fill()).isEqualTo(34);
    }

    /** Calls with large answers that have come all at once: the first of them ends when most do. */
    @Test
    void callsMayWaitBehindManyThatHaveBegunTogetherAndOfWhichNoneHasEndedYet() {
        arrives(DEADLINE);
        nowNs += 200 * MS;
        for (int i = 0; i < 90; i++) {
            assertThat(arrives(DEADLINE)).isTrue();
        }
    }

    /** One call in 800 ms would be a minute for those 90. */
    @Test
    void callsMayWaitBehindManyThatHaveBegunTogetherWhenTheFirstOfThemEnds() {
        for (int i = 0; i < 90; i++) {
            assertThat(arrives(DEADLINE)).isTrue();
        }
        nowNs += 800 * MS;
        delay.served(--waiting, nowNs);
        assertThat(arrives(DEADLINE)).isTrue();

        serve(10);
        assertThat(arrives(DEADLINE)).isTrue();
        assertThat(delay.isOverloaded()).isFalse();
    }

    // --- 20 threads of 50 ms each, which is a capacity of 400 calls a second ---

    @ParameterizedTest
    @EnumSource
    void atFourTimesTheCapacityCallsWaitShortlyAndTheCapacityIsUsed(QueueSimulation.Pattern pattern) {
        QueueSimulation queue = new QueueSimulation(new StandingDelay(20 * MS, 250 * MS, 0), pattern);
        queue.offer(1600, 60_000);

        assertThat(queue.servedPerSecond()).isGreaterThan(0.98 * 400);
        assertThat(queue.waitMs(0.99)).isLessThan(60);
    }

    @ParameterizedTest
    @EnumSource
    void atTwiceTheCapacityCallsWaitShortlyAndTheCapacityIsUsed(QueueSimulation.Pattern pattern) {
        QueueSimulation queue = new QueueSimulation(new StandingDelay(20 * MS, 250 * MS, 0), pattern);
        queue.offer(800, 60_000);

        assertThat(queue.servedPerSecond()).isGreaterThan(0.97 * 400);
        assertThat(queue.waitMs(0.99)).isLessThan(80);
    }

    @ParameterizedTest
    @EnumSource
    void aSmallOverloadUsesTheCapacityToo(QueueSimulation.Pattern pattern) {
        QueueSimulation queue = new QueueSimulation(new StandingDelay(20 * MS, 250 * MS, 0), pattern);
        queue.offer(440, 60_000);

        assertThat(queue.servedPerSecond()).isGreaterThan(0.95 * 400);
        assertThat(queue.waitMs(0.99)).isLessThan(250);
    }

    @ParameterizedTest
    @EnumSource
    void afterAnOverloadNothingIsRefusedFromTheNextSecondOn(QueueSimulation.Pattern pattern) {
        QueueSimulation queue = new QueueSimulation(new StandingDelay(20 * MS, 250 * MS, 0), pattern);
        queue.offer(1600, 20_000);
        queue.offer(320, 1000);
        queue.forgetFigures();
        queue.offer(320, 20_000);

        assertThat(queue.refused()).isZero();
        assertThat(queue.waitMs(0.99)).isLessThan(60);
    }

    @ParameterizedTest
    @EnumSource(names = "EVEN")
    void burstsAreServedWithoutARefusal(QueueSimulation.Pattern pattern) {
        QueueSimulation queue = new QueueSimulation(new StandingDelay(20 * MS, 250 * MS, 0), pattern);
        for (int i = 0; i < 30; i++) {
            queue.offer(320, 1900);
            queue.offer(1200, 100);
        }

        assertThat(queue.refused()).isZero();
        assertThat(queue.waitMs(1)).isBetween(190.0, 250.0);
    }
}
