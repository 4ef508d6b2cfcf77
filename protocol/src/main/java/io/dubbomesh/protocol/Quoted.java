package io.dubbomesh.protocol;

/** Values within messages: in quotes, cut to a maximum length, control characters replaced. */
public final class Quoted {
    private static final int MAX_CHARS = 64;

    private Quoted() {}

    public static String text(CharSequence value) {
        return '"' + plain(value, MAX_CHARS) + '"';
    }

    /** Returns the value without quotes. */
    public static String plain(CharSequence value, int maxChars) {
        int length = Math.min(value.length(), maxChars);
        if (length > 0 && length < value.length() && Character.isHighSurrogate(value.charAt(length - 1))) {
            length--;
        }
        StringBuilder text = new StringBuilder(length + 3);
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            text.append(Character.isISOControl(c) ? '?' : c);
        }
        return value.length() > maxChars ? text.append("...").toString() : text.toString();
    }
}
