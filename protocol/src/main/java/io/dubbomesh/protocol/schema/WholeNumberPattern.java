package io.dubbomesh.protocol.schema;

import java.math.BigInteger;

/** The regular expressions of whole numbers in a range, as text. */
final class WholeNumberPattern {
    private WholeNumberPattern() {}

    /** Returns the pattern of the numbers from {@code least} to {@code greatest}, which is not smaller. */
    static String between(BigInteger least, BigInteger greatest) {
        String positive = greatest.signum() < 0 ? "" : "[+]?0*" + range(least.max(BigInteger.ZERO), greatest);
        String negative =
                least.signum() > 0 ? "" : "-0*" + range(greatest.negate().max(BigInteger.ZERO), least.negate());
        return "^(" + positive + (positive.isEmpty() || negative.isEmpty() ? "" : "|") + negative + ")$";
    }

    /** Returns the pattern of numbers that are not negative, without zeros in front. */
    private static String range(BigInteger least, BigInteger greatest) {
        if (least.signum() == 0) {
            return greatest.signum() == 0 ? "0" : upTo(greatest.toString());
        }
        StringBuilder pattern = new StringBuilder("(");
        int longest = greatest.toString().length();
        for (int length = least.toString().length(); length <= longest; length++) {
            BigInteger first = BigInteger.TEN.pow(length - 1).max(least);
            BigInteger last =
                    BigInteger.TEN.pow(length).subtract(BigInteger.ONE).min(greatest);
            pattern.append(pattern.length() == 1 ? "" : "|").append(ofOneLength(first.toString(), last.toString()));
        }
        return pattern.append(')').toString();
    }

    private static String ofOneLength(String least, String greatest) {
        if (least.equals(greatest)) {
            return least;
        }
        int same = 0;
        while (least.charAt(same) == greatest.charAt(same)) {
            same++;
        }
        int rest = least.length() - 1 - same;
        char low = least.charAt(same);
        char high = greatest.charAt(same);
        String common = least.substring(0, same);
        if (rest == 0) {
            return common + digits(low, high);
        }
        String between = low + 1 > high - 1 ? "" : '|' + digits((char) (low + 1), (char) (high - 1)) + any(rest);
        return common
                + '('
                + low
                + atLeast(least.substring(same + 1))
                + between
                + '|'
                + high
                + atMost(greatest.substring(same + 1))
                + ')';
    }

    /** Returns the pattern of as many digits that are no smaller number. */
    private static String atLeast(String least) {
        StringBuilder pattern = new StringBuilder("(").append(least);
        for (int i = 0; i < least.length(); i++) {
            if (least.charAt(i) < '9') {
                pattern.append('|')
                        .append(least, 0, i)
                        .append(digits((char) (least.charAt(i) + 1), '9'))
                        .append(any(least.length() - 1 - i));
            }
        }
        return pattern.append(')').toString();
    }

    private static String atMost(String greatest) {
        StringBuilder pattern = new StringBuilder("(").append(greatest);
        for (int i = 0; i < greatest.length(); i++) {
            if (greatest.charAt(i) > '0') {
                pattern.append('|')
                        .append(greatest, 0, i)
                        .append(digits('0', (char) (greatest.charAt(i) - 1)))
                        .append(any(greatest.length() - 1 - i));
            }
        }
        return pattern.append(')').toString();
    }

    private static String any(int digits) {
        return digits == 0 ? "" : "[0-9]{" + digits + '}';
    }

    /** Returns the pattern of the numbers from 0 to this one, without zeros in front. */
    private static String upTo(String greatest) {
        StringBuilder pattern = new StringBuilder("(");
        pattern.append(greatest.length() == 1 ? "0" : "[0-9]{1," + (greatest.length() - 1) + '}');
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
