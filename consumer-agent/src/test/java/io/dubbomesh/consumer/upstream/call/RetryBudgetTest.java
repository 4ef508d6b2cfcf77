package io.dubbomesh.consumer.upstream.call;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryBudgetTest {
    private static final long SECOND = 1_000_000_000L;

    private final RetryBudget budget = new RetryBudget(0);

    @Test
    void oneCallInTenIsSentAgain() {
        call(10_000, 0);

        assertThat(retries(10_000, 0)).isEqualTo(1000);
    }

    @Test
    void aFewRetriesAreFreeForThoseWhoCallSeldom() {
        assertThat(retries(100, 0)).isEqualTo(10);
    }

    @Test
    void callsAreCountedForTenSeconds() {
        call(1000, 0);
        assertThat(retries(1000, 9 * SECOND)).isEqualTo(100);
        call(1000, 10 * SECOND);
        assertThat(retries(1000, 10 * SECOND))
                .as("the retries of second 9 still count")
                .isZero();
        assertThat(retries(1000, 19 * SECOND))
                .as("the calls of second 10 still count")
                .isEqualTo(100);
        assertThat(retries(1000, 60 * SECOND)).as("all is forgotten").isEqualTo(10);
    }

    private void call(int times, long nowNs) {
        for (int i = 0; i < times; i++) {
            budget.called(nowNs);
        }
    }

    private int retries(int attempts, long nowNs) {
        int allowed = 0;
        for (int i = 0; i < attempts; i++) {
            if (budget.tryRetry(nowNs)) {
                allowed++;
            }
        }
        return allowed;
    }
}
