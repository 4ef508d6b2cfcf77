package io.dubbomesh.runtime.process;

/** A running agent. */
@FunctionalInterface
public interface Agent {
    /**
     * Drains the agent and closes it: the agent takes no new calls, finishes those in flight within the grace, and
     * closes everything. Called once, on a thread of its own; may block. A process in which it has not returned one
     * second after the grace is ended by force.
     */
    void stop(long graceNanos) throws Exception;
}
