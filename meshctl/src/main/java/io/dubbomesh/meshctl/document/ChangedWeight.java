package io.dubbomesh.meshctl.document;

/** The answer to a change of an endpoint's weight. */
public record ChangedWeight(long weight, long previousWeight) {}
