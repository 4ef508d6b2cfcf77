package io.dubbomesh.protocol.constraint;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The constraints that annotations of {@code javax.validation} and {@code jakarta.validation} declare. Those with
 * groups or a payload are left out, since it depends on the call whether they hold, and those that are not described
 * by {@link Constraint}.
 */
public final class DeclaredConstraints {
    private static final Set<String> PACKAGES = Set.of("javax.validation", "jakarta.validation");
    private static final String CONSTRAINTS = ".constraints";
    private static final int MAX_CONSTRAINTS = 16;
    private static final int MAX_MESSAGE = 200;
    private static final int MAX_REGEXP = 1_000;
    /** A part of a message that stands for a member, or for something that only the validator knows. */
    private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z0-9_.]+)}");

    private DeclaredConstraints() {}

    static boolean isOfValidation(String annotation) {
        String name = annotation.replace('$', '.');
        return PACKAGES.stream().anyMatch(prefix -> name.startsWith(prefix + '.'));
    }

    /** Returns the constraints of a value in the order of its annotations, 16 at most. */
    public static List<Constraint> of(List<Annotation> annotations) {
        List<Constraint> constraints = new ArrayList<>();
        annotations.forEach(each -> add(each, constraints));
        return constraints.size() <= MAX_CONSTRAINTS
                ? List.copyOf(constraints)
                : List.copyOf(constraints.subList(0, MAX_CONSTRAINTS));
    }

    /** Returns whether the annotation asks for the validation of what is in the value. */
    public static boolean isValid(Annotation annotation) {
        return PACKAGES.stream().anyMatch(prefix -> annotation.className().equals(prefix + ".Valid"));
    }

    private static void add(Annotation annotation, List<Constraint> to) {
        if (isValid(annotation)) {
            to.add(new Constraint.Valid());
        } else if (annotation.className().endsWith("$List")) {
            for (Object each : annotation.list("value")) {
                if (each instanceof Annotation repeated) {
                    add(repeated, to);
                }
            }
        } else {
            String name = name(annotation.className());
            boolean isAlways = annotation.list("groups").isEmpty()
                    && annotation.list("payload").isEmpty();
            Constraint constraint = name == null || !isAlways ? null : constraint(name, annotation);
            if (constraint != null) {
                to.add(constraint);
            }
        }
    }

    private static String name(String className) {
        for (String prefix : PACKAGES) {
            String constraints = prefix + CONSTRAINTS + '.';
            if (className.startsWith(constraints)) {
                return className.substring(constraints.length());
            }
        }
        return null;
    }

    /** Returns null for a constraint of another kind, and for one that is malformed. */
    private static Constraint constraint(String name, Annotation of) {
        return switch (name) {
            case "NotNull" -> new Constraint.NotNull(message(of, "must not be null"));
            case "NotEmpty" -> new Constraint.NotEmpty(message(of, "must not be empty"));
            case "NotBlank" -> new Constraint.NotBlank(message(of, "must not be blank"));
            case "Size" -> {
                int min = limit(of, "min", 0);
                int max = limit(of, "max", Integer.MAX_VALUE);
                yield new Constraint.Size(min, max, message(of, "size must be between " + min + " and " + max));
            }
            case "Min", "DecimalMin" -> min(of, bound(of), isInclusive(of));
            case "Max", "DecimalMax" -> max(of, bound(of), isInclusive(of));
            case "Positive" -> min(of, BigDecimal.ZERO, false);
            case "PositiveOrZero" -> min(of, BigDecimal.ZERO, true);
            case "Negative" -> max(of, BigDecimal.ZERO, false);
            case "NegativeOrZero" -> max(of, BigDecimal.ZERO, true);
            case "Digits" -> {
                int integer = limit(of, "integer", 0);
                int fraction = limit(of, "fraction", 0);
                String usual =
                        "numeric value out of bounds (<" + integer + " digits>.<" + fraction + " digits> expected)";
                yield new Constraint.Digits(integer, fraction, message(of, usual));
            }
            case "Pattern" -> pattern(of);
            case "Email" -> new Constraint.Email(message(of, "must be a well-formed email address"));
            default -> null;
        };
    }

    private static int limit(Annotation of, String member, int otherwise) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, of.number(member, otherwise)));
    }

    private static boolean isInclusive(Annotation of) {
        return of.number("inclusive", 1) != 0;
    }

    /** Returns null if it is no number, or one of very many digits. */
    private static BigDecimal bound(Annotation of) {
        String text = of.text("value");
        try {
            BigDecimal value = text == null ? BigDecimal.valueOf(of.number("value", 0)) : new BigDecimal(text);
            return ConstraintCheck.isBound(value) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Constraint min(Annotation of, BigDecimal value, boolean inclusive) {
        String usual = "must be greater than " + (inclusive ? "or equal to " : "")
                + of.members().getOrDefault("value", value);
        return value == null ? null : new Constraint.Min(value, inclusive, message(of, usual));
    }

    private static Constraint max(Annotation of, BigDecimal value, boolean inclusive) {
        String usual = "must be less than " + (inclusive ? "or equal to " : "")
                + of.members().getOrDefault("value", value);
        return value == null ? null : new Constraint.Max(value, inclusive, message(of, usual));
    }

    private static Constraint pattern(Annotation of) {
        String regexp = of.text("regexp");
        if (regexp == null || regexp.length() > MAX_REGEXP) {
            return null;
        }
        List<String> flags =
                of.list("flags").stream().map(String::valueOf).sorted().toList();
        return new Constraint.Pattern(regexp, flags, message(of, "must match \"" + regexp + '"'));
    }

    /** Returns the annotation's message with its members in it; the usual one if it states none or refers to others. */
    private static String message(Annotation of, String usual) {
        String template = of.text("message");
        String stated = template == null ? null : interpolated(template, of);
        String message = stated == null ? usual : stated;
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE) + "...";
    }

    /** Returns null if the template has a place for what is no member of the annotation. */
    private static String interpolated(String template, Annotation of) {
        Matcher places = PLACE.matcher(template);
        StringBuilder message = new StringBuilder();
        while (places.find()) {
            Object member = of.members().get(places.group(1));
            boolean isExpression = places.start() > 0 && template.charAt(places.start() - 1) == '$';
            if (isExpression || !(member instanceof String || member instanceof Long)) {
                return null;
            }
            places.appendReplacement(message, Matcher.quoteReplacement(member.toString()));
        }
        return places.appendTail(message).toString();
    }
}
