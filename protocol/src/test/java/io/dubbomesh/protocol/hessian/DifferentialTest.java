package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Checks that each side reads what the other one writes. */
abstract class DifferentialTest {
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 15, 16, 31, 32, 33, 255, 256, 1023, 1024, 1025, 4096, 32767, 32768, 32769, 65534, 65535, 65536,
        100_000
    };

    private static final int DEPTH = 3;

    private final Library library;
    private final HessianReader reader = new HessianReader();

    DifferentialTest(Library library) {
        this.library = library;
    }

    private static ByteBuf written(Object... values) {
        ByteBuf out = Unpooled.buffer();
        ObjectWriter writer = new ObjectWriter(out);
        for (Object value : values) {
            writer.write(value);
        }
        return out;
    }

    @Test
    void theyReadWhatWeWrite() {
        Tries.run(500, random -> theyReadWhatWeWrite(value(random, DEPTH), value(random, DEPTH)));
    }

    private void theyReadWhatWeWrite(Object first, Object second) {
        List<Object> values = Arrays.asList(first, second, first);
        assertThat(library.read(written(first, second, first), 3))
                .usingRecursiveComparison()
                // With ==, a NaN does not equal itself.
                .withEqualsForType(Double::equals, Double.class)
                // Not one byte after the other, by reflection.
                .withEqualsForType(Arrays::equals, byte[].class)
                .isEqualTo(values);
    }

    @Test
    void weReadWhatTheyWrite() {
        Tries.run(500, random -> weReadWhatTheyWrite(value(random, DEPTH), value(random, DEPTH)));
    }

    private void weReadWhatTheyWrite(Object first, Object second) throws Exception {
        ByteBuf theirs = library.write(first, second, first);
        reader.reset(theirs, 0, theirs.readableBytes());
        ValueToJson json = new ValueToJson(new HessianValues(reader), 1 << 24);
        for (Object value : new Object[] {first, second, first}) {
            ByteBuf out = Unpooled.buffer();
            json.writeJson(out, ClassNames.OMIT);
            assertThat(JsonTree.of(out)).isEqualTo(tree(value));
        }
        assertThat(reader.isAtEnd()).isTrue();

        reader.reset(theirs, 0, theirs.readableBytes());
        for (int i = 0; i < 3; i++) {
            reader.skip();
        }
        assertThat(reader.isAtEnd()).isTrue();
    }

    /** The expected JSON. */
    private static Object tree(Object value) {
        if (value instanceof Double d) {
            return Double.isFinite(d) ? JsonTree.number(new BigDecimal(d.toString())) : d.toString();
        }
        if (value instanceof Number) {
            return JsonTree.number(new BigDecimal(value.toString()));
        }
        if (value instanceof String s) {
            // A surrogate without its other half is none in UTF-8.
            return new String(s.getBytes(UTF_16), UTF_16);
        }
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        if (value instanceof Date date) {
            return date.toInstant().toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Item item) {
            Map<String, Object> fields = new LinkedHashMap<>();
            Object[] values = item.values();
            for (int i = 0; i < values.length; i++) {
                fields.put(Item.FIELDS[i], tree(values[i]));
            }
            return fields;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> entries = new LinkedHashMap<>();
            map.forEach((key, element) -> entries.put((String) key, tree(element)));
            return entries;
        }
        if (value instanceof int[] ints) {
            return Arrays.stream(ints).mapToObj(DifferentialTest::tree).toList();
        }
        if (value instanceof Object[] array) {
            return Arrays.stream(array).map(DifferentialTest::tree).toList();
        }
        if (value instanceof Iterable<?> list) {
            List<Object> elements = new ArrayList<>();
            list.forEach(element -> elements.add(tree(element)));
            return elements;
        }
        return value;
    }

    @Test
    void scalarsAreWrittenAndReadAlike() {
        Tries.run(1000, random -> scalarsAreWrittenAndReadAlike(random.anyInt(), random.anyLong(), random.anyDouble()));
    }

    private void scalarsAreWrittenAndReadAlike(int i, long l, double d) throws Exception {
        ByteBuf ours = Unpooled.buffer();
        HessianWriter writer = new HessianWriter().reset(ours);
        writer.writeInt(i);
        writer.writeLong(l);
        writer.writeDouble(d);
        writer.writeDate(l);
        assertThat(library.read(ours, 4)).containsExactly(i, l, d, new Date(l));

        ByteBuf theirs = library.write(i, l, new Date(l));
        reader.reset(theirs, 0, theirs.readableBytes());
        assertThat(reader.readInt()).isEqualTo(i);
        assertThat(reader.readLong()).isEqualTo(l);
        assertThat(reader.readDate()).isEqualTo(l);
    }

    @Test
    void stringsAreWrittenTheSameWayFromCharsAndFromUtf8() {
        Tries.run(1000, random -> stringsAreWrittenTheSameWayFromCharsAndFromUtf8(string(random)));
    }

    private void stringsAreWrittenTheSameWayFromCharsAndFromUtf8(String value) throws Exception {
        ByteBuf theirs = library.write(value);
        assertThat(written(value)).isEqualTo(theirs);
        reader.reset(theirs, 0, theirs.readableBytes());
        assertThat(reader.readString(Integer.MAX_VALUE)).isEqualTo(value);
        if (isWellFormed(value)) {
            ByteBuf utf8 = Unpooled.copiedBuffer(value, UTF_8);
            ByteBuf ours = Unpooled.buffer();
            new HessianWriter().reset(ours).writeUtf8(utf8, 0, utf8.readableBytes());
            assertThat(ours).isEqualTo(theirs);
            reader.reset(theirs, 0, theirs.readableBytes());
            ByteBuf out = Unpooled.buffer();
            reader.readString(out);
            assertThat(out).isEqualTo(utf8);
        }
    }

    private static boolean isWellFormed(String value) {
        return new String(value.getBytes(UTF_8), UTF_8).equals(value);
    }

    @Test
    void stringsAndBinaryDataOfEveryLength() throws Exception {
        for (int length : LENGTHS) {
            for (String unit : new String[] {"a", "\u00fc", "\u4e2d", "\ud83d\ude00", "ab\ud83d\ude00"}) {
                for (int shift = 0; shift < 2; shift++) {
                    stringsAreWrittenTheSameWayFromCharsAndFromUtf8(
                            "x".repeat(shift) + unit.repeat(length / unit.length()));
                }
            }
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) length);
            theyReadWhatWeWrite(bytes, null);
            weReadWhatTheyWrite(bytes, null);
            ByteBuf theirs = library.write(bytes);
            ByteBuf out = Unpooled.buffer();
            reader.reset(theirs, 0, theirs.readableBytes()).readBinary(out);
            assertThat(out).isEqualTo(Unpooled.wrappedBuffer(bytes));
        }
    }

    private static String string(RandomValues random) {
        return switch (random.random().nextInt(16)) {
            case 0 -> "b".repeat(random.pick(31, 32, 1023, 1024, 32766, 32767, 32768, 65535)) + random.text(40);
            case 1, 2, 3, 4, 5 -> random.chars(70);
            case 6, 7, 8, 9, 10 -> random.chars(40, "a\"\\\n\0\u007f\u00fc\u4e2d\ud83d\ude00\uffff");
            default -> random.text(40);
        };
    }

    private static Object value(RandomValues random, int depth) {
        if (depth == 0) {
            return scalar(random);
        }
        Supplier<Object> inner = () -> value(random, depth - 1);
        return switch (random.random().nextInt(10)) {
            case 0 -> random.list(10, inner);
            case 1 -> random.list(10, inner).toArray();
            case 2 -> {
                // The same one again, which the libraries write as a reference.
                Object value = inner.get();
                yield new ArrayList<>(Arrays.asList(value, value));
            }
            case 3 -> random.ints(10, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case 4 -> random.list(10, () -> string(random)).toArray(String[]::new);
            case 5 -> new HashSet<>(random.list(10, () -> string(random)));
            case 6 -> map(random, inner);
            case 7 -> item(random, inner);
            default -> inner.get();
        };
    }

    private static Object scalar(RandomValues random) {
        return switch (random.random().nextInt(14)) {
            case 0 -> null;
            case 1 -> random.anyBoolean();
            case 2 -> random.anyInt();
            case 3 -> random.between(-3000, 3000);
            case 4 -> random.anyLong();
            case 5 -> {
                // Both libraries write -0.0 as 0.0.
                double value = random.anyDouble();
                yield value == 0 ? 0.0 : value;
            }
            case 6 -> random.between(-100_000, 100_000) / 1000.0;
            case 7 -> random.pick(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
            case 8 -> random.bytes(40);
            case 9 -> new Date(random.anyLong());
            case 10 -> random.pick(Thread.State.values());
            case 11 -> random.anyBigDecimal();
            case 12 -> random.anyBigInteger();
            default -> string(random);
        };
    }

    private static Map<String, Object> map(RandomValues random, Supplier<Object> values) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.between(0, 4); i > 0; i--) {
            map.put(random.text(40), values.get());
        }
        return map;
    }

    private static Item item(RandomValues random, Supplier<Object> values) {
        long number = random.anyLong();
        Item item = new Item();
        item.id = Long.hashCode(number);
        item.count = number;
        item.price = item.id / 4.0;
        item.open = number > 0;
        item.label = random.oneIn(10) ? null : random.text(40);
        item.when = new Date(number);
        item.bytes = BigInteger.valueOf(number).toByteArray();
        item.any = values.get();
        item.list.addAll(random.list(3, values));
        item.map.putAll(map(random, values));
        item.state = random.oneIn(10) ? null : random.pick(Thread.State.values());
        item.amount = random.oneIn(10) ? null : random.anyBigDecimal();
        if (item.open) {
            item.next = new Item();
            item.next.any = item.any;
            item.next.list = item.list;
        }
        return item;
    }
}
