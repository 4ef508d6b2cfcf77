/** Pushes samples to a collector of OpenTelemetry, where that is set. */
package io.dubbomesh.runtime.otlp;
