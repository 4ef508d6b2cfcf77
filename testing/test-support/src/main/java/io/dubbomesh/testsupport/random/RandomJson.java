package io.dubbomesh.testsupport.random;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

/**
 * JSON texts of all kinds, each in the one form that the product writes: no blanks, no needless escapes, Java's digits
 * of a double.
 */
public final class RandomJson {
    private static final int MAX_DEPTH = 5;

    private final Random random;
    private final StringBuilder text = new StringBuilder();

    public RandomJson(long seed) {
        this(new Random(seed));
    }

    public RandomJson(Random random) {
        this.random = random;
    }

    /** The next text, valid until the one after it. */
    public CharSequence next() {
        text.setLength(0);
        writeValue(0);
        return text;
    }

    private void writeValue(int depth) {
        switch (random.nextInt(depth < MAX_DEPTH ? 11 : 9)) {
            case 0 -> text.append("null");
            case 1 -> text.append(random.nextBoolean());
            case 2 -> text.append(random.nextInt() >> random.nextInt(32));
            case 3 -> text.append(random.nextLong() >> random.nextInt(64));
            case 4 -> text.append(random.nextInt() / 1000.0);
            case 5 -> writeDouble();
            case 6 ->
                text.append(new BigInteger(64 + random.nextInt(200), random)
                        .setBit(64)
                        .multiply(sign()));
            case 7 -> writeDecimal();
            case 8 -> writeString(random.nextInt(1000) == 0 ? random.nextInt(40_000) : random.nextInt(40));
            case 9 -> writeArray(depth);
            default -> writeObject(depth);
        }
    }

    private BigInteger sign() {
        return BigInteger.valueOf(random.nextBoolean() ? 1 : -1);
    }

    private void writeDouble() {
        double value = Double.longBitsToDouble(random.nextLong());
        text.append(Double.isFinite(value) ? value : -0.0);
    }

    /** More digits than a double has. */
    private void writeDecimal() {
        BigInteger digits = new BigInteger(60 + random.nextInt(100), random)
                .setBit(59)
                .setBit(0)
                .multiply(sign());
        text.append(new BigDecimal(digits, 1 + random.nextInt(60)));
    }

    private void writeArray(int depth) {
        text.append('[');
        for (int i = random.nextInt(5); i > 0; i--) {
            writeValue(depth + 1);
            if (i > 1) {
                text.append(',');
            }
        }
        text.append(']');
    }

    private void writeObject(int depth) {
        text.append('{');
        for (int i = random.nextInt(5); i > 0; i--) {
            writeString(random.nextInt(40));
            text.append(':');
            writeValue(depth + 1);
            if (i > 1) {
                text.append(',');
            }
        }
        text.append('}');
    }

    private void writeString(int length) {
        int kinds = 1 + random.nextInt(5);
        text.append('"');
        for (int i = 0; i < length; i++) {
            switch (random.nextInt(kinds)) {
                case 0 -> text.append((char) ('a' + random.nextInt(26)));
                case 1 -> writeEscaped(random.nextInt(0x80));
                case 2 -> text.append((char) (0x80 + random.nextInt(0x780)));
                case 3 -> text.append((char) (0x800 + random.nextInt(0xd000)));
                default -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
            }
        }
        text.append('"');
    }

    private void writeEscaped(int c) {
        int letter = "\b\t\n\f\r\"\\".indexOf(c);
        if (letter >= 0) {
            text.append('\\').append("btnfr\"\\".charAt(letter));
        } else if (c < 0x20) {
            text.append("\\u%04x".formatted(c));
        } else {
            text.append((char) c);
        }
    }
}
