package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class JcmdTest {
    @Test
    void addsUnitsToWhatEachThreadAllocated() {
        Map<Long, Long> bytes = Jcmd.parseAllocatedBytes("""
                4321:
                "main" #1 prio=5 os_prio=0 cpu=180.11ms elapsed=9.24s allocated=18123K defined_classes=820 tid=0x00007f01 nid=0x1 waiting
                   java.lang.Thread.State: TIMED_WAITING (sleeping)
                "a "quoted" name" #12 daemon prio=5 os_prio=0 cpu=1.0ms elapsed=9.24s allocated=640B defined_classes=0 tid=0x00007f02 nid=0x2 runnable
                "loop-1" #13 [77] prio=5 os_prio=0 cpu=1.0ms elapsed=9.24s allocated=120M defined_classes=0 tid=0x00007f03 nid=77 runnable
                "Attach Listener" #14 daemon prio=9 os_prio=0 cpu=1.0ms elapsed=0.10s allocated=3128B defined_classes=0 tid=0x00007f04 nid=0x4 waiting
                "VM Thread" os_prio=0 cpu=3.0ms elapsed=9.24s tid=0x00007f05 nid=0x5 runnable
                """);

        assertThat(bytes).isEqualTo(Map.of(1L, 18_123L << 10, 12L, 640L, 13L, 120L << 20));
    }

    @Test
    void countsNewThreadsWhollyAndEndedOnesNot() {
        assertThat(Jcmd.allocatedBytes(Map.of(1L, 100L, 2L, 5_000L), Map.of(1L, 150L, 3L, 7L)))
                .isEqualTo(57);
    }

    @Test
    void addsUpTheGenerationsOfAHeap() {
        assertThat(Jcmd.parseUsedHeapKib("""
                4321:
                 def new generation   total 14784K, used 1234K [0x00000000f8000000, 0x00000000f9000000, 0x00000000f9000000)
                  eden space 13184K,   9% used [0x00000000f8000000, 0x00000000f8134a50, 0x00000000f8ce0000)
                 tenured generation   total 114688K, used 5000K [0x00000000f9000000, 0x0000000100000000, 0x0000000100000000)
                 Metaspace       used 30000K, committed 30500K, reserved 1114112K
                """)).isEqualTo(6_234);
    }

    @Test
    void findsDirectBuffersAmongNativeMemory() {
        assertThat(Jcmd.parseDirectKib("""
                -                 Java Heap (reserved=131072KB, committed=131072KB)
                -                     Other (reserved=10352KB, committed=10340KB)
                                            (malloc=10352KB #35)
                """)).isEqualTo(10_340);
    }
}
