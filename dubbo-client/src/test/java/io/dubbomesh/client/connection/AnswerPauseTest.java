package io.dubbomesh.client.connection;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import org.junit.jupiter.api.Test;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class AnswerPauseTest {
    private static final long CAPACITY = 1 << 20;

    private final MemoryBudget memory = new MemoryBudget(CAPACITY);
    private final AnswerPause pause = new AnswerPause(memory);

    @Test
    void readingGoesOnUntilHalfOfTheMemoryWaits() {
        memory.add(Use.ANSWERS, CAPACITY / 2);
        assertThat(beginsAt(0)).isFalse();

        memory.add(Use.ANSWERS, 1);
        assertThat(beginsAt(0)).isTrue();
    }

    @Test
    void thePauseEndsWhenAnswersWereTaken() {
        memory.add(Use.ANSWERS, CAPACITY * 3 / 4);
        assertThat(beginsAt(0)).isTrue();
        assertThat(endsAt(10)).isFalse();

        memory.release(Use.ANSWERS, CAPACITY / 4);
        assertThat(endsAt(20)).isTrue();
        assertThat(beginsAt(20)).isFalse();
    }

    @Test
    void peersThatDoNotReadHoldUpOthersForAQuarterOfASecond() {
        memory.add(Use.ANSWERS, CAPACITY * 3 / 4);
        assertThat(beginsAt(0)).isTrue();
        assertThat(endsAt(250)).isFalse();
        assertThat(endsAt(251)).isTrue();
    }

    @Test
    void peersThatReadSlowlyAreWaitedForASecond() {
        memory.add(Use.ANSWERS, CAPACITY);
        assertThat(beginsAt(0)).isTrue();
        for (int ms = 10; ms <= 1000; ms += 10) {
            memory.release(Use.ANSWERS, CAPACITY / 1000 * 10 / 2);
            assertThat(endsAt(ms)).as("after %d ms", ms).isFalse();
        }
        assertThat(endsAt(1001)).isTrue();
    }

    @Test
    void aFewBytesAreNoProgress() {
        memory.add(Use.ANSWERS, CAPACITY);
        assertThat(beginsAt(0)).isTrue();
        for (int ms = 10; ms <= 250; ms += 10) {
            memory.release(Use.ANSWERS, 100);
            assertThat(endsAt(ms)).isFalse();
        }
        assertThat(endsAt(260)).isTrue();
    }

    @Test
    void oneWaitPausesReadingOnce() {
        memory.add(Use.ANSWERS, CAPACITY);
        assertThat(beginsAt(0)).isTrue();
        assertThat(endsAt(251)).isTrue();
        assertThat(beginsAt(252)).isFalse();

        memory.release(Use.ANSWERS, CAPACITY);
        assertThat(beginsAt(253)).isFalse();
        memory.add(Use.ANSWERS, CAPACITY);
        assertThat(beginsAt(254)).isTrue();
    }

    private boolean beginsAt(long ms) {
        boolean due = pause.isDue();
        if (due) {
            pause.begin(MILLISECONDS.toNanos(ms));
        }
        return due;
    }

    private boolean endsAt(long ms) {
        return pause.isOver(MILLISECONDS.toNanos(ms));
    }
}
