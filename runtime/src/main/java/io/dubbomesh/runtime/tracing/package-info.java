/**
 * Spans of sampled calls, on their way to a collector of OpenTelemetry. Only {@code SpanExport} and {@code ExportedSpan} use its SDK, so nothing of
 * it is loaded unless tracing is on.
 */
package io.dubbomesh.runtime.tracing;
