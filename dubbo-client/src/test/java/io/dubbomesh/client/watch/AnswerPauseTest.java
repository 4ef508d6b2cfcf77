package io.dubbomesh.client.watch;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of an {@link AnswerPause} with each event. */
class AnswerPauseTest {
    private final MemoryBudget memory = new MemoryBudget(1_000);
    private final List<EmbeddedChannel> paused = new ArrayList<>();

    @AfterEach
    void close() {
        paused.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    /** Answers wait (+) or do not (-), and then a read is complete (c) or 10 ms (p) or a second (n) pass. */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE   | WAY   | +c      | -c      | +p      | -p      | +n      | -n
                    READING | ''    | PAUSED  | READING | READING | READING | READING | READING
                    PAUSED  | +c    | PAUSED  | PAUSED  | PAUSED  | READING | OVERDUE | READING
                    OVERDUE | +c+n  | OVERDUE | READING | OVERDUE | OVERDUE | OVERDUE | OVERDUE
                    """)
    void aPauseFollowsItsTable(
            String state, String way, String wc, String c, String wp, String p, String wn, String n) {
        String[] events = {"+c", "-c", "+p", "-p", "+n", "-n"};
        String[] next = {wc, c, wp, p, wn, n};
        for (int event = 0; event < next.length; event++) {
            EmbeddedChannel channel = new EmbeddedChannel();
            paused.add(channel);
            AnswerPause pause = new AnswerPause(channel, memory);
            pass(channel, pause, way);
            assertThat(pause.state()).as(way).hasToString(state);
            pass(channel, pause, events[event]);
            assertThat(pause.state()).as(way + events[event]).hasToString(next[event]);
            assertThat(channel.config().isAutoRead())
                    .as(way + events[event])
                    .isEqualTo(pause.state() != AnswerPause.State.PAUSED);
        }
    }

    private void pass(EmbeddedChannel channel, AnswerPause pause, String steps) {
        for (char step : steps.toCharArray()) {
            switch (step) {
                case '+' -> memory.add(Use.ANSWERS, 600 - memory.used(Use.ANSWERS));
                case '-' -> memory.release(Use.ANSWERS, memory.used(Use.ANSWERS));
                case 'c' -> pause.onReadComplete();
                case 'p' -> advance(channel, 10);
                default -> {
                    for (int i = 0; i <= 100; i++) {
                        advance(channel, 10);
                    }
                }
            }
        }
    }

    private static void advance(EmbeddedChannel channel, long ms) {
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }
}
