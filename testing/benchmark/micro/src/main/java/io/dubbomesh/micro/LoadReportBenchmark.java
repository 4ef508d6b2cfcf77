package io.dubbomesh.micro;

import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.ReportedLoad;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** Measures what the report of a provider's load costs both agents for each answer: to write it, and to read it. */
public class LoadReportBenchmark extends Microbenchmark {
    private static final long CALL_NS = 50_000_000;
    private static final int MOST_CALLS = 256;

    private final ByteBuf frame = Unpooled.directBuffer(MeshHeader.LENGTH);
    private int call;

    @Setup
    public void setUp() {
        frame.writeZero(MeshHeader.LENGTH);
        requireEqual(report() > CALL_NS / 2, true);
    }

    /** An answer whose load is another one than that of the last. */
    @Benchmark
    public long report() {
        call = (call + 1) % MOST_CALLS;
        ReportedLoad.write(frame, 0, call, call / 2, CALL_NS + call);
        int calls = MeshHeader.reportedCalls(frame, 0);
        int time = MeshHeader.reportedTime(frame, 0);
        return ReportedLoad.inService(calls) + ReportedLoad.waiting(calls) + ReportedLoad.timeNs(time);
    }
}
