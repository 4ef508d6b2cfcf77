package io.dubbomesh.protocol.schema;

import java.math.BigInteger;

/** The regular expressions of whole numbers in a range, as text. */
final class WholeNumberPattern {
    private WholeNumberPattern() {}

    /** Returns the pattern of the numbers from {@code least}, which is negative, to {@code greatest}. */
    static String between(BigInteger least, BigInteger greatest) {
        return "^([+]?0*" + upTo(greatest.toString()) + "|-0*"
                + upTo(least.negate().toString()) + ")$";
    }

    /** Returns the pattern of the numbers from 0 to this one, without zeros in front. */
    private static String upTo(String greatest) {
        StringBuilder pattern =
                new StringBuilder("([0-9]{1,").append(greatest.length() - 1).append('}');
        for (int i = 0; i < greatest.length(); i++) {
            char digit = greatest.charAt(i);
            int rest = greatest.length() - 1 - i;
            char least = i == 0 ? '1' : '0';
            if (digit > least) {
                pattern.append('|').append(greatest, 0, i).append(digits(least, (char) (digit - 1)));
                if (rest > 0) {
                    pattern.append("[0-9]{").append(rest).append('}');
                }
            }
        }
        return pattern.append('|').append(greatest).append(')').toString();
    }

    private static String digits(char least, char greatest) {
        return least == greatest ? String.valueOf(least) : "[" + least + '-' + greatest + ']';
    }
}
