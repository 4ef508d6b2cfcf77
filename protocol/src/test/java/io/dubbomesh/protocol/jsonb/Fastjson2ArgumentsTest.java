package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.jsonb.Item.Color;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Checks that fastjson2 reads our bytes, with and without a declared type. */
class Fastjson2ArgumentsTest {
    private static <T> T read(Class<T> type, Consumer<ValueWriter> write) {
        ByteBuf out = Unpooled.buffer();
        write.accept(new JsonbWriter().reset(out));
        return Fastjson2.readFramed(out, type);
    }

    private static void writeList(ValueWriter out, String type, Runnable... elements) {
        int begin = out.beginList(type);
        List.of(elements).forEach(Runnable::run);
        out.endList(begin, elements.length);
    }

    static Stream<Arguments> scalars() {
        LocalDateTime both = LocalDateTime.of(2020, 1, 2, 3, 4, 5, 6);
        Stream.Builder<Arguments> all = Stream.builder();
        ofType(all, out -> out.writeInt(-100), byte.class, (byte) -100, Byte.class, (byte) -100);
        ofType(all, out -> out.writeInt(-30_000), short.class, (short) -30_000, Short.class, (short) -30_000);
        ofType(
                all,
                out -> out.writeInt(Integer.MIN_VALUE),
                int.class,
                Integer.MIN_VALUE,
                Integer.class,
                Integer.MIN_VALUE);
        ofType(all, out -> out.writeLong(Long.MIN_VALUE), long.class, Long.MIN_VALUE, Long.class, Long.MIN_VALUE);
        ofType(all, out -> out.writeLong(5), long.class, 5L, Long.class, 5L, Object.class, 5L);
        ofType(all, out -> out.writeDouble(1.1f), float.class, 1.1f, Float.class, 1.1f);
        ofType(all, out -> out.writeDouble(7), float.class, 7f, Float.class, 7f);
        ofType(all, out -> out.writeDouble(-0.0), double.class, -0.0, Double.class, -0.0, Object.class, -0.0);
        ofType(all, out -> out.writeDouble(Double.NaN), double.class, Double.NaN, float.class, Float.NaN);
        ofType(all, out -> out.writeBoolean(true), boolean.class, true, Boolean.class, true, Object.class, true);
        ofType(all, out -> out.writeString("x"), char.class, 'x', Character.class, 'x', String.class, "x");
        ofType(
                all,
                out -> out.writeString("\u4e2d"),
                char.class,
                '\u4e2d',
                Character.class,
                '\u4e2d',
                Object.class,
                "\u4e2d");
        ofType(all, out -> out.writeString("\ud83d\u4e2d"), char[].class, new char[] {'\ud83d', '\u4e2d'});
        ofType(all, out -> out.writeString("ab"), char[].class, new char[] {'a', 'b'});
        ofType(all, out -> out.writeBinary(new byte[] {1, -2}), byte[].class, new byte[] {1, -2});
        ofType(
                all,
                out -> out.writeBigInteger(BigInteger.TEN),
                BigInteger.class,
                BigInteger.TEN,
                Object.class,
                BigInteger.TEN);
        ofType(all, out -> out.writeBigDecimal(new BigDecimal("1.50")), BigDecimal.class, new BigDecimal("1.50"));
        ofType(all, out -> out.writeBigDecimal(new BigDecimal("1E+5")), BigDecimal.class, new BigDecimal("1E+5"));
        ofType(all, out -> out.writeDate(1500), Date.class, new Date(1500), Object.class, new Date(1500));
        ofType(
                all,
                out -> out.writeEnum(Color.class.getName(), "RED"),
                Color.class,
                Color.RED,
                Object.class,
                Color.RED);
        ofType(all, out -> out.writeString("GREEN"), Color.class, Color.GREEN);
        for (Object time : List.of(
                both.toLocalDate(),
                both.toLocalTime(),
                both,
                both.toInstant(ZoneOffset.UTC),
                OffsetTime.of(both.toLocalTime(), ZoneOffset.ofHours(-3)),
                OffsetDateTime.of(both, ZoneOffset.UTC),
                ZonedDateTime.of(both, ZoneId.of("Europe/Berlin")),
                ZonedDateTime.of(both, ZoneOffset.UTC),
                ZoneOffset.ofHours(1),
                Duration.ofMillis(1500),
                Period.of(1, 2, 3),
                Year.of(2020),
                YearMonth.of(2020, 1),
                MonthDay.of(1, 2))) {
            ofType(all, out -> out.writeTime(time), time.getClass(), time);
        }
        for (Object text : List.of(
                UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"),
                URI.create("urn:a:b?c#d"),
                Locale.US,
                Currency.getInstance("EUR"))) {
            ofType(all, out -> out.writeText(text.getClass().getName(), text.toString()), text.getClass(), text);
        }
        Calendar calendar = new GregorianCalendar();
        calendar.setTimeInMillis(1500);
        ofType(all, out -> out.writeDate("java.util.Calendar", 1500), Calendar.class, calendar);
        ofType(all, out -> out.writeTime(ZoneId.of("Europe/Berlin")), ZoneId.class, ZoneId.of("Europe/Berlin"));
        for (Class<?> type : List.of(Integer.class, String.class, Item.class, Color.class, List.class, Object.class)) {
            all.add(arguments((Consumer<ValueWriter>) ValueWriter::writeNull, type, null));
        }
        return all.build();
    }

    private static void ofType(Stream.Builder<Arguments> all, Consumer<ValueWriter> write, Object... typesAndValues) {
        for (int i = 0; i < typesAndValues.length; i += 2) {
            all.add(arguments(write, typesAndValues[i], typesAndValues[i + 1]));
        }
    }

    @ParameterizedTest
    @MethodSource("scalars")
    void aScalarIsReadAsItsDeclaredType(Consumer<ValueWriter> write, Class<?> type, Object expected) {
        assertThat((Object) read(type, write)).isEqualTo(expected);
    }

    @Test
    void aTimeOfAnotherClassIsRefused() {
        assertThatThrownBy(() -> new JsonbWriter().reset(Unpooled.buffer()).writeTime(DayOfWeek.MONDAY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("class java.time.DayOfWeek cannot be sent by the serialization fastjson2");
    }

    @Test
    void aListIsReadAsItsDeclaredType() {
        for (Class<?> type : List.of(
                Collection.class,
                List.class,
                ArrayList.class,
                LinkedList.class,
                Vector.class,
                CopyOnWriteArrayList.class,
                ArrayDeque.class,
                Queue.class,
                Set.class,
                HashSet.class,
                LinkedHashSet.class,
                SortedSet.class,
                TreeSet.class,
                Object.class)) {
            Object list =
                    read(type, out -> writeList(out, null, () -> out.writeString("a"), () -> out.writeString("b")));
            assertThat(list).isInstanceOf(type);
            assertThat(new ArrayList<Object>((Collection<?>) list)).containsExactly("a", "b");
        }
        assertThat(read(int[].class, out -> writeList(out, null, () -> out.writeInt(1))))
                .containsExactly(1);
        assertThat(read(Long[].class, out -> writeList(out, null, () -> out.writeLong(1), out::writeNull)))
                .containsExactly(1L, null);
        assertThat(read(byte[][].class, out -> writeList(out, null, () -> out.writeBinary(new byte[] {5}))))
                .isDeepEqualTo(new byte[][] {{5}});
        assertThat(read(Date[].class, out -> writeList(out, null, () -> out.writeDate(5))))
                .containsExactly(new Date(5));
        assertThat(read(Object[].class, out -> writeList(out, null, () -> out.writeString("a"), () -> out.writeInt(5))))
                .containsExactly("a", 5);
    }

    @Test
    void aMapIsReadAsItsDeclaredType() {
        for (Class<?> type : List.of(
                Map.class,
                HashMap.class,
                LinkedHashMap.class,
                SortedMap.class,
                TreeMap.class,
                ConcurrentHashMap.class,
                Object.class)) {
            Object map = read(type, out -> {
                out.beginMap();
                out.writeKey("\u4e2d");
                out.writeInt(5);
                out.endMap();
            });
            assertThat(map).isInstanceOf(type).isEqualTo(Map.of("\u4e2d", 5));
        }
    }

    @Test
    void aClassThatIsNamedIsMadeWhereNoneIsDeclared() {
        List<?> list = read(
                List.class,
                out -> writeList(
                        out,
                        null,
                        () -> writeList(out, "java.util.HashSet", () -> out.writeString("a")),
                        () -> writeList(out, "[int", () -> out.writeInt(1)),
                        () -> writeList(out, "[java.lang.String", () -> out.writeString("a")),
                        () -> writeList(out, "[" + Item.class.getName(), () -> writeItem(out, null)),
                        () -> writeTreeMap(out),
                        () -> out.writeTime(Year.of(2020))));
        assertThat(list.get(0)).isInstanceOf(HashSet.class).isEqualTo(Set.of("a"));
        assertThat(list.get(1)).isEqualTo(new int[] {1});
        assertThat(list.get(2)).isEqualTo(new String[] {"a"});
        assertThat(list.get(3)).isInstanceOf(Item[].class);
        assertThat(list.get(4)).isInstanceOf(TreeMap.class).isEqualTo(Map.of("a", 1));
        assertThat(list.get(5)).isEqualTo(Year.of(2020));
    }

    /** With the names that a typed call gives them, which Hessian abbreviates. */
    @Test
    void anArrayInACollectionIsOfItsDeclaredClass() throws Exception {
        assertArray("java.lang.String[]", "[\"a\"]", new String[] {"a"});
        assertArray("java.lang.Object[]", "[\"a\",1]", new Object[] {"a", 1});
        assertArray("java.util.Date[]", "[5]", new Date[] {new Date(5)});
        assertArray("java.lang.Long[]", "[5]", new Long[] {5L});
        assertArray("java.math.BigDecimal[]", "[1.5]", new BigDecimal[] {new BigDecimal("1.5")});
        assertArray("long[]", "[5]", new long[] {5});
        assertArray("java.lang.String[][]", "[[\"a\"],[]]", new String[][] {{"a"}, {}});
        assertArray("int[][]", "[[1],[]]", new int[][] {{1}, {}});
    }

    private static void assertArray(String type, String json, Object expected) throws Exception {
        ByteBuf in = Unpooled.copiedBuffer("[[" + json + "]]", UTF_8);
        ByteBuf out = Unpooled.buffer();
        io.dubbomesh.protocol.type.Arguments.of(
                        new MethodDefinition("m", List.of("java.util.List<" + type + ">"), "void"), Map.of())
                .writeJson(new JsonbWriter().reset(out), ArgumentBounds.NONE, in, 0, in.readableBytes());
        Object array = Fastjson2.readFramed(out, List.class).get(0);
        assertThat(array).hasSameClassAs(expected).isEqualTo(expected);
    }

    private static void writeTreeMap(ValueWriter out) {
        out.beginMap("java.util.TreeMap");
        out.writeKey("a");
        out.writeInt(1);
        out.endMap();
    }

    @Test
    void anObjectIsReadWithItsFieldsTypes() {
        for (String name : new String[] {null, Item.class.getName()}) {
            Item item = read(Item.class, out -> writeItem(out, name));
            assertThat(item.id).isEqualTo(5);
            assertThat(item.count).isEqualTo(6);
            assertThat(item.price).isEqualTo(1.5);
            assertThat(item.name).isEqualTo("\u4e2d");
            assertThat(item.letter).isEqualTo('x');
            assertThat(item.color).isEqualTo(Color.GREEN);
            assertThat(item.when).isEqualTo(new Date(1000));
            assertThat(item.day).isEqualTo(LocalDate.of(2020, 1, 2));
            assertThat(item.amount).isEqualTo(new BigDecimal("1.50"));
            assertThat(item.bytes).containsExactly(1);
            assertThat(item.numbers).containsExactly(1, 2);
            assertThat(item.items.get(0).id).isEqualTo(7);
            assertThat(item.tags).containsExactly("t");
            assertThat(item.colors).isEqualTo(Map.of("c", Color.RED));
            assertThat(item.any).isEqualTo(new ArrayList<>(List.of(1)));
            assertThat(item.next).isNull();
        }
    }

    private static void writeItem(ValueWriter out, String className) {
        if (className == null) {
            out.beginMap();
        } else {
            out.beginMap(className);
        }
        field(out, "id", () -> out.writeInt(5));
        field(out, "count", () -> out.writeLong(6));
        field(out, "price", () -> out.writeDouble(1.5));
        field(out, "name", () -> out.writeString("\u4e2d"));
        field(out, "letter", () -> out.writeString("x"));
        field(out, "color", () -> out.writeEnum(Color.class.getName(), "GREEN"));
        field(out, "when", () -> out.writeDate(1000));
        field(out, "day", () -> out.writeTime(LocalDate.of(2020, 1, 2)));
        field(out, "amount", () -> out.writeBigDecimal(new BigDecimal("1.50")));
        field(out, "bytes", () -> out.writeBinary(new byte[] {1}));
        field(out, "numbers", () -> writeList(out, null, () -> out.writeInt(1), () -> out.writeInt(2)));
        field(
                out,
                "items",
                () -> writeList(out, null, () -> {
                    out.beginMap();
                    field(out, "id", () -> out.writeInt(7));
                    out.endMap();
                }));
        field(out, "tags", () -> writeList(out, null, () -> out.writeString("t")));
        field(out, "colors", () -> {
            out.beginMap();
            field(out, "c", () -> out.writeString("RED"));
            out.endMap();
        });
        field(out, "any", () -> writeList(out, null, () -> out.writeInt(1)));
        field(out, "next", out::writeNull);
        field(out, "unknown", () -> out.writeInt(1));
        out.endMap();
    }

    private static void field(ValueWriter out, String name, Runnable value) {
        out.writeKey(name);
        value.run();
    }
}
