package io.dubbomesh.runtime.metrics;

import io.dubbomesh.testsupport.equality.RecordEquality;
import org.junit.jupiter.api.Test;

class MetricTest {
    @Test
    void everyComponentCountsInAComparison() throws Exception {
        RecordEquality.check(Metric.counter("dubbomesh_calls_total", "Calls.", "service", "method"));
    }
}
