package io.dubbomesh.benchmark.process;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/** Checks the readers of {@code /proc}, of a JVM's log and of jcmd. */
class ReadersTest {
    private static final String AFTER_THE_NAME =
            " S 1 4321 4321 0 -1 4194304 5000 6000 7 8 120 30 15 5 20 0 12 0 99999 123456789 2500 18446744073709551615";
    private static final String GC_LOG = """
            [0.002s] Using Serial
            [1.258s] Safepoint "Cleanup", Time since last: 1191970894 ns, Reaching safepoint: 143837 ns, Cleanup: 75498 ns, At safepoint: 144114 ns, Total: 363449 ns
            [2.090s] GC(0) Pause Young (Allocation Failure) 12M->3M(126M) 22.292ms
            [2.121s] Safepoint "GenCollectForAllocation", Time since last: 810046652 ns, Reaching safepoint: 3504 ns, Cleanup: 39853 ns, At safepoint: 52624947 ns, Total: 52668304 ns
            [3.182s] GC(1) Pause Young (Allocation Failure) 16M->5M(126M) 16.519ms
            [3.500s] GC(1) Concurrent Mark Cycle 12.345ms
            [4.000s] GC(2) Pause Full (Diagnostic Command) 5M->4M(126M) 30.000ms
            """;

    @ParameterizedTest
    @ValueSource(strings = {"java", "Web Content", "a) S 1 (b", "()"})
    void cpuTimeIsReadAfterAnyName(String name) {
        String stat = "4321 (" + name + ")" + AFTER_THE_NAME;
        assertThat(ProcStat.cpu(stat)).isEqualTo(new CpuTime(1_200_000, 300_000));
        assertThat(ProcStat.cpuOfEndedChildren(stat)).isEqualTo(new CpuTime(150_000, 50_000));
    }

    @Test
    void idleTimeAndGuestsAreNotUsedTime() {
        List<String> stat = List.of("cpu  100 20 30 4000 500 6 7 8 90 10", "cpu0 50 10 15 2000 250 3 3 4 45 5");
        assertThat(ProcStat.machine(stat))
                .isEqualTo(new ProcStat.Machine(
                        (100 + 20 + 30 + 6 + 7 + 8) * 10_000L, (100 + 20 + 30 + 4000 + 500 + 6 + 7 + 8) * 10_000L));
    }

    @Test
    void memoryConnectionsAndTheLimitOfOpenFilesAreReadByTheirNames() {
        assertThat(ProcStat.kib(List.of("Name:\tjava", "VmRSS:\t  126976 kB"), "VmRSS:"))
                .isEqualTo(126_976);
        assertThat(ProcStat.acceptedConnections(List.of(
                        "Ip: Forwarding", "Tcp: RtoMin ActiveOpens PassiveOpens AttemptFails", "Tcp: 200 11 22 33")))
                .isEqualTo(22);
        assertThat(ProcStat.openFilesLimit(List.of("Max open files            1024                 20000   files")))
                .isEqualTo(1024);
        assertThat(ProcStat.openFilesLimit(List.of("Max open files            unlimited            unlimited   files")))
                .isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> ProcStat.kib(List.of("Name:\tjava"), "VmRSS:")).hasMessageContaining("no line VmRSS:");
    }

    @Test
    void theValuesOfThisProcessAreThere() throws IOException {
        long self = ProcessHandle.current().pid();
        assertThat(ProcStat.cpu(self).totalUs()).isPositive();
        assertThat(ProcStat.rssKib(self)).isPositive();
        assertThat(ProcStat.pssKib(self)).isPositive();
    }

    @Test
    void collectionsAndSafepointsOfALogAreAddedFromAPlaceOn(@TempDir Path directory) throws IOException {
        GcLog.Stops stops = GcLog.parse(GC_LOG);
        assertThat(stops.collections()).isEqualTo(3);
        assertThat(stops.pauseMs()).isCloseTo(68.811, within(1e-9));
        assertThat(stops.longestPauseMs()).isEqualTo(30.0);
        assertThat(stops.safepoints()).isEqualTo(2);
        assertThat(stops.safepointMs()).isCloseTo(53.031753, within(1e-9));
        Path file = Files.writeString(directory.resolve("agent.gc"), GC_LOG);
        assertThat(GcLog.read(file, GC_LOG.indexOf("[3.182s]")).collections()).isEqualTo(2);
    }

    @Test
    void allocatedBytesOfThreadsAreInUnits() {
        assertThat(Jcmd.parseAllocatedBytes("""
                "main" #1 prio=5 os_prio=0 cpu=180.11ms elapsed=9.24s allocated=18123K defined_classes=820 tid=0x00007f01 nid=0x1 waiting
                   java.lang.Thread.State: TIMED_WAITING (sleeping)
                "a "quoted" name" #12 daemon prio=5 os_prio=0 cpu=1.0ms elapsed=9.24s allocated=640B defined_classes=0 tid=0x00007f02 nid=0x2 runnable
                "loop-1" #13 [77] prio=5 os_prio=0 cpu=1.0ms elapsed=9.24s allocated=120M defined_classes=0 tid=0x00007f03 nid=77 runnable
                "Attach Listener" #14 daemon prio=9 os_prio=0 cpu=1.0ms elapsed=0.10s allocated=3128B defined_classes=0 tid=0x00007f04 nid=0x4 waiting
                "VM Thread" os_prio=0 cpu=3.0ms elapsed=9.24s tid=0x00007f05 nid=0x5 runnable
                """)).isEqualTo(Map.of(1L, 18_123L << 10, 12L, 640L, 13L, 120L << 20));
        // New threads count wholly, ended ones do not count.
        assertThat(Jcmd.allocatedBytes(Map.of(1L, 100L, 2L, 5_000L), Map.of(1L, 150L, 3L, 7L)))
                .isEqualTo(57);
    }

    @Test
    void theHeapIsTheSumOfItsGenerationsAndDirectBuffersAreOtherNativeMemory() {
        assertThat(Jcmd.parseUsedHeapKib("""
                 def new generation   total 14784K, used 1234K [0x00000000f8000000, 0x00000000f9000000, 0x00000000f9000000)
                  eden space 13184K,   9% used [0x00000000f8000000, 0x00000000f8134a50, 0x00000000f8ce0000)
                 tenured generation   total 114688K, used 5000K [0x00000000f9000000, 0x0000000100000000, 0x0000000100000000)
                """)).isEqualTo(6_234);
        assertThat(Jcmd.parseDirectKib("""
                -                 Java Heap (reserved=131072KB, committed=131072KB)
                -                     Other (reserved=10352KB, committed=10340KB)
                """)).isEqualTo(10_340);
    }
}
