package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.CpuTime;
import io.dubbomesh.benchmark.process.GcLog;
import io.dubbomesh.benchmark.process.Jcmd;
import io.dubbomesh.benchmark.process.Program;

import java.io.IOException;
import java.util.Map;

/**
 * The resources that a program used during a round.
 *
 * @param stops          null unless it is a JVM
 * @param allocatedBytes on the heap; 0 unless it is a JVM
 */
public record Usage(String program, CpuTime cpu, double rssMib, double pssMib, GcLog.Stops stops, long allocatedBytes) {
    private static final double KIB_PER_MIB = 1024;

    /** A program's state at the beginning of a round. */
    record Start(Program program, CpuTime cpu, long gcLogLength, Map<Long, Long> allocatedBytes) {
        static Start of(Program program) throws IOException, InterruptedException {
            // Before the CPU time is read, and after it at the end: the answer costs CPU time.
            Map<Long, Long> allocated = program.isJvm() ? Jcmd.allocatedBytes(program) : Map.of();
            return new Start(program, program.cpu(), program.isJvm() ? GcLog.length(program) : 0, allocated);
        }

        Usage end() throws IOException, InterruptedException {
            CpuTime used = program.cpu().minus(cpu);
            double rssMib = program.rssKib() / KIB_PER_MIB;
            double pssMib = program.pssKib() / KIB_PER_MIB;
            if (!program.isJvm()) {
                return new Usage(program.name(), used, rssMib, pssMib, null, 0);
            }
            GcLog.Stops stops = GcLog.read(program, gcLogLength);
            long allocated = Jcmd.allocatedBytes(allocatedBytes, Jcmd.allocatedBytes(program));
            return new Usage(program.name(), used, rssMib, pssMib, stops, allocated);
        }
    }
}
