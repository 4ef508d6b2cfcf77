package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProcStatTest {
    private static final String BEHIND_THE_NAME =
            " S 1 4321 4321 0 -1 4194304 5000 6000 7 8 120 30 15 5 20 0 12 0 99999 123456789 2500 18446744073709551615";

    @ParameterizedTest
    @ValueSource(strings = {"java", "Web Content", "a) S 1 (b", "()"})
    void readsTicksBehindAnyName(String name) {
        String stat = "4321 (" + name + ")" + BEHIND_THE_NAME;

        assertThat(ProcStat.parseCpu(stat)).isEqualTo(new CpuTime(1_200_000, 300_000));
        assertThat(ProcStat.parseCpuOfEndedChildren(stat)).isEqualTo(new CpuTime(150_000, 50_000));
    }

    @Test
    void countsNeitherIdleTimeNorGuestsAsUse() {
        List<String> stat = List.of(
                "cpu  100 20 30 4000 500 6 7 8 90 10", "cpu0 50 10 15 2000 250 3 3 4 45 5", "intr 1 2 3", "btime 1");

        assertThat(ProcStat.parseMachine(stat))
                .isEqualTo(new ProcStat.Machine(
                        (100 + 20 + 30 + 6 + 7 + 8) * 10_000L, (100 + 20 + 30 + 4000 + 500 + 6 + 7 + 8) * 10_000L));
    }

    @Test
    void readsMemory() {
        assertThat(ProcStat.parseKib(List.of("Name:\tjava", "VmRSS:\t  126976 kB"), "VmRSS:"))
                .isEqualTo(126_976);
        assertThat(ProcStat.parseKib(List.of("00400000-7fff [rollup]", "Rss:   900 kB", "Pss:   456 kB"), "Pss:"))
                .isEqualTo(456);
    }

    @Test
    void readsAcceptedConnectionsByTheirColumn() {
        List<String> snmp = List.of(
                "Ip: Forwarding DefaultTTL",
                "Ip: 1 64",
                "Tcp: RtoAlgorithm RtoMin ActiveOpens PassiveOpens AttemptFails",
                "Tcp: 1 200 11 22 33");

        assertThat(ProcStat.parsePassiveOpens(snmp)).isEqualTo(22);
    }

    @Test
    void readsTheSoftLimitOfOpenFiles() {
        String heading = "Limit                     Soft Limit           Hard Limit           Units     ";

        assertThat(ProcStat.parseOpenFilesLimit(List.of(
                        heading, "Max open files            1024                 20000                files     ")))
                .isEqualTo(1024);
        assertThat(ProcStat.parseOpenFilesLimit(List.of(
                        heading, "Max open files            unlimited            unlimited            files     ")))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void saysWhichLineIsMissing() {
        assertThatThrownBy(() -> ProcStat.parseKib(List.of("Name:\tjava"), "VmRSS:"))
                .hasMessageContaining("no line VmRSS:");
    }

    @Test
    void readsThisProcess() throws IOException {
        long self = ProcessHandle.current().pid();

        assertThat(ProcStat.cpu(self).totalUs()).isPositive();
        assertThat(ProcStat.rssKib(self)).isPositive();
        assertThat(ProcStat.pssKib(self)).isPositive();
        assertThat(ProcStat.machine().allUs())
                .isGreaterThanOrEqualTo(ProcStat.machine().usedUs());
    }
}
