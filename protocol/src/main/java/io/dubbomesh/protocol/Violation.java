package io.dubbomesh.protocol;

/**
 * A constraint that an argument violates, as a problem document has it.
 *
 * @param field the path of the value within the arguments, as the provider names it
 */
public record Violation(String field, String message) {}
