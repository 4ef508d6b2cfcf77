package io.dubbomesh.protocol.type;

import com.alibaba.fastjson.JSON;
import com.alibaba.fastjson.serializer.SerializerFeature;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.fastjson.FastjsonValues;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianValues;
import io.dubbomesh.protocol.jsonb.Fastjson2;
import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbValues;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.OffsetTime;
import java.time.Year;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Checks that a value of a known type has one JSON in all serializations. */
@SuppressWarnings("serial")
class ValueToJsonTest {
    private static ServiceDefinition service;

    enum Color {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "green";
            }
        }
    }

    static class Named implements Serializable {
        private static final long serialVersionUID = 1L;
        String name;

        Named(String name) {
            this.name = name;
        }
    }

    static class Base implements Serializable {
        private static final long serialVersionUID = 1L;
        boolean isDeleted;
        Color color;
        Named owner;
        float ratio;
        Date made;
        Timestamp changed;
        byte[] image;
        char letter = 'x';
        UUID key;
        Year year;
        OffsetTime opens;
        List<Color> colors;
        Map<Color, Integer> counts;
        Map<Long, Named> byNumber;
        int number;
        Integer boxed;
        BigDecimal price;
    }

    static final class Sub extends Base {
        private static final long serialVersionUID = 1L;
        Color inner;
    }

    static final class Schedule implements Serializable {
        private static final long serialVersionUID = 1L;
        DayOfWeek day = DayOfWeek.FRIDAY;
        TimeUnit unit = TimeUnit.NANOSECONDS;
        Thread.State state;
        List<Month> months = new ArrayList<>(List.of(Month.MAY));
        Map<RoundingMode, ChronoUnit> units = new HashMap<>(Map.of(RoundingMode.UP, ChronoUnit.DAYS));
    }

    static class Page<T> implements Serializable {
        private static final long serialVersionUID = 1L;
        List<T> items;
        T first;
    }

    static final class Outer implements Serializable {
        private static final long serialVersionUID = 1L;
        String label;
        Inner inner = new Inner();

        final class Inner implements Serializable {
            private static final long serialVersionUID = 1L;
            int number = 7;

            @Override
            public String toString() {
                return label + number;
            }
        }
    }

    interface Service {
        Outer outer();

        Time timeOfDay();

        Named named();

        List<Named> list();

        Map<String, Named> map();

        Set<Color> colors();

        Color color();

        Base base();

        Schedule schedule();

        Page<Base> page();

        Object object();

        CompletableFuture<Color> later();

        float ratio();

        Date date();

        UUID key();

        char[] chars();

        byte[] bytes();

        BitSet bits();

        Optional<UUID> optionalKey();

        Optional<Optional<BitSet>> optionalBits();

        AtomicReference<UUID> heldKey();

        Map<Optional<Color>, Integer> optionalKeys();

        LongAdder sum();
    }

    @BeforeAll
    static void readClassFiles() throws Exception {
        service = ClassDefinitions.of(Service.class.getName(), new ClassHierarchy(new ClassDefinitions.ClassFiles() {
            @Override
            public byte[] find(String className) throws IOException {
                return ValueToJsonTest.find(className);
            }

            @Override
            public Collection<String> names() {
                return List.of(Sub.class.getName());
            }
        }));
    }

    private static byte[] find(String className) throws IOException {
        try (InputStream in = ValueToJsonTest.class.getResourceAsStream('/' + className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static DeclaredType declared(String method) {
        MethodDefinition definition = service.methods().stream()
                .filter(each -> each.name().equals(method))
                .findFirst()
                .orElseThrow();
        return DeclaredType.of(definition.returnType(), service.types());
    }

    private static String hessian(Object value, DeclaredType declared, ClassNames names)
            throws MalformedValueException {
        ByteBuf in = HessianLite.write(value);
        HessianReader reader = new HessianReader().reset(in, 0, in.readableBytes());
        return json(new ValueToJson(new HessianValues(reader), 1 << 20), declared, names);
    }

    private static String fastjson2(Object value, DeclaredType declared) throws MalformedValueException {
        ByteBuf in = Fastjson2.write(value);
        JsonbReader reader = new JsonbReader();
        reader.reset(in, 0, in.readableBytes());
        return json(new ValueToJson(new JsonbValues(reader), 1 << 20), declared, ClassNames.OMIT);
    }

    private static String fastjson(Object value, DeclaredType declared) throws MalformedValueException {
        ByteBuf in = Unpooled.copiedBuffer(JSON.toJSONString(value, SerializerFeature.IgnoreNonFieldGetter), UTF_8);
        FastjsonValues values = new FastjsonValues(ReadingTime.unlimited());
        values.reset(in, 0, in.readableBytes());
        return json(new ValueToJson(values, 1 << 20), declared, ClassNames.OMIT);
    }

    private static String json(ValueToJson writer, DeclaredType declared, ClassNames names)
            throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        writer.writeJson(out, names, declared);
        return out.toString(UTF_8);
    }

    private static Object tree(String json) {
        return com.alibaba.fastjson2.JSON.parse(json);
    }

    private static Base base(Base base) {
        base.isDeleted = true;
        base.color = Color.GREEN;
        base.owner = new Named(null);
        base.ratio = 0.1f;
        base.made = new Date(0);
        base.changed = new Timestamp(123);
        base.image = new byte[] {1, 2};
        base.key = new UUID(1, 2);
        base.year = Year.of(2026);
        base.opens = OffsetTime.parse("10:15:30+02:00");
        base.colors = new ArrayList<>(List.of(Color.RED, Color.GREEN));
        base.counts = new EnumMap<>(Map.of(Color.GREEN, 1));
        base.byNumber = new HashMap<>(Map.of(1L, new Named("x")));
        return base;
    }

    private static final String BASE = "\"isDeleted\":true,\"color\":\"GREEN\",\"owner\":{\"name\":null},\"ratio\":0.1,"
            + "\"made\":\"1970-01-01T00:00:00Z\",\"changed\":\"1970-01-01T00:00:00.123Z\",\"image\":\"AQI=\","
            + "\"letter\":\"x\",\"key\":\"00000000-0000-0001-0000-000000000002\",\"year\":\"2026\","
            + "\"opens\":\"10:15:30+02:00\",\"colors\":[\"RED\",\"GREEN\"],\"counts\":{\"GREEN\":1},"
            + "\"byNumber\":[[1,{\"name\":\"x\"}]],\"number\":0,\"boxed\":null,\"price\":null";

    static List<Arguments> valuesAndTheirJson() {
        Sub sub = (Sub) base(new Sub());
        sub.inner = Color.RED;
        Page<Base> page = new Page<>();
        page.items = new ArrayList<>(List.of(base(new Base())));
        page.first = sub;
        Page<Base> shared = new Page<>();
        shared.items = new ArrayList<>(Arrays.asList(sub, sub, null));
        return List.of(
                Arguments.of("named", new Named("RED"), "{\"name\":\"RED\"}"),
                Arguments.of("named", new Named("a b"), "{\"name\":\"a b\"}"),
                Arguments.of("named", new Named(null), "{\"name\":null}"),
                Arguments.of("list", new ArrayList<>(List.of(new Named("x"))), "[{\"name\":\"x\"}]"),
                Arguments.of("map", new HashMap<>(Map.of("k", new Named("x"))), "{\"k\":{\"name\":\"x\"}}"),
                Arguments.of("colors", new LinkedHashSet<>(List.of(Color.RED, Color.GREEN)), "[\"RED\",\"GREEN\"]"),
                Arguments.of("color", Color.GREEN, "\"GREEN\""),
                Arguments.of("later", Color.GREEN, "\"GREEN\""),
                Arguments.of("base", base(new Base()), "{" + BASE + "}"),
                Arguments.of(
                        "schedule",
                        new Schedule(),
                        "{\"day\":\"FRIDAY\",\"unit\":\"NANOSECONDS\",\"state\":null,\"months\":[\"MAY\"],"
                                + "\"units\":{\"UP\":\"DAYS\"}}"),
                Arguments.of("base", sub, "{" + BASE + ",\"inner\":\"RED\"}"),
                Arguments.of("page", page, "{\"items\":[{" + BASE + "}],\"first\":{" + BASE + ",\"inner\":\"RED\"}}"),
                Arguments.of(
                        "page",
                        shared,
                        "{\"items\":[{" + BASE + ",\"inner\":\"RED\"},{" + BASE + ",\"inner\":\"RED\"},null],"
                                + "\"first\":null}"),
                Arguments.of("outer", new Outer(), "{\"label\":null,\"inner\":{\"number\":7}}"),
                Arguments.of("timeOfDay", new Time(5_000), "\"1970-01-01T00:00:05Z\""),
                Arguments.of("ratio", 0.1f, "0.1"),
                Arguments.of("date", new Date(5), "\"1970-01-01T00:00:00.005Z\""),
                Arguments.of("key", new UUID(1, 2), "\"00000000-0000-0001-0000-000000000002\""),
                Arguments.of("chars", new char[] {'a', 'b'}, "\"ab\""),
                Arguments.of("bytes", new byte[] {1, 2}, "\"AQI=\""),
                Arguments.of("bits", BitSet.valueOf(new long[] {5, 64}), "[0,2,70]"));
    }

    @ParameterizedTest
    @MethodSource("valuesAndTheirJson")
    void aValueHasOneJsonWhateverItWasSerializedWith(String method, Object value, String json) throws Exception {
        DeclaredType declared = declared(method);
        assertThat(tree(hessian(value, declared, ClassNames.OMIT))).isEqualTo(tree(json));
        assertThat(tree(fastjson2(value, declared))).isEqualTo(tree(json));
    }

    static final class Newer implements Serializable {
        private static final long serialVersionUID = 1L;
        int old = 1;
        String added = "x";
    }

    /** Fastjson2 does not name the class where it is declared; in a list of objects it does. */
    @Test
    void aFieldThatOnlyTheProvidersClassHasIsThere() throws Exception {
        String name = Newer.class.getName();
        Map<String, TypeDefinition> known = Map.of(
                name,
                new TypeDefinition(
                        name, TypeDefinition.Kind.CLASS, List.of(), Map.of("old", "int"), Set.of(), Set.of()));
        for (String declared : List.of("java.util.List<" + name + ">", "java.lang.Object")) {
            DeclaredType type = DeclaredType.of(declared, known);
            ArrayList<Object> value = new ArrayList<>(List.of(new Newer()));
            Object json = tree("[{\"old\":1,\"added\":\"x\"}]");
            assertThat(tree(hessian(value, type, ClassNames.OMIT))).isEqualTo(json);
            assertThat(tree(fastjson2(value, type))).isEqualTo(json);
        }
    }

    /** In Hessian an Optional cannot be sent at all. */
    @Test
    void whatHoldsAValueIsTheValueOfItsType() throws Exception {
        UUID key = new UUID(1, 2);
        String json = "\"00000000-0000-0001-0000-000000000002\"";
        assertThat(fastjson2(Optional.of(key), declared("optionalKey"))).isEqualTo(json);
        assertThat(fastjson2(new AtomicReference<>(key), declared("heldKey"))).isEqualTo(json);
        assertThat(hessian(new AtomicReference<>(key), declared("heldKey"), ClassNames.OMIT))
                .isEqualTo(json);
        assertThat(fastjson2(Optional.of(Optional.of(BitSet.valueOf(new long[] {5}))), declared("optionalBits")))
                .isEqualTo("[0,2]");
        assertThat(fastjson2(new HashMap<>(Map.of(Optional.of(Color.RED), 1)), declared("optionalKeys")))
                .isEqualTo("{\"RED\":1}");
    }

    /** Fastjson2 sends none of the fields of a LongAdder. */
    @Test
    void aHolderOfAScalarThatHasLostItIsAnError() throws Exception {
        LongAdder sum = new LongAdder();
        sum.add(5);
        assertThat(hessian(sum, declared("sum"), ClassNames.OMIT)).isEqualTo("5");
        assertThatThrownBy(() -> fastjson2(sum, declared("sum")))
                .isInstanceOf(MalformedValueException.class)
                .hasMessageEndingWith("a java.util.concurrent.atomic.LongAdder, whose fields are not its value");
    }

    @Test
    void anObjectOfAKnownClassIsKnownWhereNoneIsDeclared() throws Exception {
        DeclaredType any = declared("object");
        assertThat(hessian(new ArrayList<>(List.of(new Named("RED"), Color.RED)), any, ClassNames.OMIT))
                .isEqualTo("[{\"name\":\"RED\"},\"RED\"]");
        assertThat(fastjson2(new ArrayList<>(List.of(new Named("RED"))), any)).isEqualTo("[{\"name\":\"RED\"}]");
    }

    @Test
    void whereNoClassIsKnownAnObjectWithANameOnlyCountsAsAConstantIfItCouldBeOne() throws Exception {
        for (String name : new String[] {"a b", "", "1"}) {
            assertThat(hessian(new Named(name), DeclaredType.UNKNOWN, ClassNames.OMIT))
                    .isEqualTo("{\"name\":\"" + name + "\"}");
        }
        assertThat(hessian(new Named(null), DeclaredType.UNKNOWN, ClassNames.OMIT))
                .isEqualTo("{\"name\":null}");
        assertThat(hessian(Color.RED, DeclaredType.UNKNOWN, ClassNames.OMIT)).isEqualTo("\"RED\"");
    }

    /** Returns the map that Dubbo's PojoUtils makes of an object. */
    private static Map<String, Object> properties(String className, Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        map.put("class", className);
        return map;
    }

    @Test
    void theResultOfAGenericCallHasTheTypesOfItsClass() throws Exception {
        Map<String, Object> base = properties(
                Sub.class.getName(),
                "deleted",
                true,
                "color",
                "GREEN",
                "image",
                new ArrayList<>(List.of((byte) 1, (byte) 2)),
                "owner",
                properties(Named.class.getName(), "name", "x"),
                "inner",
                "RED",
                "more",
                7);
        assertThat(tree(hessian(base, declared("base"), ClassNames.REMOVE)))
                .isEqualTo(tree("{\"isDeleted\":true,\"color\":\"GREEN\",\"image\":\"AQI=\",\"owner\":{\"name\":\"x\"},"
                        + "\"inner\":\"RED\"}"));
        assertThat(hessian(base, declared("base"), ClassNames.KEEP))
                .startsWith("{\"class\":\"" + Sub.class.getName() + "\",");
    }

    @Test
    void whatAGenericCallSendsWithoutItsValueIsAnError() {
        assertThatThrownBy(() -> hessian(
                        properties("java.util.Optional", "present", true, "empty", false),
                        DeclaredType.UNKNOWN,
                        ClassNames.REMOVE))
                .isInstanceOf(MalformedValueException.class)
                .hasMessage("of a java.util.Optional in its result, Dubbo's generic call sends properties and not the"
                        + " value; with the class files of the service (dubbo.api.jars), calls need not be generic");
        assertThatThrownBy(() -> hessian(
                        new ArrayList<>(List.of(properties("com.example.Point"))),
                        DeclaredType.UNKNOWN,
                        ClassNames.REMOVE))
                .hasMessageStartingWith("of a com.example.Point in its result, Dubbo's generic call sends nothing but");
        assertThatThrownBy(() -> hessian(properties(Named.class.getName()), declared("named"), ClassNames.REMOVE))
                .hasMessage("of a " + Named.class.getName()
                        + " in its result, Dubbo's generic call sends nothing but the class");
    }

    @Test
    void fastjsonHasNoTypesAndTheDeclaredOnesAreUsed() throws Exception {
        assertThat(fastjson(new Date(5), declared("date"))).isEqualTo("\"1970-01-01T00:00:00.005Z\"");
        assertThat(fastjson(Color.RED, declared("color"))).isEqualTo("\"RED\"");
        assertThat(fastjson(Map.of("isDeleted", true, "number", 5, "changed", 0), declared("base")))
                .contains("\"isDeleted\":true", "\"changed\":\"1970-01-01T00:00:00Z\"", "\"boxed\":null");
    }
}
