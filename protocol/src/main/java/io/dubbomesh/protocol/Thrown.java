package io.dubbomesh.protocol;

/**
 * An exception of the service, or the cause of one, as a problem document has it.
 *
 * @param message    null if it has none
 * @param properties the fields of its own classes, a JSON object; null if it has none
 */
public record Thrown(String className, String message, String properties) {
    /** Makes an exception without fields of its own. */
    public Thrown(String className, String message) {
        this(className, message, null);
    }
}
