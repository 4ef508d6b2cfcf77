package io.dubbomesh.transport.write;

import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TurnTest {
    @Test
    void aTurnHasANumberOfItsOwnEvenIfNothingIsWrittenInIt() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        long first = turn.number();
        assertThat(first).isNotNegative();
        assertThat(turn.number()).isEqualTo(first);
        channel.runPendingTasks();
        assertThat(turn.number()).isGreaterThan(first);
    }

    @Test
    void whatIsReadyRunsInItsOrderBeforeTheFlush() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        OutboundBatch batch = new OutboundBatch(channel, turn, Use.ANSWERS, 64);
        List<String> order = new ArrayList<>();
        Runnable second = () -> {
            order.add("second");
            batch.buffer().writeByte('b');
        };
        turn.ready(() -> {
            order.add("first");
            batch.buffer().writeByte('a');
            turn.ready(second);
            turn.ready(second);
        });
        assertThat(order).isEmpty();

        channel.runPendingTasks();
        assertThat(order).containsExactly("first", "second");
        ByteBuf written = channel.readOutbound();
        assertThat(written.toString(US_ASCII)).isEqualTo("ab");
        written.release();
        channel.finishAndReleaseAll();
    }

    @Test
    void batchesOfManyConnectionsAreFlushedSixteenAtATimeAndTheRestAtTheEndOfTheTurn() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        List<OutboundBatch> batches = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            OutboundBatch batch = new OutboundBatch(channel, turn, Use.ANSWERS, 64);
            batches.add(batch);
            batch.buffer().writeByte(i);
            assertThat(channel.outboundMessages())
                    .as("flushed with %s batches", i + 1)
                    .hasSize(i / 16 * 16);
        }
        batches.get(39).buffer().writeByte(-1);

        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).hasSize(40);
        for (int i = 0; i < 40; i++) {
            ByteBuf written = channel.readOutbound();
            assertThat(written.readByte()).isEqualTo((byte) i);
            assertThat(written.readableBytes()).isEqualTo(i == 39 ? 1 : 0);
            written.release();
        }
        channel.finishAndReleaseAll();
    }

    @Test
    void theBatchOfALinkIsFlushedOnceATurnHoweverManyThereAre() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        List<OutboundBatch> links = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            OutboundBatch link = OutboundBatch.recoverable(channel, turn, Use.UNREAD_REQUESTS, 64);
            links.add(link);
            link.buffer().writeByte(i);
        }
        assertThat(channel.outboundMessages()).isEmpty();

        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).hasSize(20);
        links.forEach(link -> assertThat(link.takeUnsent()).isNull());
        channel.finishAndReleaseAll();
    }

    @Test
    void whatMakesItselfReadyAgainDoesNotHoldUpTheFlush() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        AtomicInteger runs = new AtomicInteger();
        List<Integer> ends = new ArrayList<>();
        turn.beforeFlush(() -> ends.add(runs.get()));
        turn.ready(new Runnable() {
            @Override
            public void run() {
                if (runs.incrementAndGet() < 10_000) {
                    turn.ready(this);
                }
            }
        });

        channel.runPendingTasks();
        assertThat(runs).hasValue(10_000);
        assertThat(ends).containsExactly(4096, 8192, 10_000);
    }

    @Test
    void anActionThatFailsStopsNeitherTheFlushNorWhatIsReadyBehindIt() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        List<String> order = new ArrayList<>();
        turn.beforeFlush(() -> order.add("flush"));
        turn.ready(() -> {
            throw new IllegalStateException("for the test");
        });
        turn.ready(() -> order.add("next"));

        channel.runPendingTasks();
        assertThatIllegalStateException().isThrownBy(channel::checkException);
        channel.runPendingTasks();
        assertThat(order).containsExactly("flush", "next", "flush");
    }
}
