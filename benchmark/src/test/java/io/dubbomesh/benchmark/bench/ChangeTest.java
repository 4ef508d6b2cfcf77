package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ChangeTest {
    @Test
    void isTheRatioOfEachPair() {
        List<Round> before = List.of(round(1, "before", 1000, 4000), round(2, "before", 1000, 5000));
        List<Round> after = List.of(round(1, "after", 2000, 8000), round(2, "after", 1000, 4000));

        assertThat(Change.ratios(before, after)).containsExactly(1.0, 0.8);
    }

    private static Round round(int number, String side, long requests, long cpuUs) {
        LoadResult load = new LoadResult(requests, 1_000_000, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, List.of());
        Usage own = new Usage("agent", new CpuTime(cpuUs / 2, cpuUs / 2), 1, 1, null, 0);
        Usage shared = new Usage("provider", new CpuTime(77, 77), 1, 1, null, 0);
        return new Round(number, Point.of(64), side, load, List.of(own, shared), 1, 0, 64);
    }
}
