package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.loadbalance.Strategy;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class BalancedCalleeTest {
    private final int[] calls = new int[3];

    @Test
    void givesEachItsWeightExactly() {
        call(Strategy.WEIGHTED_ROUND_ROBIN, new int[] {1, 2, 3}, 600);
        assertThat(calls).containsExactly(100, 200, 300);
    }

    @Test
    void givesEachAboutTheSameAtRandom() {
        call(Strategy.WEIGHTED_RANDOM, new int[] {1, 1, 1}, 3000);
        assertThat(IntStream.of(calls)).allMatch(count -> count > 900 && count < 1100);
    }

    private void call(Strategy strategy, int[] weights, int times) {
        BalancedCallee balanced =
                new BalancedCallee(List.of(counting(0), counting(1), counting(2)), weights, strategy, 0);
        for (int i = 0; i < times; i++) {
            balanced.call(null, Unpooled.EMPTY_BUFFER, 0, 0, null);
        }
    }

    private Callee counting(int index) {
        return (name, in, offset, length, answer) -> calls[index]++;
    }
}
