package io.dubbomesh.client.call;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class LostCallsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LostCalls lost = new LostCalls();
    private long nowNs = Long.MAX_VALUE - SECOND;

    private int forgotten(int limit) {
        int forgotten = 0;
        while (lost.mayForget(limit, nowNs)) {
            forgotten++;
        }
        return forgotten;
    }

    @Test
    void aTenthOfTheLimitComesBackPerSecond() {
        assertThat(forgotten(180)).isEqualTo(18);
        nowNs += SECOND - 1;
        assertThat(forgotten(180)).isZero();
        nowNs += 1;
        assertThat(forgotten(180)).isEqualTo(18);
    }

    @Test
    void ofASmallLimitOnePermitComesBackPerSecond() {
        assertThat(forgotten(1)).isEqualTo(1);
        nowNs += SECOND;
        assertThat(forgotten(1)).isEqualTo(1);
    }

    @Test
    void nothingComesBackForTenSecondsAfterARefusalThatFollowedIt() {
        forgotten(180);
        lost.poolExhausted(nowNs);

        nowNs += 10 * SECOND - 1;
        assertThat(forgotten(180)).isZero();
        nowNs += 1;
        assertThat(forgotten(180)).isEqualTo(18);
    }

    @Test
    void aRefusalThatHasOtherReasonsChangesNothing() {
        lost.poolExhausted(nowNs);
        assertThat(forgotten(180)).isEqualTo(18);

        nowNs += 10 * SECOND;
        lost.poolExhausted(nowNs);
        assertThat(forgotten(180)).isEqualTo(18);
    }

    @Test
    void nothingComesBackForTenSecondsAfterAnAnswerToACallThatCountedAsLost() {
        lost.answeredAfterAll(nowNs);

        nowNs += 10 * SECOND - 1;
        assertThat(forgotten(180)).isZero();
        nowNs += 1;
        assertThat(forgotten(180)).isEqualTo(18);
    }
}
