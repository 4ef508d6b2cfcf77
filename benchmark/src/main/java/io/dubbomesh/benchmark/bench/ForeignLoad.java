package io.dubbomesh.benchmark.bench;

import java.io.IOException;

/** Watches how much of the machine's CPU time goes to programs that do not belong to the run. */
final class ForeignLoad {
    private final Programs programs;
    private final ProcStat.Machine machine;
    private final CpuTime own;

    private ForeignLoad(Programs programs, ProcStat.Machine machine, CpuTime own) {
        this.programs = programs;
        this.machine = machine;
        this.own = own;
    }

    static ForeignLoad start(Programs programs) throws IOException {
        return new ForeignLoad(programs, ProcStat.machine(), programs.cpu());
    }

    /** Since the start; nothing that ran then may have been ended by the harness meanwhile, except by itself. */
    int percent() throws IOException {
        ProcStat.Machine now = ProcStat.machine();
        long allUs = now.allUs() - machine.allUs();
        long foreignUs =
                now.usedUs() - machine.usedUs() - programs.cpu().minus(own).totalUs();
        // Ticks of different counters may be off by one.
        return allUs == 0 ? 0 : (int) Math.max(0, Math.round(100.0 * foreignUs / allUs));
    }
}
