package io.dubbomesh.protocol;

/**
 * An exception of the service, or the cause of one, as a problem document has it.
 *
 * @param message null if it has none
 */
public record Thrown(String className, String message) {}
