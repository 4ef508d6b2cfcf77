/** What is counted and how long things take, and the samples that a scrape collects. Knows no format. */
package io.dubbomesh.runtime.metrics;
