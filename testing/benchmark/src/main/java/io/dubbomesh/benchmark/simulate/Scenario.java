package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Policy;

import java.util.List;

/** What is simulated: who calls, what the providers do, and when that changes. */
interface Scenario {
    /** Returns a line that says what is simulated. */
    String description();

    /** Returns the policies that are compared, in the order of the rows. */
    List<Policy> policies();

    /** Runs one policy; the same seed gives the same calls to all policies. */
    List<Phase> run(Policy policy, long seed);
}
