package io.dubbomesh.testsupport;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AwaitTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    @Test
    void aConditionIsAskedUntilItHolds() throws Exception {
        AtomicInteger asked = new AtomicInteger();

        Await.until("the third time", () -> asked.incrementAndGet() == 3);

        assertThat(asked).hasValue(3);
    }

    @Test
    void aFailureNamesWhatWasAwaited() {
        assertThatThrownBy(() -> Await.until(SHORT, "a condition", () -> false))
                .hasMessage("not within 20 ms: a condition");
        assertThatThrownBy(() -> Await.next(SHORT, new LinkedBlockingQueue<>(), "an element"))
                .hasMessage("not within 20 ms: an element");
        assertThatThrownBy(() -> Await.untilAsserted(SHORT, () -> assertThat(1).isEqualTo(2)))
                .hasMessageContaining("2");
    }
}
