package io.dubbomesh.meshctl.document;

/** The number of calls that an agent that drains has in flight. */
public record DrainState(long callsInFlight) {}
