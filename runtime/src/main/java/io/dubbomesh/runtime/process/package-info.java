/** A process with one agent: start, signals, exit codes. Uses settings and logging. */
package io.dubbomesh.runtime.process;
