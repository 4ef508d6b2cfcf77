package io.dubbomesh.registry.thread;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class OutageTest {
    private static final long START_NS = Long.MAX_VALUE - 11;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NS = 4 * SECOND_NS;

    private final Outage ofOneMember = new Outage(1, PATIENCE_NS);
    private final Outage ofThree = new Outage(3, PATIENCE_NS);

    @Test
    void aSingleMemberThatFailsIsAnOutage() {
        assertThat(ofOneMember.failed("refused", START_NS)).isEqualTo("is away: refused");
    }

    @Test
    void anOutageIsToldWhenItBeginsAndOnceAMinute() {
        ofOneMember.failed("refused", START_NS);
        int told = 0;
        for (long s = 1; s <= 150; s++) {
            String line = ofOneMember.failed("no answer", START_NS + s * SECOND_NS);
            if (line != null) {
                told++;
                assertThat(line).isEqualTo("has been away for " + 60 * told + " s: no answer");
            }
        }
        assertThat(told).isEqualTo(2);
    }

    @Test
    void aClusterIsAwayWhenAllMembersHaveFailedInTurn() {
        assertThat(ofThree.failed("refused", START_NS)).isNull();
        assertThat(ofThree.failed("refused", START_NS + 1)).isNull();
        assertThat(ofThree.failed("no leader", START_NS + 2)).isEqualTo("is away: no leader");
    }

    @Test
    void aClusterWhoseMembersFailSlowlyIsAwayAfterTheTime() {
        assertThat(ofThree.failed("no answer", START_NS)).isNull();
        assertThat(ofThree.failed("no answer", START_NS + PATIENCE_NS)).isEqualTo("is away: no answer");
    }

    @Test
    void anAnswerEndsAnOutage() {
        assertThat(ofThree.end()).isFalse();
        ofThree.failed("refused", START_NS);
        assertThat(ofThree.isFailing()).isTrue();
        assertThat(ofThree.end()).isFalse();
        assertThat(ofThree.isFailing()).isFalse();

        ofOneMember.failed("refused", START_NS);
        assertThat(ofOneMember.end()).isTrue();
        assertThat(ofOneMember.failed("refused", START_NS + 1)).isEqualTo("is away: refused");
    }
}
