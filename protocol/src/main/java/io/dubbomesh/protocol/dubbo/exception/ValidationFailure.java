package io.dubbomesh.protocol.dubbo.exception;

import io.dubbomesh.protocol.Violation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of Dubbo's filter {@code validation} to a call whose arguments violate constraints; the method was not
 * executed. Dubbo 2.5, 2.6 and 3.2 on answer with the exception of the validator, 2.7 to 3.1 with a ValidationException
 * of the same message. Where the exception cannot be sent, the error of status 50 contains it as text.
 *
 * @param violations ordered by field; empty if the validator is not Hibernate's, whose text is known
 * @param text       the validator's own description
 */
public record ValidationFailure(List<Violation> violations, String text) {
    private static final int MAX_VIOLATIONS = 64;
    private static final String BEGIN = "Failed to validate service: ";
    /**
     * ExceptionFilter replaces exceptions of other packages than {@code javax} by a RuntimeException with their text.
     */
    private static final Pattern EXCEPTION = Pattern.compile(
            "(?:java\\.lang\\.RuntimeException: )?(?:javax|jakarta)\\.validation\\.(?:ConstraintViolation|Validation)Exception: "
                    + BEGIN + "\\S+, method: (\\S+), cause: (.*)",
            Pattern.DOTALL);

    private static final Pattern UNSENT = Pattern.compile("exception=(?=(?:javax|jakarta)\\.validation\\.)");
    /** A violation: this, its message, its path, and the class that it was found in. */
    private static final String VIOLATION = "ConstraintViolationImpl{interpolatedMessage='";

    private static final String PATH = "', propertyPath=";
    private static final String CLASS = ", rootBeanClass=";

    /** Returns the failure that this exception stands for, or null if it is another one. */
    public static ValidationFailure ofException(String className, String message) {
        return message == null || !message.contains(BEGIN) ? null : of(className + ": " + message);
    }

    /**
     * Returns the failure of which the error of status 50 tells that the exception could not be sent, or null if it is
     * another one.
     */
    public static ValidationFailure ofUnsentException(String error) {
        Matcher unsent = UNSENT.matcher(error);
        return unsent.find() ? of(error.substring(unsent.end())) : null;
    }

    private static ValidationFailure of(String exception) {
        Matcher parts = EXCEPTION.matcher(exception);
        if (!parts.matches()) {
            return null;
        }
        Pattern unnamed = Pattern.compile(
                "(?:" + Pattern.quote(parts.group(1)) + "Argument|arg)(\\d+)([.\\[].*)?", Pattern.DOTALL);
        List<Violation> violations = violations(parts.group(2), unnamed);
        // The validator has a set of them, in no order.
        violations.sort(Comparator.comparing(Violation::field).thenComparing(Violation::message));
        return new ValidationFailure(violations, parts.group(2));
    }

    /** Not by a pattern, which would look for the end of each beginning in all of the text. */
    private static List<Violation> violations(String text, Pattern unnamed) {
        List<Violation> violations = new ArrayList<>();
        int end = 0;
        while (violations.size() < MAX_VIOLATIONS) {
            int begin = text.indexOf(VIOLATION, end);
            int path = begin < 0 ? -1 : text.indexOf(PATH, begin + VIOLATION.length());
            end = path < 0 ? -1 : text.indexOf(CLASS, path + PATH.length());
            if (end < 0) {
                break;
            }
            String message = text.substring(begin + VIOLATION.length(), path);
            violations.add(new Violation(path(text.substring(path + PATH.length(), end), unnamed), message));
        }
        return violations;
    }

    /**
     * Returns the path of a property. Without the names of parameters in the class files, Dubbo calls the first
     * argument of add {@code addArgument0}, and from 3.2 on {@code arg0} as the JVM does.
     */
    private static String path(String property, Pattern unnamed) {
        Matcher argument = unnamed.matcher(property);
        return argument.matches()
                ? "args[" + argument.group(1) + ']' + Objects.requireNonNullElse(argument.group(2), "")
                : property;
    }

    /** Returns all of it in a line. */
    public String detail() {
        if (violations.isEmpty()) {
            return text;
        }
        StringBuilder detail = new StringBuilder();
        for (Violation violation : violations) {
            detail.append(detail.length() == 0 ? "" : "; ")
                    .append(violation.field())
                    .append(": ")
                    .append(violation.message());
        }
        return detail.toString();
    }
}
