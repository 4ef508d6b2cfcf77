package io.dubbomesh.runtime.metrics;

import java.util.concurrent.TimeoutException;

/** Collects the samples of an agent. Called by any thread, which may wait. */
@FunctionalInterface
public interface MetricSource {
    /** @throws TimeoutException if a part of the agent does not answer; its message says which */
    MetricSamples collect() throws TimeoutException;
}
