package io.dubbomesh.meshctl.document;

/** How many calls an agent that drains has in flight. */
public record DrainState(long callsInFlight) {}
