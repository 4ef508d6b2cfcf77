package io.dubbomesh.consumer.mcp;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** The calls of tools that a caller may make in a minute. */
class CallRatesTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    @Test
    void aCallerMayMakeTheCallsOfAMinuteAtOnceAndThenOneAfterTheOther() {
        CallRates rates = new CallRates(3);
        long nowNs = Long.MAX_VALUE - 5;

        for (int i = 0; i < 3; i++) {
            assertThat(rates.tryCall("ana", nowNs)).isZero();
        }
        assertThat(rates.tryCall("ana", nowNs)).isEqualTo(MINUTE_NS / 3);
        assertThat(rates.tryCall("bo", nowNs)).isZero();
        assertThat(rates.tryCall("ana", nowNs + MINUTE_NS / 3)).isZero();
        assertThat(rates.tryCall("ana", nowNs + MINUTE_NS / 3)).isPositive();
    }

    @Test
    void aRefusedCallDoesNotCount() {
        CallRates rates = new CallRates(1);

        assertThat(rates.tryCall("ana", 0)).isZero();
        assertThat(rates.tryCall("ana", MINUTE_NS / 2)).isEqualTo(MINUTE_NS / 2);
        assertThat(rates.tryCall("ana", MINUTE_NS)).isZero();
    }

    @Test
    void zeroIsAnyNumber() {
        CallRates rates = new CallRates(0);

        for (int i = 0; i < 1000; i++) {
            assertThat(rates.tryCall("ana", 0)).isZero();
        }
    }
}
