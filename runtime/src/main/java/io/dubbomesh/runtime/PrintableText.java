package io.dubbomesh.runtime;

/**
 * Text from outside, escaped for one line of a log or a terminal: characters that could end the line, move the cursor
 * or reverse the direction of reading become escapes, and a text that is too long is cut.
 */
public final class PrintableText {
    private static final int MAX_LENGTH = 4096;
    private static final int BRIEF_LENGTH = 200;

    private PrintableText() {}

    public static String of(String text) {
        return of(text, MAX_LENGTH);
    }

    /** Returns the first {@value #BRIEF_LENGTH} characters, for a message that quotes a value. */
    public static String brief(String text) {
        return of(text, BRIEF_LENGTH);
    }

    private static String of(String text, int maxLength) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), maxLength));
        append(line, text, maxLength);
        return line.toString();
    }

    public static void append(StringBuilder line, String text) {
        append(line, text, MAX_LENGTH);
    }

    private static void append(StringBuilder line, String text, int maxLength) {
        int end = Math.min(text.length(), maxLength);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                line.append(c);
            } else if (c == '\n') {
                line.append("\\n");
            } else if (c == '\r') {
                line.append("\\r");
            } else if (c == '\t') {
                line.append("\\t");
            } else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
                line.append(c).append(text.charAt(++i));
            } else if (isPrintable(c)) {
                line.append(c);
            } else {
                line.append("\\u").append(String.format("%04x", (int) c));
            }
        }
        if (end < text.length()) {
            line.append("... (").append(text.length() - end).append(" more)");
        }
    }

    private static boolean isPrintable(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
