package io.dubbomesh.protocol;

/**
 * An exception of the service, or the cause of one, as a problem document tells it.
 *
 * @param message null where it has none
 */
public record Thrown(String className, String message) {}
