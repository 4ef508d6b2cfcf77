package io.dubbomesh.transport.loop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PeerSilenceTest {
    private static final long INTERVAL_NS = 100;

    private long nowNs = Long.MAX_VALUE - 150;
    private long written;

    /**
     * One letter for each check: R received, W written, B both, P paused, Q paused and received, L 5 intervals late, .
     * nothing.
     */
    @ParameterizedTest
    @CsvSource({
        // what came before, silence in intervals, whether a heartbeat is due
        "R,        0, false",
        "B,        0, false",
        "W,        1, false",
        ".,        1, false",
        "...,      3, false",
        "....,     4, true",
        ".....,    5, false",
        "......,   6, true",
        "........, 8, true",
        "W..W..,   6, true",
        "....R,    0, true",
        "....B,    0, false",
        "...R.,    1, false",
        "RRR,      0, false",
        "RRRR,     0, true",
        "RRRB,     0, false",
        "BRRRR,    0, true",
        "..P,      0, false",
        "...P,     0, true",
        "...Q,     0, true",
        "...P.,    1, false",
        "WWWP,     0, true",
        "WWWQ,     0, true",
        "L,        2, false",
        "RL,       2, false",
        "LL,       4, false",
        "LR,       0, false",
    })
    void aSilenceGrowsUntilSomethingIsReceivedOrItIsExcused(String checks, long silentIntervals, boolean due) {
        PeerSilence silence = new PeerSilence(INTERVAL_NS, 4, nowNs);

        pass(silence, checks);

        assertThat(silence.silentNs()).isEqualTo(silentIntervals * INTERVAL_NS);
        assertThat(silence.isHeartbeatDue()).isEqualTo(due);
    }

    private long pass(PeerSilence silence, String checks) {
        long elapsedNs = 0;
        for (char check : checks.toCharArray()) {
            if ("RBQ".indexOf(check) >= 0) {
                silence.onReceived();
            }
            if ("WB".indexOf(check) >= 0) {
                written += 24;
            }
            nowNs += check == 'L' ? 5 * INTERVAL_NS : INTERVAL_NS;
            elapsedNs = silence.check("PQ".indexOf(check) >= 0, written, nowNs);
        }
        return elapsedNs;
    }

    @Test
    void aCheckReturnsTheTimeSinceTheLastOneButNoMoreThanTwoIntervals() {
        PeerSilence silence = new PeerSilence(INTERVAL_NS, 4, nowNs);

        assertThat(pass(silence, ".")).isEqualTo(INTERVAL_NS);
        assertThat(pass(silence, "R")).isEqualTo(INTERVAL_NS);
        assertThat(pass(silence, "L")).isEqualTo(2 * INTERVAL_NS);
    }

    @ParameterizedTest
    @CsvSource({"., true", "R, true", "W, true", "B, false"})
    void aBeatOfOneCheckIsDueWithoutTrafficInBothDirections(String check, boolean due) {
        PeerSilence silence = new PeerSilence(INTERVAL_NS, 1, nowNs);

        pass(silence, check);

        assertThat(silence.isHeartbeatDue()).isEqualTo(due);
    }

    @Test
    void aHeartbeatThatDoesNotCountIsFollowedByAnotherThoughThePeerAnswers() {
        PeerSilence silence = new PeerSilence(INTERVAL_NS, 1, nowNs);
        for (int i = 0; i < 3; i++) {
            silence.onHeartbeatWritten(17);
            written += 17;
            pass(silence, "R");
            assertThat(silence.isHeartbeatDue()).isTrue();
        }

        written += 17;
        pass(silence, "R");
        assertThat(silence.isHeartbeatDue()).as("any other traffic counts").isFalse();
    }
}
