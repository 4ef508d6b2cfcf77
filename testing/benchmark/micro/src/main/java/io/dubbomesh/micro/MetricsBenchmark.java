package io.dubbomesh.micro;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.MethodMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.embedded.EmbeddedChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

import java.util.Random;

/**
 * Measures what a call adds to the numbers of its method, and what a scrape of 256 methods takes from an event loop.
 */
public class MetricsBenchmark extends Microbenchmark {
    private static final int DURATIONS = 1 << 12;
    private static final int METHODS = 256;

    private final CallMetrics calls =
            new CallMetrics(CallMetricNames.CONSUMER, METHODS, new Turn(new EmbeddedChannel().eventLoop()));
    private final MethodMetrics method = calls.of("a.B", "m0");
    private final long[] durationsNs = new long[DURATIONS];
    private final long startNs = System.nanoTime();
    private int next;

    @Setup
    public void setUp() {
        Random random = new Random(1);
        for (int i = 0; i < DURATIONS; i++) {
            durationsNs[i] = (long) (1e6 * Math.exp(random.nextGaussian()));
        }
        for (int i = 0; i < METHODS; i++) {
            calls.of("a.B", "m" + i).answered(Outcome.OK, durationsNs[i]);
        }
    }

    /** With its part in the reading of the clock, of a turn that never ends. */
    @Benchmark
    public void count() {
        long durationNs = durationsNs[next++ & DURATIONS - 1];
        method.servedInTurn(Outcome.OK, startNs - durationNs, startNs - durationNs, startNs);
    }

    @Benchmark
    public MetricSamples samples() {
        MetricSamples samples = new MetricSamples();
        calls.addTo(samples);
        return samples;
    }
}
