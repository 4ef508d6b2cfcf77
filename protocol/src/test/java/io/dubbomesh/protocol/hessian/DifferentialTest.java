package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

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

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What one side writes, the other reads as the same. */
abstract class DifferentialTest {
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 15, 16, 31, 32, 33, 255, 256, 1023, 1024, 1025, 4096, 32767, 32768, 32769, 65534, 65535, 65536,
        100_000
    };

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

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void theyReadWhatWeWrite(@ForAll("values") Object first, @ForAll("values") Object second) {
        List<Object> values = Arrays.asList(first, second, first);
        assertThat(library.read(written(first, second, first), 3))
                .usingRecursiveComparison()
                // By ==, a NaN would not be itself.
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(values);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void weReadWhatTheyWrite(@ForAll("values") Object first, @ForAll("values") Object second) throws Exception {
        ByteBuf theirs = library.write(first, second, first);
        reader.reset(theirs, 0, theirs.readableBytes());
        HessianToJson json = new HessianToJson(reader, 1 << 24);
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

    /** What its JSON should be. */
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

    @Property(tries = 1000)
    void scalarsAreWrittenAndReadAlike(@ForAll int i, @ForAll long l, @ForAll double d) throws MalformedValueException {
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

    @Property(tries = 1000)
    void stringsAreWrittenTheSameWayFromCharsAndFromUtf8(@ForAll("strings") String value)
            throws MalformedValueException {
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

    @Example
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

    @Provide
    Arbitrary<String> strings() {
        Arbitrary<String> chars = Arbitraries.strings().all().ofMaxLength(70);
        Arbitrary<String> text = Arbitraries.strings()
                .withChars('a', '"', '\\', '\n', '\u0000', '\u007f', '\u00fc', '\u4e2d', '\ud83d', '\ude00', '\uffff')
                .ofMaxLength(40);
        Arbitrary<String> large = Combinators.combine(
                        Arbitraries.of(31, 32, 1023, 1024, 32766, 32767, 32768, 65535), wellFormed())
                .as((length, tail) -> "b".repeat(length) + tail);
        return Arbitraries.frequencyOf(
                Tuple.of(5, chars), Tuple.of(5, text), Tuple.of(5, wellFormed()), Tuple.of(1, large));
    }

    private static Arbitrary<String> wellFormed() {
        return Arbitraries.integers()
                .between(0, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .map(Character::toString)
                .list()
                .ofMaxSize(40)
                .map(points -> String.join("", points));
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> scalars = Arbitraries.oneOf(
                Arbitraries.just(null),
                Arbitraries.of(true, false),
                Arbitraries.integers(),
                Arbitraries.integers().between(-3000, 3000),
                Arbitraries.longs(),
                // Both libraries write -0.0 as 0.0.
                Arbitraries.doubles().map(d -> d == 0 ? 0.0 : d),
                Arbitraries.integers().between(-100_000, 100_000).map(i -> i / 1000.0),
                Arbitraries.of(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
                strings(),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(40),
                Arbitraries.longs().map(Date::new),
                Arbitraries.of(Thread.State.class),
                Arbitraries.bigDecimals(),
                Arbitraries.bigIntegers());
        return Arbitraries.recursive(
                () -> scalars,
                inner -> Arbitraries.oneOf(
                        inner.list().ofMaxSize(10).map(ArrayList::new),
                        inner.list().ofMaxSize(10).map(List::toArray),
                        // The same one again, which the libraries write as a reference.
                        inner.map(value -> new ArrayList<>(Arrays.asList(value, value))),
                        Arbitraries.integers().array(int[].class).ofMaxSize(10),
                        strings().array(String[].class).ofMaxSize(10),
                        strings().set().ofMaxSize(10).map(HashSet::new),
                        maps(inner),
                        items(inner),
                        inner),
                0,
                3);
    }

    private static Arbitrary<Map<String, Object>> maps(Arbitrary<Object> values) {
        return Arbitraries.maps(wellFormed(), values).ofMaxSize(4).map(LinkedHashMap::new);
    }

    private static Arbitrary<Item> items(Arbitrary<Object> values) {
        return Combinators.combine(
                        values,
                        values.list().ofMaxSize(3),
                        maps(values),
                        wellFormed().injectNull(0.1),
                        Arbitraries.longs(),
                        Arbitraries.of(Thread.State.class).injectNull(0.1),
                        Arbitraries.bigDecimals().injectNull(0.1))
                .as((any, list, map, label, number, state, amount) -> {
                    Item item = new Item();
                    item.id = Long.hashCode(number);
                    item.count = number;
                    item.price = item.id / 4.0;
                    item.open = number > 0;
                    item.label = label;
                    item.when = new Date(number);
                    item.bytes = BigInteger.valueOf(number).toByteArray();
                    item.any = any;
                    item.list.addAll(list);
                    item.map.putAll(map);
                    item.state = state;
                    item.amount = amount;
                    if (item.open) {
                        item.next = new Item();
                        item.next.any = any;
                        item.next.list = item.list;
                    }
                    return item;
                });
    }
}
