/** Spans of sampled calls, on their way to a collector of OpenTelemetry. */
package io.dubbomesh.runtime.tracing;
