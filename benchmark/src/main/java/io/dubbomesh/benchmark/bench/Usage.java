package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.Map;

/**
 * What a program used during a round.
 *
 * @param stops          null unless it is a JVM
 * @param allocatedBytes on the heap; 0 unless it is a JVM
 */
record Usage(String program, CpuTime cpu, double rssMib, double pssMib, GcLog.Stops stops, long allocatedBytes) {
    private static final double KIB_PER_MIB = 1024;

    /** A program's state at the beginning of a round. */
    record Start(Program program, CpuTime cpu, long gcLogLength, Map<Long, Long> allocatedBytes) {
        static Start of(Program program) throws IOException, InterruptedException {
            // Asked for before the CPU time is read, and behind that in the end: the answer costs some.
            Map<Long, Long> allocated = program.gcLog() == null ? Map.of() : Jcmd.allocatedBytes(program);
            return new Start(program, program.cpu(), program.gcLogLength(), allocated);
        }

        Usage end() throws IOException, InterruptedException {
            CpuTime used = program.cpu().minus(cpu);
            double rssMib = program.rssKib() / KIB_PER_MIB;
            double pssMib = program.pssKib() / KIB_PER_MIB;
            if (program.gcLog() == null) {
                return new Usage(program.name(), used, rssMib, pssMib, null, 0);
            }
            GcLog.Stops stops = GcLog.read(program.gcLog(), gcLogLength);
            long allocated = Jcmd.allocatedBytes(allocatedBytes, Jcmd.allocatedBytes(program));
            return new Usage(program.name(), used, rssMib, pssMib, stops, allocated);
        }
    }
}
