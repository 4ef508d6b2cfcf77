/** Counters and durations, and the samples that a scrape collects. Knows no format. */
package io.dubbomesh.runtime.metrics;
