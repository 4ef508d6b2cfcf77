package io.dubbomesh.micro;

import io.dubbomesh.consumer.accesslog.AccessLog;
import io.dubbomesh.consumer.accesslog.AccessLogSettings;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecords;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Measures the time that the access log takes of an event loop for each request: of a hundredth of them, of all where
 * only failures are logged, and of all.
 */
public class AccessLogBenchmark extends Microbenchmark {
    @Param({"hundredth", "failures", "all"})
    private String logged;

    private final InetSocketAddress client = InetSocketAddress.createUnresolved("192.0.2.1", 50_000);
    private final MethodName method = new MethodName("com.example.Shop", "order", "", "", "");
    private final ByteBuf target = Unpooled.copiedBuffer("/com.example.Shop/order", US_ASCII);
    private final ByteBuf attachments = Unpooled.buffer();
    private final CallTiming timing = new CallTiming();

    private AccessLog log;
    private CallRecords records;

    @Setup
    public void setUp() throws IOException {
        boolean failures = logged.equals("failures");
        double sample = logged.equals("hundredth") ? 0.01 : 1;
        log = AccessLog.start(new AccessLogSettings(true, Path.of("/dev/null"), sample, failures, 0, 4096));
        records = new CallRecords(List.of(log.newLoop()));
        CallTiming told = new CallTiming("192.0.2.7:20880").set(0, 50_123_456);
        attachments.writeZero(told.length()).writeShort(0);
        told.insert(attachments, 0);
    }

    @TearDown
    public void tearDown() {
        log.close();
    }

    /** With the reading of the clock. */
    @Benchmark
    public CallRecord request() {
        CallRecord record = records.begin(null, false);
        if (record == null) {
            return null;
        }
        long nowNs = System.nanoTime();
        record.request().received(client, 14, nowNs);
        record.request().parsed("POST", target);
        record.call().dispatched(method, nowNs);
        record.call().sent("192.0.2.7:30000", "mesh", 1, nowNs);
        record.call().arrived(nowNs);
        if (timing.read(attachments, Short.BYTES, attachments.writerIndex() - Short.BYTES)) {
            record.call().timed(timing);
        }
        record.answer().written(Outcome.OK, 200, 5, nowNs);
        records.end(record);
        return record;
    }
}
