package io.dubbomesh.protocol;

/**
 * A constraint that an argument violates, as a problem document has it.
 *
 * @param field the path of the value within the arguments, as the provider names it
 */
public record Violation(String field, String message) {
    private static final String BETWEEN = ": ";

    /** Returns the violation that the detail of a refusal states: the path of the value, then the message. */
    public static Violation ofDetail(String detail) {
        int end = detail.indexOf(BETWEEN);
        return end < 0
                ? new Violation("", detail)
                : new Violation(detail.substring(0, end), detail.substring(end + BETWEEN.length()));
    }
}
