package io.dubbomesh.meshctl.document;

import java.util.List;

/** The calls that failed lately at an agent, the latest first. */
public record Failures(List<FailureDocument> failures) {}
