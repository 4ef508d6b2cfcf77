package io.dubbomesh.registry.etcd;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AdaptiveTimeoutTest {
    private final AdaptiveTimeout timeout = new AdaptiveTimeout(2_000);

    @Test
    void itDoublesWithEachMissingAnswerUpToEightTimes() {
        assertThat(timeout.ms()).isEqualTo(2_000);
        timeout.expired();
        assertThat(timeout.ms()).isEqualTo(4_000);
        timeout.expired();
        timeout.expired();
        timeout.expired();
        assertThat(timeout.ms()).isEqualTo(16_000);
    }

    @Test
    void aQuickAnswerBringsItBackAndASlowOneDoesNot() {
        timeout.expired();
        timeout.expired();
        timeout.answered(3_000);
        assertThat(timeout.ms()).isEqualTo(8_000);
        timeout.answered(1_500);
        assertThat(timeout.ms()).isEqualTo(6_000);
        timeout.answered(3);
        assertThat(timeout.ms()).isEqualTo(2_000);
    }

    @Test
    void aSlowAnswerInTimeDoesNotExtendIt() {
        timeout.answered(1_900);
        assertThat(timeout.ms()).isEqualTo(2_000);
    }
}
