package io.dubbomesh.benchmark.simulate.world;

/**
 * What an answer says of the load of a backend.
 *
 * @param calls  in service and waiting, of all agents
 * @param callNs what a call takes
 * @param toldNs when it was told
 */
public record BackendLoad(int calls, long callNs, long toldNs) {}
