package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.constraint.ConstraintCheck;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** What the constraints of a parameter or a field say of its values, in the terms of JSON Schema. Immutable. */
final class ValueLimits {
    static final ValueLimits NONE = new ValueLimits(List.of());
    /** The digits of a number before its fraction that every reader of a schema can hold: a double has up to 309. */
    private static final int MOST_DIGITS = 300;

    private static final String NOT_BLANK = "[^\\u0000-\\u0020]";

    private final List<Constraint> constraints;

    private ValueLimits(List<Constraint> constraints) {
        this.constraints = constraints;
    }

    static ValueLimits of(List<Constraint> constraints) {
        return constraints.isEmpty() ? NONE : new ValueLimits(constraints);
    }

    private static boolean isReadable(BigDecimal bound) {
        return bound.precision() - (long) bound.scale() <= MOST_DIGITS;
    }

    private static boolean isReadable(Constraint.Digits digits) {
        return digits.integer() < MOST_DIGITS;
    }

    /** Returns whether the value may be null. */
    boolean allowsNull() {
        return ConstraintCheck.ofNull(constraints) == null;
    }

    /** Returns whether a number that is zero keeps to them. */
    boolean allowsZero() {
        return ConstraintCheck.ofNumber(constraints, BigDecimal.ZERO) == null;
    }

    boolean areFieldsValidated() {
        return constraints.stream().anyMatch(Constraint.Valid.class::isInstance);
    }

    /** Returns the limits of the elements of a list, or the values of a map. */
    ValueLimits ofElements() {
        return of(Constraint.ofElements(constraints));
    }

    // --- sizes ---

    /** Returns the least number of characters, elements or entries. */
    int minSize() {
        int min = 0;
        for (Constraint each : constraints) {
            if (each instanceof Constraint.Size size) {
                min = Math.max(min, size.min());
            } else if (each instanceof Constraint.NotEmpty) {
                min = Math.max(min, 1);
            }
        }
        return min;
    }

    int maxSize() {
        int max = Integer.MAX_VALUE;
        for (Constraint each : constraints) {
            if (each instanceof Constraint.Size size) {
                max = Math.min(max, size.max());
            }
        }
        return max;
    }

    // --- texts ---

    /** Returns what a schema says of a text, as JSON without braces; empty for nothing. */
    String membersOfText() {
        List<String> members = new ArrayList<>();
        if (minSize() > 0) {
            members.add("\"minLength\":" + minSize());
        }
        if (maxSize() < Integer.MAX_VALUE) {
            members.add("\"maxLength\":" + maxSize());
        }
        List<String> patterns = patterns();
        if (patterns.size() == 1) {
            members.add(patterns.get(0));
        } else if (patterns.size() > 1) {
            members.add("\"allOf\":[{" + String.join("},{", patterns) + "}]");
        }
        return String.join(",", members);
    }

    private List<String> patterns() {
        List<String> patterns = new ArrayList<>();
        for (Constraint each : constraints) {
            String pattern = null;
            if (each instanceof Constraint.NotBlank) {
                pattern = NOT_BLANK;
            } else if (each instanceof Constraint.Pattern java) {
                pattern = EcmaPattern.ofWhole(java);
            }
            if (pattern != null) {
                patterns.add(SchemaText.pattern(pattern));
            }
        }
        return patterns;
    }

    // --- numbers ---

    /** Returns whether a number has a bound. */
    boolean areOfNumber() {
        return constraints.stream()
                .anyMatch(each -> each instanceof Constraint.Min
                        || each instanceof Constraint.Max
                        || each instanceof Constraint.Digits);
    }

    /** Returns the least whole number that is allowed, and not less than this one. */
    BigInteger least(BigInteger ofType) {
        BigInteger least = ofType;
        for (Constraint each : constraints) {
            if (each instanceof Constraint.Min min && isReadable(min.value())) {
                BigInteger whole = min.value().setScale(0, RoundingMode.CEILING).toBigInteger();
                boolean isItself = min.value().compareTo(new BigDecimal(whole)) == 0;
                least = least.max(isItself && !min.inclusive() ? whole.add(BigInteger.ONE) : whole);
            } else if (each instanceof Constraint.Digits digits) {
                least = isReadable(digits) ? least.max(mostOf(digits).negate()) : least;
            }
        }
        return least;
    }

    BigInteger greatest(BigInteger ofType) {
        BigInteger greatest = ofType;
        for (Constraint each : constraints) {
            if (each instanceof Constraint.Max max && isReadable(max.value())) {
                BigInteger whole = max.value().setScale(0, RoundingMode.FLOOR).toBigInteger();
                boolean isItself = max.value().compareTo(new BigDecimal(whole)) == 0;
                greatest = greatest.min(isItself && !max.inclusive() ? whole.subtract(BigInteger.ONE) : whole);
            } else if (each instanceof Constraint.Digits digits) {
                greatest = isReadable(digits) ? greatest.min(mostOf(digits)) : greatest;
            }
        }
        return greatest;
    }

    private static BigInteger mostOf(Constraint.Digits digits) {
        return BigInteger.TEN.pow(digits.integer()).subtract(BigInteger.ONE);
    }

    /**
     * Returns what a schema says of a number that may have a fraction, as JSON without braces; empty for nothing.
     *
     * @param most of its type, which is the bound on both sides where no constraint has a closer one; null for none
     */
    String membersOfNumber(BigDecimal most) {
        Constraint.Min least = most == null ? null : new Constraint.Min(most.negate(), true, "");
        Constraint.Max greatest = most == null ? null : new Constraint.Max(most, true, "");
        boolean isWhole = false;
        for (Constraint each : constraints) {
            if (each instanceof Constraint.Min min && isReadable(min.value())) {
                least = closer(least, min);
            } else if (each instanceof Constraint.Max max && isReadable(max.value())) {
                greatest = closer(greatest, max);
            } else if (each instanceof Constraint.Digits digits) {
                if (isReadable(digits)) {
                    BigDecimal bound = new BigDecimal(mostOf(digits).add(BigInteger.ONE));
                    least = closer(least, new Constraint.Min(bound.negate(), false, ""));
                    greatest = closer(greatest, new Constraint.Max(bound, false, ""));
                }
                isWhole |= digits.fraction() == 0;
            }
        }
        List<String> members = new ArrayList<>();
        if (least != null) {
            members.add((least.inclusive() ? "\"minimum\":" : "\"exclusiveMinimum\":") + number(least.value()));
        }
        if (greatest != null) {
            members.add((greatest.inclusive() ? "\"maximum\":" : "\"exclusiveMaximum\":") + number(greatest.value()));
        }
        if (isWhole) {
            members.add("\"multipleOf\":1");
        }
        return String.join(",", members);
    }

    private static Constraint.Min closer(Constraint.Min one, Constraint.Min other) {
        int order = one == null ? -1 : one.value().compareTo(other.value());
        return order < 0 || order == 0 && one.inclusive() ? other : one;
    }

    private static Constraint.Max closer(Constraint.Max one, Constraint.Max other) {
        int order = one == null ? 1 : one.value().compareTo(other.value());
        return order > 0 || order == 0 && one.inclusive() ? other : one;
    }

    private static String number(BigDecimal value) {
        return value.toString().replace('E', 'e').replace("e+", "e");
    }
}
