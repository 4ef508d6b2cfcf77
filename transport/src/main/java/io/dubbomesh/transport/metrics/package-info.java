/** Counts of the event loops of both agents: calls by method and outcome, links, memory, their own delay. */
package io.dubbomesh.transport.metrics;
