package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class GcLogTest {
    private static final String LOG = """
            [0.002s] Using Serial
            [1.258s] Safepoint "Cleanup", Time since last: 1191970894 ns, Reaching safepoint: 143837 ns, Cleanup: 75498 ns, At safepoint: 144114 ns, Total: 363449 ns
            [2.090s] GC(0) Pause Young (Allocation Failure) 12M->3M(126M) 22.292ms
            [2.121s] Safepoint "GenCollectForAllocation", Time since last: 810046652 ns, Reaching safepoint: 3504 ns, Cleanup: 39853 ns, At safepoint: 52624947 ns, Total: 52668304 ns
            [3.182s] GC(1) Pause Young (Allocation Failure) 16M->5M(126M) 16.519ms
            [4.000s] GC(2) Pause Full (Diagnostic Command) 5M->4M(126M) 30.000ms
            """;

    @Test
    void addsUpCollectionsAndSafepoints() {
        GcLog.Stops stops = GcLog.parse(LOG);

        assertThat(stops.collections()).isEqualTo(3);
        assertThat(stops.pauseMs()).isCloseTo(68.811, within(1e-9));
        assertThat(stops.longestPauseMs()).isEqualTo(30.0);
        assertThat(stops.safepoints()).isEqualTo(2);
        assertThat(stops.safepointMs()).isCloseTo(53.031753, within(1e-9));
    }

    @Test
    void countsNoConcurrentPhaseOfOtherCollectors() {
        GcLog.Stops stops = GcLog.parse("""
                [0.010s] Using G1
                [1.000s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.500ms
                [1.100s] GC(1) Concurrent Mark Cycle 12.345ms
                """);

        assertThat(stops).isEqualTo(new GcLog.Stops(1, 3.5, 3.5, 0, 0));
    }

    @Test
    void readsOnlyWhatWasWrittenSince(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("agent.gc"), LOG);

        assertThat(GcLog.read(file, LOG.indexOf("[3.182s]")).collections()).isEqualTo(2);
        assertThat(GcLog.read(file, LOG.length()).collections()).isZero();
    }
}
