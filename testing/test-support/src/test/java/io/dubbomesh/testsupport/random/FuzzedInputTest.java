package io.dubbomesh.testsupport.random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FuzzedInputTest {
    private static final long LIMIT_NS = 1_000_000_000;

    /** The times that the clock shows when it is read. */
    private final ArrayDeque<Long> clock = new ArrayDeque<>();

    private void check(FuzzedInput.Reading<RuntimeException> reading, Long... times) {
        clock.addAll(List.of(times));
        FuzzedInput.check(reading, LIMIT_NS, clock::removeFirst);
    }

    @Test
    void aSecondOfTheProcessorsTimeIsEnough() {
        check(allocator -> {}, 5L, 5 + LIMIT_NS);
        assertThat(clock).isEmpty();
    }

    @Test
    void aReadingThatTakesLongerOnlyTheFirstTimeIsGood() {
        check(allocator -> {}, 0L, 7 * LIMIT_NS, 7 * LIMIT_NS, 7 * LIMIT_NS + 1);
        assertThat(clock).isEmpty();
    }

    @Test
    void aReadingThatTakesLongerTwiceFails() {
        assertThatThrownBy(() -> check(allocator -> {}, 0L, 7 * LIMIT_NS, 7 * LIMIT_NS, 9 * LIMIT_NS))
                .isInstanceOf(AssertionError.class)
                .hasMessage("2000 ms of the processor's time (expected: at most 1000)");
    }

    @Test
    void buffersThatAreLeftFail() {
        List<ByteBuf> left = new ArrayList<>();
        assertThatThrownBy(() -> FuzzedInput.check(allocator -> left.add(allocator.directBuffer(16))))
                .isInstanceOf(AssertionError.class)
                .hasMessage("16 bytes of buffers were not released");
        assertThatThrownBy(() -> FuzzedInput.check(allocator -> left.add(allocator.heapBuffer(8))))
                .isInstanceOf(AssertionError.class)
                .hasMessage("8 bytes of buffers were not released");
        left.forEach(ByteBuf::release);
    }

    @Test
    void buffersThatAnEventLoopKeepsUntilItsEndAreNotLeft() {
        FastThreadLocal<ByteBuf> kept = new FastThreadLocal<>() {
            @Override
            protected void onRemoval(ByteBuf buffer) {
                buffer.release();
            }
        };
        FuzzedInput.Reading<RuntimeException> keeping = (ByteBufAllocator allocator) -> kept.set(allocator.buffer(16));
        FuzzedInput.check(keeping);
    }

    @Test
    void anInputIsReadWholeByteByByteAndInPieces() {
        byte[] input = {1, 2, 3};
        List<int[]> cuts = new ArrayList<>();

        FuzzedInput.requireSameInPieces(input, cuts::add);

        assertThat(cuts).hasSize(3);
        assertThat(cuts.get(0)).isEmpty();
        assertThat(cuts.get(1)).containsExactly(0, 1, 2);
        assertThat(cuts.get(2)).isSorted().doesNotContain(input.length);
    }

    @Test
    void aLongInputIsReadInPiecesOfSomeBytes() {
        List<int[]> cuts = new ArrayList<>();
        FuzzedInput.requireSameInPieces(new byte[65_536], cuts::add);
        assertThat(cuts.get(1)).hasSize(4096).startsWith(0, 16, 32).endsWith(65_536 - 16);
    }

    @Test
    void anotherResultInPiecesFails() {
        assertThatThrownBy(() -> FuzzedInput.requireSameInPieces(new byte[2], Arrays::toString))
                .isInstanceOf(AssertionError.class)
                .hasMessage("in pieces [0, 1], whole []");
    }
}
