package io.dubbomesh.benchmark.simulate;

/**
 * What an answer says of the load of a backend.
 *
 * @param calls  in service and waiting, of all agents
 * @param callNs what a call takes
 * @param toldNs when it was told
 */
record BackendLoad(int calls, long callNs, long toldNs) {}
