package io.dubbomesh.transport.metrics;

import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.ProcessMetrics;

import java.util.List;

/** The metrics of every agent. */
public final class AgentMetrics {
    private static final Metric BUILD =
            Metric.info("dubbomesh_build_info", "Which agent runs, and in which version.", "agent", "version");
    private static final Metric LOOPS = Metric.gauge("dubbomesh_event_loops", "Event loops of the agent.");

    private AgentMetrics() {}

    /** Returns the samples of the loops, added up, with those of the process. */
    public static MetricSamples of(String agent, List<MetricSamples> loops) {
        MetricSamples samples = new MetricSamples();
        String version = AgentMetrics.class.getPackage().getImplementationVersion();
        samples.add(BUILD, 1, agent, version == null ? "unknown" : version);
        samples.add(LOOPS, loops.size());
        loops.forEach(samples::addAll);
        LoopMetrics.addShared(samples);
        ProcessMetrics.addTo(samples);
        return samples;
    }
}
