package io.dubbomesh.micro;

import io.dubbomesh.protocol.CallException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

import java.io.IOException;

/** What a call costs between the two formats: the request's frame is encoded, and the response's decoded. */
public class DubboCallBenchmark extends Microbenchmark {
    @Param({"2.6", "3.3"})
    public String provider;

    private final DubboRequestBenchmark request = new DubboRequestBenchmark();
    private final DubboResponseBenchmark response = new DubboResponseBenchmark();

    @Setup
    public void setUp() throws CallException, IOException {
        request.setUp();
        response.provider = provider;
        response.setUp();
    }

    @TearDown
    public void tearDown() {
        request.tearDown();
        response.tearDown();
    }

    @Benchmark
    public void agent(Blackhole results) throws CallException {
        results.consume(request.agent());
        results.consume(response.agent());
    }

    @Benchmark
    public void hessianLite(Blackhole results) throws IOException {
        results.consume(request.hessianLite());
        results.consume(response.hessianLite());
    }
}
