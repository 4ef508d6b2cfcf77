package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.value.ValueWriter;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Scalars as text: what Java's own parsers accept, but only ASCII, without blanks, and without loss of digits. */
final class ScalarText {
    /** Longer numbers take long to read: the work grows with the square of the digits. */
    private static final int MAX_NUMBER = 1000;

    private ScalarText() {}

    /** Writes the text as a value of this kind; returns false, with nothing written, if it does not fit. */
    static boolean write(ValueWriter out, JavaType.Kind kind, String text) {
        switch (kind) {
            case CHAR -> {
                if (text.length() != 1) {
                    return false;
                }
                out.writeString(text);
            }
            case BOOLEAN -> {
                boolean value = text.equals("true");
                if (!value && !text.equals("false")) {
                    return false;
                }
                out.writeBoolean(value);
            }
            default -> {
                return text.length() <= MAX_NUMBER && writeNumber(out, kind, text);
            }
        }
        return true;
    }

    /** Returns a whole number without the fraction, 7 for 7.0 or 7e0; any other text as it is. */
    static String withoutFraction(String number) {
        if (number.length() > MAX_NUMBER) {
            return number;
        }
        try {
            BigDecimal value = new BigDecimal(number);
            return Math.abs((long) value.scale()) > MAX_NUMBER
                    ? number
                    : value.toBigIntegerExact().toString();
        } catch (ArithmeticException | NumberFormatException e) {
            return number;
        }
    }

    private static boolean writeNumber(ValueWriter out, JavaType.Kind kind, String text) {
        try {
            switch (kind) {
                case BYTE -> out.writeInt(Byte.parseByte(whole(text)));
                case SHORT -> out.writeInt(Short.parseShort(whole(text)));
                case INT -> out.writeInt(Integer.parseInt(whole(text)));
                case LONG -> out.writeLong(Long.parseLong(whole(text)));
                case FLOAT -> out.writeDouble(finite(text, Float.parseFloat(decimal(text))));
                case DOUBLE -> out.writeDouble(finite(text, Double.parseDouble(decimal(text))));
                case BIG_INTEGER -> out.writeBigInteger(new BigInteger(whole(text)));
                case BIG_DECIMAL -> out.writeBigDecimal(new BigDecimal(decimal(text)));
                default -> throw new IllegalArgumentException(kind.toString());
            }
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Java's own parsers accept the digits of every script. */
    private static String whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '9') {
                throw new NumberFormatException();
            }
        }
        return text;
    }

    /** Java's own parsers accept blanks around, a type's letter at the end, and hexadecimal digits. */
    private static String decimal(String text) {
        if (isNotFinite(text)) {
            return text;
        }
        for (int i = 0; i < text.length(); i++) {
            if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
                throw new NumberFormatException();
            }
        }
        return text;
    }

    private static double finite(String text, double value) {
        if (Double.isInfinite(value) && !isNotFinite(text)) {
            throw new NumberFormatException();
        }
        return value;
    }

    private static boolean isNotFinite(String text) {
        return text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity");
    }
}
