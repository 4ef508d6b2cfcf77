package io.dubbomesh.registry.etcd;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PatienceTest {
    private final Patience patience = new Patience(2_000);

    @Test
    void itDoublesWithEachAnswerThatDidNotComeUpToAnEnd() {
        assertThat(patience.ms()).isEqualTo(2_000);
        patience.ranOut();
        assertThat(patience.ms()).isEqualTo(4_000);
        patience.ranOut();
        patience.ranOut();
        patience.ranOut();
        assertThat(patience.ms()).isEqualTo(16_000);
    }

    @Test
    void itComesBackWithAQuickAnswerAndStaysWithASlowOne() {
        patience.ranOut();
        patience.ranOut();
        patience.answered(3_000);
        assertThat(patience.ms()).isEqualTo(8_000);
        patience.answered(1_500);
        assertThat(patience.ms()).isEqualTo(6_000);
        patience.answered(3);
        assertThat(patience.ms()).isEqualTo(2_000);
    }

    @Test
    void aSlowAnswerInTimeMakesItNoLonger() {
        patience.answered(1_900);
        assertThat(patience.ms()).isEqualTo(2_000);
    }
}
