package io.dubbomesh.benchmark.simulate.world;

/** How a provider spends the time of calls. */
public interface Service {
    /** Begins to work on a call, and runs {@code done} when it is executed. */
    void begin(Runnable done);

    /** Ends the work on all calls: {@code done} is never run for them. */
    void kill();
}
