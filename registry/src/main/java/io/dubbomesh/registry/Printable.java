package io.dubbomesh.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Foreign text as it may appear in a log line: short, and unable to look like another line. */
final class Printable {
    private static final int MAX_LENGTH = 200;

    private Printable() {}

    static String text(String foreign) {
        int length = Math.min(foreign.length(), MAX_LENGTH);
        StringBuilder text = new StringBuilder(length + 16);
        for (int i = 0; i < length; i++) {
            char c = foreign.charAt(i);
            boolean plain = c >= ' ' && c < 0x7f || Character.isLetterOrDigit(c);
            text.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return foreign.length() <= MAX_LENGTH
                ? text.toString()
                : text.append("...").toString();
    }

    /** As {@link #text}, of the beginning of a value. */
    static String value(byte[] foreign) {
        return text(new String(foreign, 0, Math.min(foreign.length, 4 * MAX_LENGTH), UTF_8));
    }
}
