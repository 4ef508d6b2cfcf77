package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SharedEventsTest {
    private final SharedEvents events = new SharedEvents();

    @Test
    void whatAnotherLoopReportedIsTheSameEvent() {
        assertThat(events.isNew("lost", 1, 0)).isTrue();
        assertThat(events.isNew("lost", 2, 1)).isFalse();
        assertThat(events.isNew("found", 2, 2)).isTrue();
        assertThat(events.isNew("found", 1, 3)).isFalse();
    }

    @Test
    void whatTheSameLoopReportsAgainIsNew() {
        assertThat(events.isNew("lost", 1, 0)).isTrue();
        assertThat(events.isNew("lost", 1, 1)).isTrue();
        assertThat(events.isNew("lost", 2, 2)).isFalse();
    }

    @Test
    void whatAnotherLoopReportsMuchLaterIsNew() {
        assertThat(events.isNew("lost", 1, 0)).isTrue();
        assertThat(events.isNew("lost", 2, SharedEvents.SAME_NS)).isTrue();
    }

    @Test
    void oldAndSurplusReportsAreForgotten() {
        for (int i = 0; i < 3 * SharedEvents.MAX_EVENTS; i++) {
            assertThat(events.isNew("event " + i, 1, i)).isTrue();
        }
        assertThat(events.size()).isEqualTo(SharedEvents.MAX_EVENTS);
        assertThat(events.isNew("later", 1, 2 * SharedEvents.SAME_NS)).isTrue();
        assertThat(events.size()).isEqualTo(1);
    }
}
