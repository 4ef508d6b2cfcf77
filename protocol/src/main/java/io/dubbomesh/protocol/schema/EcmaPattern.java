package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.constraint.Constraint;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The regular expression of ECMA-262, as JSON Schema has it, that means the same as one of Java: for those of literals,
 * classes of characters, groups and repetitions, which are most. What the two understand differently is left out.
 */
final class EcmaPattern {
    /** What a backslash may stand before, other than letters and digits, to mean that character. */
    private static final String SYNTAX = "^$\\.*+?()[]{}|/";

    private static final String DIGITS = "0-9";
    private static final String WORD = "A-Za-z0-9_";
    private static final String SPACE = " \\t\\n\\u000b\\f\\r";
    private static final String NO_LINE_END = "[^\\n\\r\\u0085\\u2028\\u2029]";

    /** Thrown at a part that is not translated. */
    private static final class OtherMeaningException extends Exception {
        private static final long serialVersionUID = 1;

        OtherMeaningException() {
            super(null, null, false, false);
        }
    }

    private final String java;
    private final StringBuilder ecma = new StringBuilder();
    private int at;
    private int depth;

    private EcmaPattern(String java) {
        this.java = java;
    }

    /** Returns the expression that matches the texts of which the constraint's matches all; null if there is none. */
    static String ofWhole(Constraint.Pattern constraint) {
        if (!constraint.flags().isEmpty()) {
            return null;
        }
        try {
            Pattern.compile(constraint.regexp());
            return "^(?:" + new EcmaPattern(constraint.regexp()).translate() + ")$";
        } catch (PatternSyntaxException | OtherMeaningException e) {
            return null;
        }
    }

    private String translate() throws OtherMeaningException {
        while (at < java.length()) {
            char c = java.charAt(at++);
            switch (c) {
                case '\\' -> escape(false);
                case '[' -> characterClass();
                case '(' -> group();
                case ')' -> {
                    depth--;
                    ecma.append(c);
                }
                case '.' -> ecma.append(NO_LINE_END);
                case '*', '+', '?' -> repetition(c);
                case '{' -> count();
                case '$' -> end();
                case '}', ']' -> ecma.append('\\').append(c);
                default -> ecma.append(c);
            }
        }
        return ecma.toString();
    }

    /** The end of a line is also before the last line's end in Java, which matters only if more follows. */
    private void end() throws OtherMeaningException {
        if (at < java.length() && (depth > 0 || java.charAt(at) != '|')) {
            throw new OtherMeaningException();
        }
        ecma.append('$');
    }

    private void group() throws OtherMeaningException {
        depth++;
        ecma.append('(');
        if (next('?')) {
            if (!next(':')) {
                throw new OtherMeaningException();
            }
            ecma.append("?:");
        }
    }

    private void repetition(char c) throws OtherMeaningException {
        ecma.append(c);
        if (at < java.length() && java.charAt(at) == '+') {
            throw new OtherMeaningException();
        }
        if (next('?')) {
            ecma.append('?');
        }
    }

    private void count() throws OtherMeaningException {
        int close = java.indexOf('}', at);
        String count = close < 0 ? "" : java.substring(at, close);
        if (!count.matches("[0-9]{1,5}(,[0-9]{0,5})?")) {
            throw new OtherMeaningException();
        }
        ecma.append('{').append(count);
        at = close + 1;
        repetition('}');
    }

    private void characterClass() throws OtherMeaningException {
        ecma.append('[');
        if (next('^')) {
            ecma.append('^');
        }
        boolean isFirst = true;
        while (at < java.length()) {
            char c = java.charAt(at++);
            if (c == ']' && !isFirst) {
                ecma.append(c);
                return;
            }
            if (c == '\\') {
                escape(true);
            } else if (c == '[' || c == ']' || c == '&' || c == '^') {
                throw new OtherMeaningException();
            } else {
                hyphenOrOther(c, isFirst);
            }
            isFirst = false;
        }
        throw new OtherMeaningException();
    }

    /** A hyphen stands for itself at the ends of a class; behind a class in it, it means different things. */
    private void hyphenOrOther(char c, boolean isFirst) throws OtherMeaningException {
        if (c != '-') {
            ecma.append(c);
            return;
        }
        boolean isAtEnd = isFirst || at < java.length() && java.charAt(at) == ']';
        boolean isBehindEscape = at > 2 && java.charAt(at - 3) == '\\';
        if (!isAtEnd && (isBehindEscape || java.charAt(at) == '\\')) {
            throw new OtherMeaningException();
        }
        ecma.append(isAtEnd ? "\\-" : "-");
    }

    private void escape(boolean inClass) throws OtherMeaningException {
        if (at == java.length()) {
            throw new OtherMeaningException();
        }
        char c = java.charAt(at++);
        switch (c) {
            case 'd' -> ecma.append(inClass ? DIGITS : '[' + DIGITS + ']');
            case 'w' -> ecma.append(inClass ? WORD : '[' + WORD + ']');
            case 's' -> ecma.append(inClass ? SPACE : '[' + SPACE + ']');
            case 'D', 'W', 'S' -> {
                if (inClass) {
                    throw new OtherMeaningException();
                }
                ecma.append("[^")
                        .append(c == 'D' ? DIGITS : c == 'W' ? WORD : SPACE)
                        .append(']');
            }
            case 't', 'n', 'r', 'f' -> ecma.append('\\').append(c);
            case '-' -> ecma.append(inClass ? "\\-" : "-");
            default -> {
                boolean isLetter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
                if (isLetter || c > '~') {
                    throw new OtherMeaningException();
                }
                ecma.append(SYNTAX.indexOf(c) >= 0 ? "\\" : "").append(c);
            }
        }
    }

    private boolean next(char c) {
        boolean isNext = at < java.length() && java.charAt(at) == c;
        at += isNext ? 1 : 0;
        return isNext;
    }
}
