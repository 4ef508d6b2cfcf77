package io.dubbomesh.transport.write;

import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class OutboundBatchTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Turn turn = new Turn(channel.eventLoop());
    private final OutboundBatch batch = new OutboundBatch(channel, turn, Use.ANSWERS, 16);

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
    void whatIsLongLeavesInOrderInBuffersOfModerateSize() {
        ByteBuf content = Unpooled.buffer();
        for (int i = 0; i < 50_000; i++) {
            content.writeInt(i);
        }
        batch.buffer().writeInt(-1);
        batch.append(content, 0, 200_000);
        batch.buffer().writeInt(50_000);
        channel.runPendingTasks();

        int next = -1;
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            assertThat(sent.capacity()).isLessThanOrEqualTo(64 * 1024);
            while (sent.isReadable()) {
                assertThat(sent.readInt()).isEqualTo(next++);
            }
            sent.release();
        }
        assertThat(next).isEqualTo(50_001);
        content.release();
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

    @Test
    void whatNoSystemCallHasTakenIsUnsent() {
        SlowChannel slow = new SlowChannel();
        Turn slowTurn = new Turn(slow.eventLoop());
        OutboundBatch recoverable = OutboundBatch.recoverable(slow, slowTurn, Use.ANSWERS, 16);
        slow.room = 8;
        long[] numbers = new long[4];
        for (int i = 0; i < 4; i++) {
            numbers[i] = recoverable.number();
            recoverable.buffer().writeCharSequence("batch" + i, US_ASCII);
            if (i < 3) {
                slow.runPendingTasks();
            }
        }
        assertThat(slow.taken).hasToString("batch0ba");
        slow.close();
        slow.runPendingTasks();

        assertThat(LongStream.of(numbers).mapToObj(recoverable::isUnsent)).containsExactly(false, false, true, true);
        ByteBuf unsent = recoverable.takeUnsent();
        assertThat(unsent.readerIndex()).isEqualTo(2);
        assertThat(unsent.toString(0, unsent.writerIndex(), US_ASCII)).isEqualTo("batch1batch2batch3");
        unsent.release();
        assertThat(unsent.refCnt()).isZero();
        assertThat(recoverable.takeUnsent()).isNull();
    }

    @Test
    void whatWasTakenLaterIsNotUnsent() {
        SlowChannel slow = new SlowChannel();
        OutboundBatch recoverable = OutboundBatch.recoverable(slow, new Turn(slow.eventLoop()), Use.ANSWERS, 16);
        recoverable.buffer().writeCharSequence("first", US_ASCII);
        ByteBuf first = recoverable.buffer();
        slow.runPendingTasks();
        assertThat(slow.taken).hasToString("");
        slow.room = 100;
        recoverable.buffer().writeCharSequence("second", US_ASCII);
        slow.runPendingTasks();

        assertThat(slow.taken).hasToString("firstsecond");
        assertThat(recoverable.isUnsent(0)).isFalse();
        assertThat(recoverable.takeUnsent()).isNull();
        assertThat(first.refCnt()).as("it is a spare").isEqualTo(1);
        slow.finishAndReleaseAll();
    }

    @Test
    void whatIsWrittenToAClosedChannelIsUnsent() {
        SlowChannel slow = new SlowChannel();
        slow.room = 100;
        OutboundBatch recoverable = OutboundBatch.recoverable(slow, new Turn(slow.eventLoop()), Use.ANSWERS, 16);
        slow.close();
        recoverable.buffer().writeCharSequence("late", US_ASCII);
        recoverable.flush();

        ByteBuf unsent = recoverable.takeUnsent();
        assertThat(unsent.toString(US_ASCII)).isEqualTo("late");
        unsent.release();
    }

    @Test
    void whatTlsHasGotCountsAsSentUnlessTheChannelWasClosed() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        EmbeddedChannel secured = new EmbeddedChannel(new SslHandler(engine));
        OutboundBatch recoverable = OutboundBatch.recoverable(secured, new Turn(secured.eventLoop()), Use.ANSWERS, 16);
        recoverable.buffer().writeCharSequence("encrypted", US_ASCII);
        recoverable.flush();
        assertThat(recoverable.isUnsent(0)).isFalse();
        secured.close();
        recoverable.buffer().writeCharSequence("late", US_ASCII);
        recoverable.flush();

        assertThat(recoverable.isUnsent(1)).isTrue();
        ByteBuf unsent = recoverable.takeUnsent();
        assertThat(unsent.toString(US_ASCII)).isEqualTo("late");
        unsent.release();
        secured.finishAndReleaseAll();
    }

    @Test
    void nothingIsKeptAfterWhatIsUnsentWasTaken() {
        SlowChannel slow = new SlowChannel();
        OutboundBatch recoverable = OutboundBatch.recoverable(slow, new Turn(slow.eventLoop()), Use.ANSWERS, 16);
        slow.close();
        assertThat(recoverable.takeUnsent()).isNull();
        recoverable.buffer().writeByte(1);
        ByteBuf late = recoverable.buffer();
        recoverable.flush();

        assertThat(recoverable.takeUnflushed()).isNull();
        assertThat(recoverable.buffer()).as("it is a spare").isSameAs(late);
        recoverable.takeUnflushed().release();
    }

    @Test
    void aFailedWriteIsReportedOnceAsThatOfOtherBatchesIs() {
        SlowChannel slow = new SlowChannel();
        AtomicInteger reported = new AtomicInteger();
        slow.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                reported.incrementAndGet();
            }
        });
        OutboundBatch recoverable = OutboundBatch.recoverable(slow, new Turn(slow.eventLoop()), Use.ANSWERS, 16);
        for (int i = 0; i < 2; i++) {
            recoverable.buffer().writeByte(i);
            recoverable.flush();
        }
        slow.close();

        assertThat(reported).hasValue(1);
        recoverable.takeUnsent().release();
    }

    /** Takes as many bytes as it has room for, as a socket does. */
    private static final class SlowChannel extends EmbeddedChannel {
        private final StringBuilder taken = new StringBuilder();
        private int room;

        @Override
        protected void doWrite(ChannelOutboundBuffer in) {
            while (room > 0 && in.current() instanceof ByteBuf next) {
                int length = Math.min(room, next.readableBytes());
                taken.append(next.toString(next.readerIndex(), length, US_ASCII));
                room -= length;
                in.removeBytes(length);
            }
        }
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
