package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Tally;

/**
 * A part of a run with its own row, such as a step of the load.
 *
 * @param name       empty if the run has only one
 * @param tally      the calls that were sent in it
 * @param shareError of the endpoint that is furthest from its share by weight, in parts of that share; NaN where shares
 *     are not meant to be by weight
 * @param links      what became of the links of the agents
 */
record Phase(String name, Tally tally, double shareError, Links links) {
    /**
     * The links of all agents.
     *
     * @param mostMoved the largest part of the links that one change of the list of endpoints opened or closed
     */
    record Links(long opened, long closed, double mostMoved) {
        static final Links FIXED = new Links(0, 0, 0);
    }
}
