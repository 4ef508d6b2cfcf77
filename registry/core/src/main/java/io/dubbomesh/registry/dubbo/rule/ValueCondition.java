package io.dubbomesh.registry.dubbo.rule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The demand of a condition rule on one value: {@code method=find*,list*}, {@code host!=192.0.2.7}, {@code
 * attachments[level]=1~5}.
 */
final class ValueCondition {
    private static final String RANGE = "~";
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

    final String name;
    final Values matches = new Values();
    final Values mismatches = new Values();

    /** The values of one side; they are looked at for each provider and each call. */
    static final class Values {
        private final Set<String> plain = new HashSet<>();
        /** The values that stand for others: {@code find*}, {@code 1~5}, {@code $host}. */
        private final List<String> patterns = new ArrayList<>();

        void add(String value) {
            boolean isPattern = value.contains(RANGE) || value.indexOf('*') >= 0 || value.startsWith("$");
            (isPattern ? patterns : plain).add(value);
        }

        boolean isEmpty() {
            return plain.isEmpty() && patterns.isEmpty();
        }

        boolean contains(String value) {
            return plain.contains(value) || patterns.contains(value);
        }

        int size() {
            return plain.size() + patterns.size();
        }

        private boolean isAnyLike(String value, UnaryOperator<String> caller, boolean invalid) {
            if (plain.contains(value)) {
                return true;
            }
            for (String pattern : patterns) {
                if (matches(pattern, value, caller, invalid)) {
                    return true;
                }
            }
            return false;
        }
    }

    ValueCondition(String name) {
        this.name = name;
    }

    /**
     * @param value  null if there is none, which fulfils nothing
     * @param caller what {@code $name} stands for; null where it stands for itself
     * @param invalid what a range means that is malformed
     */
    boolean isFulfilled(String value, UnaryOperator<String> caller, boolean invalid) {
        if (value == null) {
            return false;
        }
        if (mismatches.isAnyLike(value, caller, invalid)) {
            return false;
        }
        return matches.isEmpty() ? !mismatches.isEmpty() : matches.isAnyLike(value, caller, invalid);
    }

    private static boolean matches(String pattern, String value, UnaryOperator<String> caller, boolean invalid) {
        if (pattern.contains(RANGE)) {
            return isInRange(pattern, value, invalid);
        }
        String wanted = caller != null && pattern.startsWith("$") ? caller.apply(pattern.substring(1)) : pattern;
        return wanted != null && isLike(wanted, value);
    }

    /** A text with one star at most. */
    private static boolean isLike(String pattern, String value) {
        int star = pattern.lastIndexOf('*');
        if (pattern.equals("*")) {
            return true;
        }
        if (star < 0 || value.isEmpty()) {
            return value.equals(pattern);
        }
        return value.startsWith(pattern.substring(0, star)) && value.endsWith(pattern.substring(star + 1));
    }

    /** Returns whether a value is in a range {@code 1~5} or {@code ~5}; Dubbo takes {@code 1~} for malformed. */
    private static boolean isInRange(String pattern, String value, boolean invalid) {
        String[] bounds = pattern.split(RANGE);
        if (bounds.length < 2) {
            return invalid;
        }
        int number = number(value);
        return (bounds[0].isEmpty() || number >= number(bounds[0])) && number <= number(bounds[1]);
    }

    /** Returns the number; Dubbo takes for 0 what is no number. */
    private static int number(String text) {
        return NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    }
}
