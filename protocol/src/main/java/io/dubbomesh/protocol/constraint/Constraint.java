package io.dubbomesh.protocol.constraint;

import java.math.BigDecimal;
import java.util.List;

/**
 * A constraint of Bean Validation on a parameter or a field, without groups and payload: it holds for every call. All
 * but the first three allow null. Each has the message of its annotation with the limits in it, else the usual one.
 */
public sealed interface Constraint {
    /** Returns the annotation's name without its package. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Returns what the client is told of a value that violates it. */
    String message();

    record NotNull(String message) implements Constraint {}

    /** The value has an element, an entry or a character. */
    record NotEmpty(String message) implements Constraint {}

    /** The text has a character that is no blank. */
    record NotBlank(String message) implements Constraint {}

    /** The number of characters, elements or entries is within these limits. */
    record Size(int min, int max, String message) implements Constraint {}

    /**
     * The least number, also of {@code @DecimalMin}, {@code @Positive} and {@code @PositiveOrZero}.
     *
     * @param inclusive whether the value may be this number
     */
    record Min(BigDecimal value, boolean inclusive, String message) implements Constraint {}

    /** The largest number, likewise. */
    record Max(BigDecimal value, boolean inclusive, String message) implements Constraint {}

    /** The number has at most so many digits before and behind the point. */
    record Digits(int integer, int fraction, String message) implements Constraint {}

    /**
     * All of the text matches.
     *
     * @param flags of {@link java.util.regex.Pattern}, by the names that the annotation has for them
     */
    record Pattern(String regexp, List<String> flags, String message) implements Constraint {
        public Pattern {
            flags = List.copyOf(flags);
        }
    }

    /** The text is the address of a mailbox. */
    record Email(String message) implements Constraint {}

    /** Each element of the list or array, or each value of the map, keeps to these. */
    record Elements(List<Constraint> constraints) implements Constraint {
        public Elements {
            constraints = List.copyOf(constraints);
        }

        @Override
        public String message() {
            return "";
        }
    }

    /** Returns what these constraints say of the elements of a value. */
    static List<Constraint> ofElements(List<Constraint> constraints) {
        for (Constraint each : constraints) {
            if (each instanceof Elements elements) {
                return elements.constraints;
            }
        }
        return List.of();
    }

    /** The fields of the value, or of its elements, are validated too. */
    record Valid() implements Constraint {
        @Override
        public String message() {
            return "";
        }
    }
}
