package io.dubbomesh.registry.nacos;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RuleStateTest {
    /** An answer leads to FOLLOWED, and a release to RELEASED. A minus stands for what cannot happen there. */
    @ParameterizedTest
    @CsvSource({
        // state, isAsked, asked, failed
        "NEW,         false, ASKED,       -",
        "ASKED,       true,  -,           NEW",
        "FOLLOWED,    false, ASKED_AGAIN, -",
        "ASKED_AGAIN, true,  -,           FOLLOWED",
        "RELEASED,    false, -,           -",
    })
    void everyEventLeadsToItsState(RuleState state, boolean isAsked, String asked, String failed) {
        assertThat(state.isAsked()).isEqualTo(isAsked);
        if (asked.equals("-")) {
            assertThatThrownBy(state::asked).isInstanceOf(AssertionError.class);
        } else {
            assertThat(state.asked()).hasToString(asked);
        }
        if (failed.equals("-")) {
            assertThatThrownBy(state::failed).isInstanceOf(AssertionError.class);
        } else {
            assertThat(state.failed()).hasToString(failed);
        }
    }
}
