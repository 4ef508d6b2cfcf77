package io.dubbomesh.registry;

/**
 * A rule of Dubbo's that stands in the registry, for operators.
 *
 * @param key     under which it stands there
 * @param inForce whether it is obeyed, or the last good one that stood there
 * @param problem what of it is not obeyed, and why; null if all of it is
 */
public record RuleReport(String key, boolean inForce, String problem) {}
