package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.server.ClosingSequence.State;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.channels.ClosedChannelException;

import static org.assertj.core.api.Assertions.assertThat;

class ClosingSequenceTest {
    private final ConnectionLimit limit = new ConnectionLimit(1, false);
    private ChannelPromise write;
    /** Leaves the end of each write to the test. */
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            write = promise;
            ctx.write(message);
        }
    });

    private final Admission admission = new Admission(limit, channel::close);
    private int lingered;
    private final ClosingSequence closing = new ClosingSequence(channel, admission, () -> lingered++);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @CsvSource({
        "OPEN,      begin,    ENDING,    true",
        "OPEN,      flush,    OPEN,      true",
        "OPEN,      endInput, OPEN,      true",
        "OPEN,      closed,   CLOSED,    true",
        "ENDING,    begin,    ENDING,    true",
        "ENDING,    flush,    FLUSHING,  true",
        "ENDING,    endInput, ENDING,    true",
        "ENDING,    closed,   CLOSED,    true",
        "FLUSHING,  begin,    FLUSHING,  true",
        "FLUSHING,  flush,    FLUSHING,  true",
        "FLUSHING,  endInput, FLUSHING,  true",
        "FLUSHING,  written,  LINGERING, true",
        "FLUSHING,  failed,   FLUSHING,  false",
        "FLUSHING,  closed,   CLOSED,    true",
        "LINGERING, begin,    LINGERING, true",
        "LINGERING, flush,    LINGERING, true",
        "LINGERING, endInput, LINGERING, false",
        "LINGERING, closed,   CLOSED,    true",
        "CLOSED,    begin,    CLOSED,    true",
        "CLOSED,    flush,    CLOSED,    true",
        "CLOSED,    endInput, CLOSED,    true",
        "CLOSED,    closed,   CLOSED,    true",
    })
    void eachEventInEachState(State from, String event, State to, boolean channelOpen) {
        bringTo(from);
        assertThat(closing.state()).isEqualTo(from);

        apply(event);

        assertThat(closing.state()).isEqualTo(to);
        assertThat(channel.isOpen()).isEqualTo(channelOpen);
        assertThat(lingered).isEqualTo(from == State.LINGERING || to == State.LINGERING ? 1 : 0);
        assertThat(closing.mayBeReset())
                .isEqualTo(event.equals("endInput") && (to == State.OPEN || to == State.ENDING));
    }

    private void bringTo(State state) {
        switch (state) {
            case OPEN -> {}
            case ENDING -> apply("begin");
            case FLUSHING -> {
                apply("begin");
                apply("flush");
            }
            case LINGERING -> {
                bringTo(State.FLUSHING);
                apply("written");
            }
            case CLOSED -> apply("closed");
        }
    }

    private void apply(String event) {
        switch (event) {
            case "begin" -> closing.begin();
            case "flush" -> closing.flush();
            case "endInput" -> closing.endInput();
            case "closed" -> closing.closed();
            case "written" -> write.setSuccess();
            case "failed" -> write.setFailure(new ClosedChannelException());
            default -> throw new AssertionError(event);
        }
        channel.runPendingTasks();
    }

    @Test
    void aClientThatSendsNothingMoreNeedsNoLingering() {
        closing.begin();
        closing.endInput();
        closing.flush();
        apply("written");
        assertThat(channel.isOpen()).isFalse();
        assertThat(lingered).isZero();
    }

    @Test
    void noneLingersWhenTooManyDo() {
        while (limit.tryLinger()) {
            // Until all places are taken.
        }
        bringTo(State.FLUSHING);
        apply("written");
        assertThat(channel.isOpen()).isFalse();
        assertThat(lingered).isZero();
    }

    @Test
    void whatWasClosedWhileItWasWrittenDoesNotLinger() {
        bringTo(State.FLUSHING);
        apply("closed");
        apply("written");
        assertThat(closing.state()).isEqualTo(State.CLOSED);
        assertThat(lingered).isZero();
    }
}
