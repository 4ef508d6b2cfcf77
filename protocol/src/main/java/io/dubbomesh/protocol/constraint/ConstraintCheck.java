package io.dubbomesh.protocol.constraint;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Finds the constraint that a value certainly violates. What a validator may see otherwise is left to it: addresses of
 * mailboxes, and patterns that take long.
 */
public final class ConstraintCheck {
    /** The most digits, or zeros, of a bound. */
    public static final int MAX_DIGITS = 1_000;

    private static final int MAX_PATTERNS = 10_000;
    /** The characters that a pattern may look at; patterns of services may take exponential time. */
    private static final int MAX_STEPS = 20_000;

    private static final Map<String, Integer> FLAGS = Map.of(
            "UNIX_LINES", Pattern.UNIX_LINES,
            "CASE_INSENSITIVE", Pattern.CASE_INSENSITIVE,
            "COMMENTS", Pattern.COMMENTS,
            "MULTILINE", Pattern.MULTILINE,
            "DOTALL", Pattern.DOTALL,
            "UNICODE_CASE", Pattern.UNICODE_CASE,
            "CANON_EQ", Pattern.CANON_EQ);
    private static final Map<Constraint.Pattern, Pattern> PATTERNS = new ConcurrentHashMap<>();

    private ConstraintCheck() {}

    /** Returns whether numbers can be compared with this one, and it can be written, at no great cost. */
    public static boolean isBound(BigDecimal value) {
        return value.precision() <= MAX_DIGITS && Math.abs(value.scale()) <= MAX_DIGITS;
    }

    /** Returns the constraint that null violates; null if there is none. */
    public static Constraint ofNull(List<Constraint> constraints) {
        return first(constraints, ConstraintCheck::isPresence);
    }

    private static boolean isPresence(Constraint constraint) {
        return constraint instanceof Constraint.NotNull
                || constraint instanceof Constraint.NotEmpty
                || constraint instanceof Constraint.NotBlank;
    }

    /** Returns the constraint that a text violates; null if there is none. */
    public static Constraint ofText(List<Constraint> constraints, String text) {
        return first(constraints, each -> {
            if (each instanceof Constraint.NotBlank) {
                return text.trim().isEmpty();
            }
            return each instanceof Constraint.Pattern pattern
                    ? !mayMatch(pattern, text)
                    : isSizeViolated(each, text.length(), text.length());
        });
    }

    /**
     * Returns the constraint that the number of elements or entries violates; null if there is none.
     *
     * @param least that are different: a set or a map may become smaller
     */
    public static Constraint ofSize(List<Constraint> constraints, int size, int least) {
        return first(constraints, each -> isSizeViolated(each, size, least));
    }

    private static boolean isSizeViolated(Constraint constraint, int size, int least) {
        if (constraint instanceof Constraint.NotEmpty) {
            return size == 0;
        }
        return constraint instanceof Constraint.Size limits && (size < limits.min() || least > limits.max());
    }

    /** Returns the constraint that a number violates; null if there is none. */
    public static Constraint ofNumber(List<Constraint> constraints, BigDecimal number) {
        return first(constraints, each -> {
            if (each instanceof Constraint.Min min) {
                int order = number.compareTo(min.value());
                return order < 0 || order == 0 && !min.inclusive();
            }
            if (each instanceof Constraint.Max max) {
                int order = number.compareTo(max.value());
                return order > 0 || order == 0 && !max.inclusive();
            }
            return each instanceof Constraint.Digits digits && !hasDigits(number.stripTrailingZeros(), digits);
        });
    }

    private static boolean hasDigits(BigDecimal number, Constraint.Digits limits) {
        return number.precision() - number.scale() <= limits.integer()
                && Math.max(0, number.scale()) <= limits.fraction();
    }

    private static boolean mayMatch(Constraint.Pattern constraint, String text) {
        Pattern pattern = PATTERNS.get(constraint);
        try {
            if (pattern == null) {
                int flags = constraint.flags().stream()
                        .mapToInt(flag -> FLAGS.getOrDefault(flag, 0))
                        .reduce(0, (one, other) -> one | other);
                pattern = Pattern.compile(constraint.regexp(), flags);
                if (PATTERNS.size() < MAX_PATTERNS) {
                    PATTERNS.put(constraint, pattern);
                }
            }
            return pattern.matcher(new BoundedText(text)).matches();
        } catch (PatternSyntaxException | BoundedText.TooManySteps | StackOverflowError e) {
            return true;
        }
    }

    private static Constraint first(List<Constraint> constraints, Predicate<Constraint> isViolated) {
        for (Constraint each : constraints) {
            if (isViolated.test(each)) {
                return each;
            }
        }
        return null;
    }

    /** A text that can be looked at so often only. */
    private static final class BoundedText implements CharSequence {
        private final String text;
        private int steps;

        /** Thrown instead of a character. */
        static final class TooManySteps extends RuntimeException {
            private static final long serialVersionUID = 1;

            TooManySteps() {
                super(null, null, false, false);
            }
        }

        BoundedText(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > MAX_STEPS) {
                throw new TooManySteps();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
