package io.dubbomesh.testsupport.random;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Random values of one seed, with a preference for those where code changes its way: the bounds of types and ranges,
 * small numbers, empty and full lengths, surrogates.
 */
public final class RandomValues {
    private static final int EDGE = 8;
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        Double.MIN_VALUE,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Float.MIN_VALUE,
        Float.MAX_VALUE,
        1L << 53,
        Integer.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final int[] POINTS = {
        0,
        0x1f,
        ' ',
        '"',
        '%',
        '\\',
        0x7f,
        0x80,
        0xff,
        0x7ff,
        0x800,
        0xd7ff,
        0xe000,
        0xfffe,
        0xffff,
        0x10000,
        0x1f600,
        Character.MAX_CODE_POINT
    };

    private final Random random;

    public RandomValues(long seed) {
        // Random takes seeds that are near to each other for similar ones.
        long mixed = (seed ^ seed >>> 30) * 0xbf58476d1ce4e5b9L;
        random = new Random(mixed ^ mixed >>> 27);
    }

    /** The source of all values, for what takes one. */
    public Random random() {
        return random;
    }

    public boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    public boolean anyBoolean() {
        return random.nextBoolean();
    }

    /** Returns a number of any number of bits. */
    public int anyInt() {
        if (oneIn(EDGE)) {
            return pick(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return random.nextInt() >> random.nextInt(Integer.SIZE);
    }

    /** Returns a number of any number of bits. */
    public long anyLong() {
        if (oneIn(EDGE)) {
            return pick(
                    0L, 1L, -1L, (long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return random.nextLong() >> random.nextInt(Long.SIZE);
    }

    /** Any finite one: of any exponent, or with few digits. */
    public double anyDouble() {
        return switch (random.nextInt(4)) {
            case 0 -> DOUBLES[random.nextInt(DOUBLES.length)];
            case 1 -> anyInt() / 1000.0;
            default -> {
                double value = Double.longBitsToDouble(random.nextLong());
                yield Double.isFinite(value) ? value : random.nextDouble();
            }
        };
    }

    public BigInteger anyBigInteger() {
        return oneIn(2) ? BigInteger.valueOf(anyLong()) : new BigInteger(random.nextInt(200), random).multiply(sign());
    }

    public BigDecimal anyBigDecimal() {
        return new BigDecimal(anyBigInteger(), between(-20, 40));
    }

    private BigInteger sign() {
        return random.nextBoolean() ? BigInteger.ONE : BigInteger.ONE.negate();
    }

    /** Both bounds included. */
    public int between(int min, int max) {
        return (int) between((long) min, (long) max);
    }

    /** Both bounds included. */
    public long between(long min, long max) {
        return switch (random.nextInt(2 * EDGE)) {
            case 0 -> min;
            case 1 -> max;
            default -> max - min + 1 <= 0 ? spread(min, max) : random.nextLong(min, max + 1);
        };
    }

    /** Returns a number of a range of more than 63 bits. */
    private long spread(long min, long max) {
        while (true) {
            long value = random.nextLong();
            if (value >= min && value <= max) {
                return value;
            }
        }
    }

    @SafeVarargs
    public final <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    public <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    public byte[] bytes(int maxLength) {
        byte[] bytes = new byte[between(0, maxLength)];
        random.nextBytes(bytes);
        return bytes;
    }

    public int[] ints(int maxLength, int min, int max) {
        int[] ints = new int[between(0, maxLength)];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = between(min, max);
        }
        return ints;
    }

    public <T> List<T> list(int maxSize, Supplier<T> elements) {
        int size = between(0, maxSize);
        List<T> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(elements.get());
        }
        return list;
    }

    /** Up to {@code maxParts} of the parts, one behind the other: texts that a parser nearly takes, or takes. */
    public String joined(int maxParts, String... parts) {
        return joined(maxParts, List.of(parts));
    }

    public String joined(int maxParts, List<String> parts) {
        return String.join("", list(maxParts, () -> pick(parts)));
    }

    /** Any chars, surrogates without their other half included. */
    public String chars(int maxLength) {
        StringBuilder text = new StringBuilder();
        int bound = pick(0x80, 0x100, 0x800, 0x10000);
        for (int length = between(0, maxLength); text.length() < length; ) {
            text.append(oneIn(EDGE) ? (char) between(0xd7ff, 0xe000) : (char) random.nextInt(bound));
        }
        return text.toString();
    }

    /** Chars of an alphabet. */
    public String chars(int maxLength, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int length = between(0, maxLength); text.length() < length; ) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** Chars of a range, both bounds included. */
    public String chars(int maxLength, char from, char to) {
        StringBuilder text = new StringBuilder();
        for (int length = between(0, maxLength); text.length() < length; ) {
            text.append((char) between(from, to));
        }
        return text.toString();
    }

    /** Text that UTF-8 can express: ASCII, one of the shorter forms, or all of Unicode. */
    public String text(int maxCodePoints) {
        StringBuilder text = new StringBuilder();
        int bound = pick(0x80, 0x100, 0x800, 0x10000, Character.MAX_CODE_POINT + 1);
        for (int i = between(0, maxCodePoints); i > 0; i--) {
            text.appendCodePoint(oneIn(EDGE) ? POINTS[random.nextInt(POINTS.length)] : point(bound));
        }
        return text.toString();
    }

    private int point(int bound) {
        int point = random.nextInt(bound);
        return point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE ? point : '?';
    }

    /** Ascending places at which {@code length} bytes are cut into parts, some of which may be empty. */
    public int[] cuts(int length, int count) {
        return random.ints(count, 0, length + 1).sorted().toArray();
    }
}
