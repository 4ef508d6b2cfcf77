package io.dubbomesh.loadbalance;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StrategyTest {
    @Test
    void aStrategyIsFoundByTheNameThatTheSettingTakes() {
        assertThat(Strategy.named("weighted-round-robin")).isSameAs(Strategy.WEIGHTED_ROUND_ROBIN);
        assertThat(Strategy.named("weighted-random")).isSameAs(Strategy.WEIGHTED_RANDOM);
        for (Strategy strategy : Strategy.values()) {
            assertThat(Strategy.named(strategy.settingName())).isSameAs(strategy);
        }
        assertThat(Strategy.named("WEIGHTED_RANDOM")).isNull();
    }

    @Test
    void everyNameIsListed() {
        assertThat(Strategy.settingNames())
                .containsExactly(
                        "weighted-round-robin", "weighted-random", "least-request", "peak-ewma", "prequal", "hash");
    }
}
