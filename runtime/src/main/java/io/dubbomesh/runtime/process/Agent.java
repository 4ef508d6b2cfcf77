package io.dubbomesh.runtime.process;

/** A running agent, as its process sees it. */
@FunctionalInterface
public interface Agent {
    /**
     * Ends the agent in good order: takes itself out of service, finishes what is in flight as far as the grace allows, closes
     * everything. Called once, on a thread of its own, and may block; returns when all is closed, at the latest shortly after
     * the grace, since a process that is not done a second later is ended by force.
     */
    void stop(long graceNanos) throws Exception;
}
