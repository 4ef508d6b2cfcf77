package io.dubbomesh.transport.memory;

import io.dubbomesh.transport.memory.MemoryBudget.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    void whatIsKeptForRequestsIsTakenByNothingElse() {
        MemoryBudget kept = new MemoryBudget(1000, 200);

        assertThat(kept.tryReserve(Use.ANSWERS, 800)).isTrue();
        assertThat(kept.tryReserve(Use.ANSWERS, 1)).isFalse();
        assertThat(kept.isShort()).isTrue();
        assertThat(kept.tryReserve(Use.LARGE_REQUESTS, 150)).isTrue();
        assertThat(kept.tryReserve(Use.REQUESTS, 50)).isTrue();
        assertThat(kept.tryReserve(Use.LARGE_REQUESTS, 1)).isFalse();
        assertThat(kept.used()).isEqualTo(1000);
    }

    @Test
    void requestsBeyondWhatIsKeptForThemTakeRoomFromTheRest() {
        MemoryBudget kept = new MemoryBudget(1000, 200);

        assertThat(kept.tryReserve(Use.LARGE_REQUESTS, 500)).isTrue();
        assertThat(kept.tryReserve(Use.LARGE_REQUESTS, 1)).isFalse();
        assertThat(kept.tryReserve(Use.ANSWERS, 500)).isTrue();
        assertThat(kept.tryReserve(Use.ANSWERS, 1)).isFalse();
    }

    @Test
    void ampleRoomLeavesHalfOfAUseForOthers() {
        MemoryBudget kept = new MemoryBudget(1000, 200);

        assertThat(kept.hasAmpleRoom(Use.ANSWERS, 400)).isTrue();
        assertThat(kept.hasAmpleRoom(Use.ANSWERS, 401)).isFalse();
        kept.add(Use.ANSWERS, 400);
        assertThat(kept.hasAmpleRoom(Use.ANSWERS, 1)).isFalse();
        assertThat(kept.hasRoom(Use.ANSWERS, 400)).isTrue();
    }

    @Test
    void theWindowsOfAllStreamsFitInWhatCallsMayUse() {
        MemoryBudget kept = new MemoryBudget(24 << 20, 3 << 20);
        int streams = 0;
        while (kept.hasRoomForStream()) {
            kept.streamBegins();
            streams++;
        }

        assertThat(streams).isEqualTo(1008);
        kept.streamEnded();
        assertThat(kept.hasRoomForStream()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200, 1000})
    void streamsThatAreNotReadLeaveRoomForOthersAndForTheWindowsOfAll(int streams) {
        MemoryBudget kept = new MemoryBudget(24 << 20, 3 << 20);
        for (int i = 0; i < streams; i++) {
            kept.streamBegins();
        }

        while (!kept.isShortForStreams()) {
            kept.add(Use.ANSWERS, 1024);
        }
        kept.release(Use.ANSWERS, 1024);
        kept.add(Use.ANSWERS, (long) streams * MemoryBudget.STREAM);

        assertThat(kept.isShort()).isFalse();
        assertThat(kept.used()).isEqualTo(kept.capacity() * 7 / 8 * 6 / 8);
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
