package io.dubbomesh.transport.frame;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FrameHandlerTest {
    /** Frames of a length byte, which counts what follows, and text; a length over 9 is malformed. */
    private static class Lines extends FrameHandler {
        private final List<String> frames = new ArrayList<>();
        private final List<String> lookedAhead = new ArrayList<>();
        private boolean holdsAfterEach;

        Lines() {
            super(1);
        }

        Lines(MemoryBudget memory) {
            super(1, memory);
        }

        @Override
        protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
            if (in.getByte(offset) > 9) {
                throw new MalformedFrameException("length " + in.getByte(offset));
            }
            return 1 + in.getByte(offset);
        }

        @Override
        protected int lookAhead(ByteBuf in, int at, int end) {
            lookedAhead.add(frames.size() + ":" + in.getByte(at) + " of " + (end - at));
            return 2;
        }

        @Override
        protected void frame(ByteBuf in, int offset, int length) {
            frames.add(in.toString(offset + 1, length - 1, US_ASCII));
            if (holdsAfterEach) {
                holdFrames(true);
            }
        }

        @Override
        protected void malformed(String reason) {
            frames.add("malformed: " + reason);
        }
    }

    private static final byte[] FRAMES = {3, 'o', 'n', 'e', 0, 5, 't', 'h', 'r', 'e', 'e', 1, '4'};

    @Test
    void everyCompleteFrameOfAReadIsHandedOver() {
        assertThat(framesOf(FRAMES.length)).containsExactly("one", "", "three", "4");
    }

    @Test
    void aHandlerLooksAheadBeforeAsManyFramesAsItSaysAndAgainWithEachRead() {
        Lines lines = new Lines();
        EmbeddedChannel channel = new EmbeddedChannel(lines);
        channel.writeInbound(Unpooled.copiedBuffer(FRAMES));
        assertThat(lines.lookedAhead).containsExactly("0:3 of 13", "2:5 of 8");
        channel.writeInbound(Unpooled.copiedBuffer(new byte[] {3, 'o'}), Unpooled.copiedBuffer(new byte[] {'n', 'e'}));
        assertThat(lines.lookedAhead)
                .as("an incomplete frame, and when it is complete")
                .containsExactly("0:3 of 13", "2:5 of 8", "4:3 of 2", "4:3 of 4");
        assertThat(lines.frames).containsExactly("one", "", "three", "4", "one");
        channel.finishAndReleaseAll();
    }

    @Test
    void theFramesAreTheSameHoweverTheBytesArrive() {
        for (int first = 0; first <= FRAMES.length; first++) {
            for (int second = 0; second <= FRAMES.length - first; second++) {
                assertThat(framesOf(first, second, FRAMES.length - first - second))
                        .containsExactly("one", "", "three", "4");
            }
        }
        assertThat(framesOf(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)).containsExactly("one", "", "three", "4");
    }

    @Test
    void framesThatAreHeldAreHandedOverLaterHoweverTheBytesArrive() {
        for (int first = 0; first <= FRAMES.length; first++) {
            for (int second = 0; second <= FRAMES.length - first; second++) {
                assertHeldFramesFollow(first, second, FRAMES.length - first - second);
            }
        }
        assertHeldFramesFollow(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    }

    /** Each frame has the ones behind it held. */
    private static void assertHeldFramesFollow(int... cuts) {
        MemoryBudget memory = new MemoryBudget(1 << 20);
        EmbeddedChannel channel = new EmbeddedChannel();
        Lines lines = new Lines(memory);
        lines.holdsAfterEach = true;
        channel.pipeline().addLast(lines);
        int at = 0;
        for (int length : cuts) {
            channel.writeInbound(channel.alloc().directBuffer(16).writeBytes(FRAMES, at, length));
            at += length;
        }
        assertThat(lines.frames).containsExactly("one");
        assertThat(memory.used()).isPositive();

        for (int frames = 2; frames <= 4; frames++) {
            lines.holdFrames(true);
            lines.holdFrames(false);
            assertThat(lines.frames).as("not in the middle of another task").hasSize(frames - 1);
            channel.runPendingTasks();
            assertThat(lines.frames).hasSize(frames);
        }
        assertThat(lines.frames).containsExactly("one", "", "three", "4");
        channel.finishAndReleaseAll();
        assertThat(memory.used()).isZero();
    }

    @Test
    void whatArrivesBeforeHeldFramesAreHandedOverWasNotHeldAndTheyWere() {
        EmbeddedChannel channel = new EmbeddedChannel();
        List<Boolean> held = new ArrayList<>();
        Lines lines = new Lines() {
            @Override
            protected void frame(ByteBuf in, int offset, int length) {
                held.add(heldNs() > 0);
            }
        };
        channel.pipeline().addLast(lines);
        lines.holdFrames(true);
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {1, 'a', 1}));
        lines.holdFrames(false);

        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {'b', 1, 'c'}));

        assertThat(held).containsExactly(true, false, false);
        channel.finishAndReleaseAll();
    }

    @Test
    void framesThatAreHeldAreReleasedWithTheirConnection() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Lines lines = new Lines();
        channel.pipeline().addLast(lines);
        lines.holdFrames(true);
        ByteBuf frames = Unpooled.directBuffer().writeBytes(FRAMES);
        channel.writeInbound(frames);
        channel.close();
        lines.holdFrames(false);
        channel.runPendingTasks();

        assertThat(frames.refCnt()).isZero();
        assertThat(lines.frames).isEmpty();
    }

    @Test
    void aFrameThatFailsAfterItWasHeldFailsAsOthersDo() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Lines lines = new Lines() {
            @Override
            protected void frame(ByteBuf in, int offset, int length) {
                throw new IllegalStateException("a fault");
            }
        };
        channel.pipeline().addLast(lines);
        lines.holdFrames(true);
        ByteBuf frames = Unpooled.directBuffer().writeBytes(FRAMES);
        channel.writeInbound(frames);
        lines.holdFrames(false);
        channel.runPendingTasks();

        assertThatThrownBy(channel::checkException).hasMessage("a fault");
        assertThat(frames.refCnt()).isZero();
        channel.finishAndReleaseAll();
    }

    @Test
    void nothingBehindAMalformedFrameIsHandedOver() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Lines lines = new Lines();
        channel.pipeline().addLast(lines);
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {1, 'a', 10, 1, 'b'}));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {1, 'c'}));

        assertThat(lines.frames).containsExactly("a", "malformed: length 10");
        channel.finishAndReleaseAll();
    }

    @Test
    void aFrameThatNeverCompletesIsReleasedWithItsConnection() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new Lines());
        ByteBuf half = Unpooled.directBuffer().writeByte(9).writeByte('x');
        channel.writeInbound(half);
        channel.close();

        assertThat(half.refCnt()).isZero();
    }

    @Test
    void aReadThatCannotBeKeptIsReleased() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new Lines());
        channel.writeInbound(Unpooled.directBuffer(3, 3).writeByte(9).writeByte('x'));
        ByteBuf tooMuch = Unpooled.directBuffer().writeZero(5);

        assertThatThrownBy(() -> channel.writeInbound(tooMuch)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(tooMuch.refCnt()).isZero();
        channel.finishAndReleaseAll();
    }

    @Test
    void largeFramesThatWaitForRoomAreTakenOneAfterAnother() {
        MemoryBudget memory = new MemoryBudget(4 * MemoryBudget.LARGE);
        Large first = new Large(memory);
        Large second = new Large(memory);
        Large third = new Large(memory);
        first.receive(Large.LENGTH - 1);
        second.receive(Integer.BYTES);
        third.receive(Integer.BYTES);
        assertThat(List.of(first.waits, second.waits, third.waits))
                .as("those that wait for room")
                .containsExactly(false, true, true);
        assertThat(second.tryReserve()).isFalse();

        first.receive(1);
        assertThat(second.tryReserve())
                .as("room, when only frames are left that wait")
                .isTrue();
        assertThat(second.tryReserve()).as("room that was taken before").isTrue();
        assertThat(third.tryReserve()).isFalse();

        second.channel.finishAndReleaseAll();
        assertThat(third.tryReserve()).isTrue();
        third.channel.finishAndReleaseAll();
        first.channel.finishAndReleaseAll();
        assertThat(memory.used()).isZero();
    }

    @Test
    void aLargeFrameThatIsDiscardedHoldsNothingAndTheNextOneIsHandedOver() {
        MemoryBudget memory = new MemoryBudget(4 * MemoryBudget.LARGE);
        Large first = new Large(memory);
        Large second = new Large(memory);
        second.discards = true;
        first.receive(Large.LENGTH - 1);
        long held = memory.used();

        second.receive(Large.LENGTH / 2);
        assertThat(memory.used()).isEqualTo(held);
        second.receive(Large.LENGTH / 4);
        first.receive(1);
        assertThat(memory.used()).isZero();
        second.receive(Large.LENGTH / 4 + Large.LENGTH);
        assertThat(second.frames).isEqualTo(1);

        first.channel.finishAndReleaseAll();
        second.channel.finishAndReleaseAll();
        assertThat(memory.used()).isZero();
    }

    /** Frames that are longer than the budget of the test. */
    private static final class Large extends FrameHandler {
        private static final int LENGTH = 8 * MemoryBudget.LARGE;

        private final EmbeddedChannel channel = new EmbeddedChannel();
        private boolean waits;
        private boolean discards;
        private int frames;

        Large(MemoryBudget memory) {
            super(Integer.BYTES, memory);
            channel.pipeline().addLast(this);
        }

        void receive(int bytes) {
            channel.writeInbound(channel.alloc().directBuffer(bytes).writeZero(bytes));
        }

        @Override
        protected long frameLength(ByteBuf in, int offset) {
            return LENGTH;
        }

        @Override
        protected void frame(ByteBuf in, int offset, int length) {
            frames++;
        }

        @Override
        protected void malformed(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        protected void awaitRoom(ByteBuf in, int offset) {
            waits = true;
            if (discards) {
                discardFrame();
            }
        }
    }

    private static List<String> framesOf(int... cuts) {
        EmbeddedChannel channel = new EmbeddedChannel();
        Lines lines = new Lines();
        channel.pipeline().addLast(lines);
        int at = 0;
        for (int length : cuts) {
            channel.writeInbound(channel.alloc().directBuffer(16).writeBytes(FRAMES, at, length));
            at += length;
        }
        channel.finishAndReleaseAll();
        return lines.frames;
    }
}
