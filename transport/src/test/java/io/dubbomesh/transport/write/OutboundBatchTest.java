package io.dubbomesh.transport.write;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicReference;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class OutboundBatchTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Turn turn = new Turn(channel.eventLoop());
    private final OutboundBatch batch = new OutboundBatch(channel, turn, 16);

    @AfterEach
    void finish() {
        channel.finishAndReleaseAll();
    }

    @Test
    void whatIsWrittenInATurnLeavesAtItsEndAsOneBuffer() {
        batch.buffer().writeCharSequence("one ", US_ASCII);
        batch.buffer().writeCharSequence("two, longer than the first capacity", US_ASCII);
        assertThat(channel.<ByteBuf>readOutbound()).isNull();

        channel.runPendingTasks();
        assertThat(sent()).isEqualTo("one two, longer than the first capacity");
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
    }

    @Test
    void theNextTurnHasABufferOfItsOwn() {
        batch.buffer().writeCharSequence("one", US_ASCII);
        channel.runPendingTasks();
        batch.buffer().writeCharSequence("two", US_ASCII);
        channel.runPendingTasks();

        assertThat(sent()).isEqualTo("one");
        assertThat(sent()).isEqualTo("two");
    }

    @Test
    void nothingIsSentOfABufferThatWasTakenBack() {
        batch.buffer().writeZero(2).clear();
        channel.runPendingTasks();

        assertThat(channel.<ByteBuf>readOutbound()).isNull();
    }

    @Test
    void aFullBatchIsHandedOverBeforeTheTurnEnds() {
        batch.buffer().writeZero(200_000);
        long before = batch.number();
        batch.buffer().writeCharSequence("more", US_ASCII);

        assertThat(batch.number()).isEqualTo(before + 1);
        channel.runPendingTasks();
        ByteBuf first = channel.readOutbound();
        assertThat(first.readableBytes()).isEqualTo(200_000);
        first.release();
        assertThat(sent()).isEqualTo("more");
    }

    @Test
    void theNumberOfABatchChangesWhenItIsSent() {
        batch.buffer().writeByte(1);
        long number = batch.number();
        assertThat(batch.number()).isEqualTo(number);
        channel.runPendingTasks();
        assertThat(batch.number()).isNotEqualTo(number);
    }

    @Test
    void whatIsNotSentCanBeTakenBack() {
        batch.buffer().writeCharSequence("unsent", US_ASCII);
        ByteBuf unsent = batch.takeUnsent();
        channel.runPendingTasks();

        assertThat(unsent.toString(US_ASCII)).isEqualTo("unsent");
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
        unsent.release();
    }

    @Test
    void aBufferThatWasSentAtOnceIsFilledAgain() {
        batch.buffer().writeCharSequence("one", US_ASCII);
        ByteBuf first = batch.buffer();
        channel.runPendingTasks();
        assertThat(sent()).isEqualTo("one");
        batch.buffer().writeCharSequence("two", US_ASCII);
        assertThat(batch.buffer()).as("while the channel has the first").isNotSameAs(first);
        channel.runPendingTasks();
        assertThat(sent()).isEqualTo("two");

        AtomicReference<String> written = new AtomicReference<>();
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                written.set(((ByteBuf) message).toString(US_ASCII));
                ReferenceCountUtil.release(message);
            }
        });
        batch.buffer().writeCharSequence("three", US_ASCII);
        ByteBuf third = batch.buffer();
        channel.runPendingTasks();
        assertThat(written).hasValue("three");
        assertThat(batch.buffer()).isSameAs(third);
        assertThat(batch.buffer().readableBytes()).isZero();
    }

    private String sent() {
        ByteBuf sent = channel.readOutbound();
        try {
            return sent.toString(US_ASCII);
        } finally {
            sent.release();
        }
    }
}
