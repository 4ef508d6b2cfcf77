package io.dubbomesh.benchmark.ledger;

/**
 * Parameters that carry the number of their call, and Java's hash of each, by which answers and providers name the
 * call.
 * <pre>
 * text = padding, then six letters A to Z: the number in base 26
 * hash = String.hashCode(): that of the padding times 31^6, plus the sum of letter * 31^place
 * </pre>
 * Every digit is less than 31, and 31^6 is less than 2^32. So no two numbers have the same hash, and the number can be
 * read from it.
 */
public final class NumberedText {
    /** The count of numbers; the first is 0. */
    public static final int COUNT = 26 * 26 * 26 * 26 * 26 * 26;

    public static final int MIN_LENGTH = 6;

    private static final int BASE = 26;
    private static final int MULTIPLIER = 31;

    private final String padding;
    private final int hashOfZero;

    /** @param length of every text, at least {@link #MIN_LENGTH} */
    public NumberedText(int length) {
        padding = "a".repeat(length - MIN_LENGTH);
        hashOfZero = text(0).hashCode();
    }

    public String text(int number) {
        char[] letters = new char[MIN_LENGTH];
        int rest = number;
        for (int i = MIN_LENGTH - 1; i >= 0; i--) {
            letters[i] = (char) ('A' + rest % BASE);
            rest /= BASE;
        }
        return padding + new String(letters);
    }

    public int hash(int number) {
        int hash = 0;
        int weight = 1;
        for (int rest = number; rest > 0; rest /= BASE) {
            hash += rest % BASE * weight;
            weight *= MULTIPLIER;
        }
        return hashOfZero + hash;
    }

    /** The number of the text with this hash, or -1 if there is none. */
    public int number(int hash) {
        long rest = Integer.toUnsignedLong(hash - hashOfZero);
        int number = 0;
        int weight = 1;
        for (int i = 0; i < MIN_LENGTH; i++) {
            int digit = (int) (rest % MULTIPLIER);
            if (digit >= BASE) {
                return -1;
            }
            number += digit * weight;
            weight *= BASE;
            rest /= MULTIPLIER;
        }
        return rest == 0 ? number : -1;
    }
}
