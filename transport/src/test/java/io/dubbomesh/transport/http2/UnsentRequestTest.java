package io.dubbomesh.transport.http2;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.concurrent.FastThreadLocal;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is known of a request whose connection is lost: sent a second time only if the peer has not got its end. */
class UnsentRequestTest {
    private static final String NO_WINDOW = "000006 04 00 00000000 0004 00000000";

    @Test
    void aRequestIsUnsentUntilTheSystemHasTakenItsLastFrame() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.blockFlushes(true);
            int id = peer.open("01");
            assertThat(peer.client.isUnsent(id)).isTrue();
            peer.channel.runPendingTasks();
            assertThat(peer.client.isUnsent(id)).isTrue();
            assertThat(peer.client.flush()).isFalse();
            peer.blockFlushes(false);

            assertThat(peer.client.isUnsent(id)).isFalse();
            assertThat(peer.client.flush()).isTrue();
        }
    }

    @Test
    void aRequestOfWhichThePartWithItsEndWaitsForTheWindowIsUnsent() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            int id = peer.open(new byte[65_536]);
            peer.received();
            assertThat(peer.client.isUnsent(id)).isTrue();
            assertThat(peer.client.flush()).isFalse();

            peer.blockFlushes(true);
            peer.sends("000004 08 00 00000000 00000001", "000004 08 00 00000001 00000001");
            assertThat(peer.memory.used()).isNotNegative();
            assertThat(peer.client.isUnsent(id)).isTrue();
            peer.blockFlushes(false);
            assertThat(peer.client.isUnsent(id)).isFalse();
        }
    }

    @Test
    void aRequestThatTheSystemHasTakenInPartCountsAsSentIfItsEndMayBeInThatPart() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            peer.blockFlushes(true);
            int first = peer.open("01");
            peer.channel.runPendingTasks();
            int second = peer.open("02");
            peer.channel.runPendingTasks();
            ChannelOutboundBuffer outbound = peer.channel.unsafe().outboundBuffer();
            outbound.addFlush();
            outbound.removeBytes(1);

            assertThat(peer.client.isUnsent(first)).isFalse();
            assertThat(peer.client.isUnsent(second)).isTrue();
        }
    }

    @Test
    void itIsKnownWhileTheLossIsHandedOverAndNothingIsWrittenBehindIt() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            int sent = peer.open("01");
            peer.received();
            peer.sends(NO_WINDOW);
            int waiting = peer.open("02");
            peer.received();
            peer.blockFlushes(true);
            int batched = peer.open("");
            List<Boolean> unsent = new ArrayList<>();
            peer.onEvent = () -> {
                unsent.add(peer.client.isUnsent(sent));
                unsent.add(peer.client.isUnsent(waiting));
                unsent.add(peer.client.isUnsent(batched));
                assertThat(peer.client.canOpen()).isFalse();
            };
            peer.channel.close();

            assertThat(unsent).containsExactly(false, true, true);
            assertThat(peer.events).contains("lost: closed by the peer");
        }
    }

    @Test
    void aStreamThatIsNotOpenIsNotUnsent() {
        try (PlayedPeer peer = PlayedPeer.opened()) {
            assertThat(peer.client.isUnsent(1)).isFalse();
            peer.open("01");
            peer.sends("000004 03 00 00000001 00000008");
            assertThat(peer.client.isUnsent(1)).isFalse();
        }
    }

    /** Fails when there is no room for a buffer of a certain size. */
    private static final class Full extends AbstractByteBufAllocator {
        private int largest = Integer.MAX_VALUE;
        private int limit = Integer.MAX_VALUE;

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (initialCapacity > largest) {
                throw new IllegalStateException("no room");
            }
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, Math.min(maxCapacity, limit));
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @Test
    void aRequestForWhoseRestThereIsNoRoomIsResetAndThrows() {
        Full allocator = new Full();
        try (PlayedPeer peer = new PlayedPeer(PlayedPeer.LIMITS, 1, new MemoryBudget(1 << 20))) {
            peer.sends(PlayedPeer.SETTINGS, NO_WINDOW);
            peer.received();
            byte[] content = new byte[100_000];
            ByteBuf in = peer.channel.alloc().directBuffer().writeByte(0x83).writeBytes(content);
            peer.channel.config().setAllocator(allocator);
            allocator.largest = 50_000;
            assertThatThrownBy(() -> peer.client.open(in, 0, 1, 1, content.length))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no room");
            in.release();

            assertThat(peer.client.openStreams()).isZero();
            assertThat(peer.received()).containsExactly("HEADERS 1 flags 4 2083", "RST_STREAM 1 00000008");
            allocator.largest = Integer.MAX_VALUE;
            assertThat(peer.open("")).isEqualTo(3);
        }
    }

    @Test
    void aConnectionForWhoseFirstBytesThereIsNoRoomIsKnownAndLost() {
        FastThreadLocal.removeAll();
        Full allocator = new Full();
        allocator.largest = 1;
        try (PlayedPeer peer = new PlayedPeer(allocator)) {
            assertThat(peer.happened()).containsExactly("active", "lost: no memory to write to it: no room");
            assertThat(peer.client.canOpen()).isFalse();
            assertThat(peer.channel.isOpen()).isFalse();
        }
        FastThreadLocal.removeAll();
    }

    @Test
    void aConnectionOnWhichAStreamCannotBeResetIsLost() {
        FastThreadLocal.removeAll();
        Full allocator = new Full();
        allocator.limit = 40_000;
        try (PlayedPeer peer = new PlayedPeer(allocator)) {
            peer.sends(PlayedPeer.SETTINGS);
            int id = peer.open("01");
            peer.received();
            peer.happened();
            // What is written in one turn has no room for the 13 bytes of one frame more.
            peer.open(new byte[16_384]);
            peer.open(new byte[16_384]);
            peer.open(new byte[40_000 - 2 * (19 + 16_384) - 19 - 5]);
            peer.client.reset(id, Http2Error.CANCEL);

            assertThat(peer.happened()).singleElement().asString().startsWith("lost: no memory to write to it: ");
            assertThat(peer.channel.isOpen()).isFalse();
        }
        FastThreadLocal.removeAll();
    }

    @Test
    void aRequestForWhoseHeaderFieldsThereIsNoRoomLeavesNothing() {
        // So that the batch does not get a buffer of an earlier test.
        FastThreadLocal.removeAll();
        Full allocator = new Full();
        allocator.limit = 40_000;
        try (PlayedPeer peer = new PlayedPeer(allocator)) {
            peer.sends(PlayedPeer.SETTINGS);
            peer.received();
            ByteBuf in = UnpooledByteBufAllocator.DEFAULT.directBuffer().writeZero(50_000);
            int sent = peer.open("01");
            assertThatThrownBy(() -> peer.client.open(in, 0, 50_000, 0, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            in.release();

            assertThat(peer.client.openStreams()).isEqualTo(1);
            assertThat(peer.open("02")).isEqualTo(sent + 2);
            assertThat(peer.received())
                    .containsExactly(
                            "HEADERS 1 flags 4 2083", "DATA 1 flags 1 01", "HEADERS 3 flags 4 83", "DATA 3 flags 1 02");
        }
        FastThreadLocal.removeAll();
    }
}
