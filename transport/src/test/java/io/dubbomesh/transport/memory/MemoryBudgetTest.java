package io.dubbomesh.transport.memory;

import io.dubbomesh.transport.memory.MemoryBudget.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget(800);

    @Test
    void eachUseFillsTheBudgetUpToItsCeiling() {
        assertThat(budget.tryReserve(Use.LARGE_REQUESTS, 400)).isTrue();
        assertThat(budget.tryReserve(Use.LARGE_REQUESTS, 1)).isFalse();
        assertThat(budget.tryReserve(Use.WAITING_REQUESTS, 100)).isTrue();
        assertThat(budget.tryReserve(Use.WAITING_REQUESTS, 1)).isFalse();
        assertThat(budget.tryReserve(Use.EXPECTED_ANSWERS, 100)).isTrue();
        assertThat(budget.isShort()).isFalse();
        assertThat(budget.tryReserve(Use.EXPECTED_ANSWERS, 1)).isFalse();
        assertThat(budget.tryReserve(Use.REQUESTS, 200)).isTrue();
        assertThat(budget.isShort()).isTrue();
        assertThat(budget.tryReserve(Use.REQUESTS, 1)).isFalse();
        assertThat(budget.used()).isEqualTo(800);
    }

    @Test
    void whatIsReleasedHasRoomForOthers() {
        budget.add(Use.LARGE_REQUESTS, 400);
        budget.release(Use.LARGE_REQUESTS, 300);

        assertThat(budget.tryReserve(Use.LARGE_REQUESTS, 300)).isTrue();
        assertThat(budget.used(Use.LARGE_REQUESTS)).isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource(Use.class)
    void theFirstOfAUseIsTakenHoweverLargeItIsAndHoweverFullTheBudget(Use use) {
        budget.add(use == Use.ANSWERS ? Use.FRAMES : Use.ANSWERS, 2000);

        assertThat(budget.tryReserve(use, 5000)).isTrue();
        assertThat(budget.tryReserve(use, 1)).isFalse();
    }

    @Test
    void anUnlimitedBudgetHasRoomForAll() {
        MemoryBudget unlimited = MemoryBudget.unlimited();

        for (Use use : Use.values()) {
            unlimited.add(use, 1L << 40);
            assertThat(unlimited.tryReserve(use, 1L << 40)).isTrue();
        }
        assertThat(unlimited.isShort()).isFalse();
    }
}
