package io.dubbomesh.registry.keep;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StandingTest {
    @ParameterizedTest
    @CsvSource({
        // state, put, putUnanswered, left, foundAsWanted, weightChanged, takenOver
        "NEW,     KEPT, CLAIMED, LEFT, KEPT, NEW,     NEW",
        "CLAIMED, KEPT, CLAIMED, LEFT, KEPT, CLAIMED, NEW",
        "KEPT,    KEPT, KEPT,    LEFT, KEPT, CLAIMED, LEFT",
        "LEFT,    KEPT, KEPT,    LEFT, KEPT, NEW,     LEFT",
    })
    void everyEventLeadsToItsState(
            Standing state,
            Standing put,
            Standing putUnanswered,
            Standing left,
            Standing foundAsWanted,
            Standing weightChanged,
            Standing takenOver) {
        assertThat(state.put()).isEqualTo(put);
        assertThat(state.putUnanswered()).isEqualTo(putUnanswered);
        assertThat(state.left()).isEqualTo(left);
        assertThat(state.confirmed()).isEqualTo(foundAsWanted);
        assertThat(state.weightChanged()).isEqualTo(weightChanged);
        assertThat(state.takenOver()).isEqualTo(takenOver);
    }

    @ParameterizedTest
    @CsvSource({"NEW, false, false", "CLAIMED, true, false", "KEPT, true, true", "LEFT, false, true"})
    void aStateSaysWhetherTheEndpointMayBeUsedAndWhetherChangesAreOfOthers(
            Standing state, boolean listed, boolean settled) {
        assertThat(state.isListed()).isEqualTo(listed);
        assertThat(state.isSettled()).isEqualTo(settled);
    }
}
