package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Arguments of subclasses, of abstract types and of type variables, as a provider with hessian-lite reads them. */
class PolymorphismTest {
    private static final String HERE = PolymorphismTest.class.getName() + '$';
    private static final String SERVICE = Drawings.class.getName();

    interface Measured {}

    abstract static class Shape implements Serializable, Measured {
        private static final long serialVersionUID = 1L;
        String name;
    }

    static class Circle extends Shape {
        private static final long serialVersionUID = 1L;
        double radius;
        /** Hides that of the superclass. */
        String name;
    }

    static final class Disc extends Circle {
        private static final long serialVersionUID = 1L;
        int holes;
    }

    /** Has a field that only a generic call can carry. */
    static final class Odd extends Shape {
        private static final long serialVersionUID = 1L;
        List<Short> shorts;
    }

    record Dot(int x, Shape around) implements Measured, Serializable {}

    enum Paper implements Measured {
        A4,
        LETTER {
            @Override
            public String toString() {
                return "US";
            }
        }
    }

    static final class Drawing implements Serializable {
        private static final long serialVersionUID = 1L;
        Shape cover;
        Measured frame;
        List<Shape> shapes;
        Map<String, Shape> byName;
        Shape[] array;
        Object anything;
    }

    static final class Box<T> implements Serializable {
        private static final long serialVersionUID = 1L;
        T value;
        T[] values;
    }

    interface Base<K, V> {
        V save(K key, V value, V[] more);

        void put(Box<V> box);

        void count(K key);
    }

    interface Drawings extends Base<Long, Shape> {
        void draw(Shape shape);

        void drawAll(List<Shape> shapes);

        void measure(Measured measured);

        void keep(Drawing drawing);

        void sizes(Map<Measured, Integer> sizes);

        void any(Object value);

        void anyOf(Map<String, Object> values);

        void dot(Dot dot);

        void trade(Paper paper, Map<Paper, Paper> papers);

        /** Since a method mentions them, providers trust these classes. */
        Disc mention(Circle circle, Odd odd);
    }

    /** Mentions no subclass. */
    interface Shapes {
        void draw(Shape shape);

        void drawAll(List<Shape> shapes, Paper paper);

        void measure(Measured measured);

        void any(Object value);
    }

    interface Shorts extends Base<Short, Dot> {}

    private static ServiceDefinition define(Class<?> service) {
        try {
            return ClassDefinitions.of(service.getName(), new ClassHierarchy(new TestClasses()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class TestClasses implements ClassDefinitions.ClassFiles {
        @Override
        public byte[] find(String className) throws IOException {
            try (InputStream in =
                    PolymorphismTest.class.getResourceAsStream('/' + className.replace('.', '/') + ".class")) {
                return in == null ? null : in.readAllBytes();
            }
        }

        @Override
        public Collection<String> names() throws IOException {
            Path directory = Path.of(PolymorphismTest.class.getResource("").getPath());
            try (Stream<Path> files = Files.list(directory)) {
                return files.map(file -> file.getFileName().toString())
                        .filter(name -> name.startsWith("PolymorphismTest$"))
                        .map(name -> PolymorphismTest.class.getPackageName() + '.' + name.replace(".class", ""))
                        .toList();
            }
        }
    }

    private static final ServiceDefinition DRAWINGS = define(Drawings.class);
    private static final ServiceDefinition SHORTS = define(Shorts.class);
    private static final ServiceDefinition SHAPES = define(Shapes.class);

    private final ByteBuf out = Unpooled.buffer();

    /** Returns whether the call is a generic one; {@code ~} stands for the name of this class. */
    private boolean encode(Serialization serialization, ServiceDefinition service, String method, String arguments)
            throws CallException {
        ByteBuf in = Unpooled.copiedBuffer(arguments.replace("~", HERE).replace('\'', '"'), UTF_8);
        MethodName name = new MethodName(SERVICE, method, MethodName.UNKNOWN_TYPES, "", "");
        DubboRequest request = DubboRequest.prepare(name, serialization, service);
        return request.encode(
                out.clear(),
                7,
                false,
                new CallArguments().json(in, 0, in.writerIndex()).timeLeftMs(5000));
    }

    private boolean encode(String method, String arguments) throws CallException {
        return encode(Serialization.HESSIAN2, DRAWINGS, method, arguments);
    }

    private Hessian2Input provider(String method, String descriptor) throws Exception {
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (String expected : List.of("2.0.2", SERVICE, "0.0.0", method, descriptor)) {
            assertThat(provider.readString()).isEqualTo(expected);
        }
        return provider;
    }

    private static String descriptor(Class<?> type) {
        return type.descriptorString();
    }

    /** Returns the types and the arguments of a generic call as a provider reads them. */
    private List<?> genericCall(String method) throws Exception {
        Hessian2Input provider = provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        assertThat(provider.readString()).isEqualTo(method);
        return List.of(provider.readObject(String[].class), provider.readObject(Object[].class));
    }

    private void refused(String method, String arguments, String message) {
        assertThatThrownBy(() -> encode(method, arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT))
                .hasMessage(message.replace("~", HERE));
    }

    /** Readers of Dubbo 3.2 and later silently make the declared class of it; what converts generic calls does not. */
    @Test
    void aSubclassThatNoSignatureMentionsIsLeftToTheProvider() throws Exception {
        assertThat(encode(
                        Serialization.HESSIAN2,
                        SHAPES,
                        "drawAll",
                        "[[{'class':'~Disc','holes':3},{'class':'~Circle','radius':1}],'A4']"))
                .isTrue();
        assertThat((Object[]) genericCall("drawAll").get(1))
                .containsExactly(
                        List.of(
                                Map.of("class", HERE + "Disc", "holes", 3),
                                Map.of("class", HERE + "Circle", "radius", 1.0)),
                        "A4");
        assertThat(encode(Serialization.HESSIAN2, SHAPES, "any", "[[{'class':'~Disc','holes':3}]]"))
                .isTrue();
        assertThat((Object[]) genericCall("any").get(1))
                .containsExactly(List.of(Map.of("class", HERE + "Disc", "holes", 3)));
        // It is no subclass for those who mention it.
        assertThat(encode(Serialization.HESSIAN2, SHAPES, "measure", "[{'class':'~Paper','name':'A4'}]"))
                .isFalse();
    }

    /** Generic calls make no records. */
    @Test
    void aRecordIsWrittenNativelyThoughNoSignatureMentionsIt() throws Exception {
        assertThat(encode(Serialization.HESSIAN2, SHAPES, "measure", "[{'class':'~Dot','x':1}]"))
                .isFalse();
    }

    @Test
    void anArgumentMayBeOfASubclass() throws Exception {
        assertThat(encode("draw", "[{'class':'~Disc','radius':2,'name':'d','holes':3}]"))
                .isFalse();
        Disc disc = (Disc) provider("draw", descriptor(Shape.class)).readObject(Shape.class);
        assertThat(disc.radius).isEqualTo(2);
        assertThat(disc.name).isEqualTo("d");
        assertThat(((Shape) disc).name).isNull();
        assertThat(disc.holes).isEqualTo(3);
    }

    @Test
    void elementsOfAListAreOfTheirOwnClasses() throws Exception {
        encode("drawAll", "[[{'class':'~Circle','radius':1},null,{'class':'~Disc'}]]");
        List<?> shapes = (List<?>) provider("drawAll", descriptor(List.class)).readObject(List.class);
        assertThat(shapes.get(0)).isExactlyInstanceOf(Circle.class);
        assertThat(shapes.get(1)).isNull();
        assertThat(shapes.get(2)).isExactlyInstanceOf(Disc.class);
    }

    @Test
    void fieldsOfAbstractTypesTakeSubclasses() throws Exception {
        String circle = "{'class':'~Circle','radius':1}";
        assertThat(encode(
                        "keep",
                        "[{'cover':" + circle + ",'frame':{'class':'~Disc','holes':2},'shapes':[" + circle
                                + "],'byName':{'a':" + circle + "},'array':[" + circle
                                + "],'anything':[{'class':'~Disc','holes':1}]}]"))
                .isFalse();
        Drawing drawing = (Drawing) provider("keep", descriptor(Drawing.class)).readObject(Drawing.class);
        assertThat(((Circle) drawing.cover).radius).isEqualTo(1);
        assertThat(((Disc) drawing.frame).holes).isEqualTo(2);
        assertThat(((Circle) drawing.shapes.get(0)).radius).isEqualTo(1);
        assertThat(((Circle) drawing.byName.get("a")).radius).isEqualTo(1);
        assertThat(((Circle) drawing.array[0]).radius).isEqualTo(1);
        assertThat(((Disc) ((List<?>) drawing.anything).get(0)).holes).isEqualTo(1);
    }

    @Test
    void aValueOfNoDeclaredClassMayNameOneOfTheService() throws Exception {
        assertThat(encode("anyOf", "[{'shape':{'class':'~Disc','holes':1},'other':{'class':'economy'},'n':1}]"))
                .isFalse();
        Map<?, ?> values = (Map<?, ?>) provider("anyOf", descriptor(Map.class)).readObject(Map.class);
        assertThat(((Disc) values.get("shape")).holes).isEqualTo(1);
        assertThat(values.get("other")).isEqualTo(Map.of("class", "economy"));
        encode("any", "[{'class':'~Paper','name':'LETTER'}]");
        assertThat(provider("any", descriptor(Object.class)).readObject(Object.class))
                .isEqualTo(Paper.LETTER);
    }

    @Test
    void aClassThatNoValueOfTheDeclaredTypeCanBeOfIsRefused() {
        String shapes = " (expected: one of ~Circle, ~Disc, ~Odd)";
        refused("draw", "[{'class':'~Drawing'}]", "args[0].class: \"~Drawing\"" + sorted(shapes));
        refused("draw", "[{'class':'~Shape'}]", "args[0].class: \"~Shape\"" + sorted(shapes));
        refused("draw", "[{'class':7}]", "args[0].class: 7" + sorted(shapes));
        refused(
                "draw",
                "[{'class':'javax.script.ScriptEngineManager'}]",
                "args[0].class: \"javax.script.ScriptEngineManager\"" + sorted(shapes));
    }

    /** The order of the subclasses is that of the files, which the system decides. */
    private static String sorted(String text) {
        List<String> names =
                DRAWINGS.types().get(HERE + "Shape").subclasses().stream().toList();
        assertThat(names).containsExactlyInAnyOrder(HERE + "Circle", HERE + "Disc", HERE + "Odd");
        return text.replace("~Circle, ~Disc, ~Odd", String.join(", ", names));
    }

    @Test
    void anAbstractClassCannotBeLeftUnnamed() {
        refused(
                "draw",
                "[{'radius':1}]",
                "args[0]: {...} (expected: the member class, " + sorted("one of ~Circle, ~Disc, ~Odd") + ")");
        refused(
                "draw",
                "[{}]",
                "args[0]: {...} (expected: the member class, " + sorted("one of ~Circle, ~Disc, ~Odd") + ")");
    }

    @Test
    void theClassIsNamedOnce() {
        for (String members : List.of(
                "'class':'~Disc','holes':1,'class':'~Disc'",
                "'holes':1,'class':'~Disc','class':'~Disc'",
                "'holes':1,'class':'~Disc','class':'~Circle'")) {
            refused("draw", "[{" + members + "}]", "args[0].class: the class a second time (expected: once)");
        }
    }

    /** The frames are the same, byte by byte. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            draw    | [{'class':'~Disc','holes':3}]                             | [{'holes':3,'class':'~Disc'}]
            draw    | [{'class':'~Disc','holes':3,'radius':2}]                  | [{'holes':3, 'class' : '~Disc' ,'radius':2}]
            draw    | [{'class':'~Disc','holes':3}]                             | [{'holes':3,'cl\\u0061ss':'~Disc'}]
            drawAll | [[{'class':'~Disc','holes':3},null,{'class':'~Circle'}]]  | [[{'holes':3,'class':'~Disc'},null,{'class':'~Circle'}]]
            keep    | [{'cover':{'class':'~Disc','holes':3}}]                   | [{'cover':{'holes':3,'class':'~Disc'},'class':'~Drawing'}]
            keep    | [{'byName':{'a':{'class':'~Disc','holes':3}}}]            | [{'byName':{'a':{'holes':3,'class':'~Disc'}}}]
            keep    | [{'anything':{'a':1,'b':{'class':'~Disc','holes':3}}}]    | [{'anything':{'a':1,'b':{'holes':3,'class':'~Disc'}}}]
            keep    | [{'frame':{'class':'~Dot','x':1,'around':{'class':'~Disc','holes':3}}}] | [{'frame':{'x':1,'around':{'holes':3,'class':'~Disc'},'class':'~Dot'}}]
            dot     | [{'x':1,'around':null}]                                   | [{'x':1,'class':'~Dot','around':null}]
            measure | [{'class':'~Paper','name':'A4'}]                          | [{'name':'A4','class':'~Paper'}]
            any     | [{'class':'~Paper','name':'A4'}]                          | [{'name':'A4','class':'~Paper'}]
            any     | [[{'class':'~Disc','holes':3}]]                           | [[{'holes':3,'class':'~Disc'}]]
            put     | [{'value':{'class':'~Disc','holes':3}}]                   | [{'class':'~Box','value':{'holes':3,'class':'~Disc'}}]
            """)
    void theClassMayBeNamedByAnyMember(String method, String first, String later) throws Exception {
        for (Serialization serialization : List.of(Serialization.HESSIAN2, Serialization.FASTJSON2)) {
            boolean isGeneric = encode(serialization, DRAWINGS, method, first);
            byte[] frame = ByteBufUtil.getBytes(out);
            assertThat(encode(serialization, DRAWINGS, method, later)).isEqualTo(isGeneric);
            assertThat(ByteBufUtil.getBytes(out)).isEqualTo(frame);
        }
    }

    @Test
    void aLaterMemberThatNamesNoPossibleClassIsRefused() {
        String shapes = sorted(" (expected: one of ~Circle, ~Disc, ~Odd)");
        refused("draw", "[{'holes':1,'class':'~Drawing'}]", "args[0].class: \"~Drawing\"" + shapes);
        refused("draw", "[{'holes':1,'class':7}]", "args[0].class: 7" + shapes);
        refused("draw", "[{'holes':1,'class':null,'radius':2}]", "args[0].class: null" + shapes);
        refused("draw", "[{'holes':1,'class':{'class':'~Disc'}}]", "args[0].class: {...}" + shapes);
        refused("draw", "[{'holes':1,'class':['~Disc']}]", "args[0].class: [...]" + shapes);
        assertThatThrownBy(() -> encode("keep", "[{'frame':{'x':1,'class':'javax.script.ScriptEngineManager'}}]"))
                .hasMessageStartingWith("args[0].frame.class: \"javax.script.ScriptEngineManager\" (expected: one of ");
        refused("keep", "[{'cover':null,'class':'~Disc'}]", "args[0].class: \"~Disc\" (expected: one of ~Drawing)");
    }

    /** They are no classes, and the order of entries is kept. */
    @Test
    void entriesOfAMapStayWhereTheyAreBesideObjectsThatNameTheirClassesLater() throws Exception {
        assertThat(encode(
                        "anyOf", "[{'b':{'z':1,'class':'economy','a':2},'class':'x','s':{'holes':1,'class':'~Disc'}}]"))
                .isFalse();
        Map<?, ?> values = (Map<?, ?>) provider("anyOf", descriptor(Map.class)).readObject(Map.class);
        assertThat(values.get("class")).isEqualTo("x");
        assertThat(values.get("b")).isEqualTo(Map.of("z", 1, "class", "economy", "a", 2));
        assertThat(((Disc) values.get("s")).holes).isEqualTo(1);
    }

    /** Many objects, and deep ones, take time that grows with the text alone. */
    @Test
    @Timeout(10)
    void manyObjectsNameTheirClassesLater() throws Exception {
        String disc = "{'holes':1,'class':'~Disc'}";
        assertThat(encode("drawAll", "[[" + String.join(",", Collections.nCopies(20_000, disc)) + "]]"))
                .isFalse();
        String nested = disc;
        for (int i = 0; i < 200; i++) {
            nested = "{'a':" + nested + ",'class':'economy'}";
        }
        assertThat(encode("any", "[[" + String.join(",", Collections.nCopies(100, nested)) + "]]"))
                .isFalse();
    }

    @Test
    void theFieldsOfTheNamedClassAreChecked() {
        refused(
                "draw",
                "[{'class':'~Disc','holes':'x'}]",
                "args[0].holes: \"x\" (expected: int, -2147483648 to 2147483647)");
        refused(
                "draw",
                "[{'class':'~Circle','holes':1}]",
                "args[0].holes: unknown field (expected: one of name, radius)");
    }

    @Test
    void anInterfaceTakesTheClassesAndEnumsThatImplementIt() throws Exception {
        assertThat(encode("measure", "[{'class':'~Disc','holes':1}]")).isFalse();
        assertThat(provider("measure", descriptor(Measured.class)).readObject(Measured.class))
                .isInstanceOf(Disc.class);
        assertThat(encode("measure", "[{'class':'~Paper','name':'LETTER'}]")).isFalse();
        assertThat(provider("measure", descriptor(Measured.class)).readObject(Measured.class))
                .isEqualTo(Paper.LETTER);
        for (String constant : List.of("'name':'A5'", "'name':7", "'nam':'A4'", "'name':'A4','name':'A4'")) {
            assertThatThrownBy(() -> encode("measure", "[{'class':'~Paper'," + constant + "}]"))
                    .hasMessage("args[0]: {...} (expected: the members class and name, one of A4, LETTER)");
        }
        assertThatThrownBy(() -> encode("measure", "[{'class':'~Paper'}]"))
                .hasMessage("args[0]: {...} (expected: the members class and name, one of A4, LETTER)");
        assertThatThrownBy(() -> encode("measure", "[{'class':'~Drawing'}]"))
                .hasMessageStartingWith("args[0].class: \"" + HERE + "Drawing\" (expected: one of ");
    }

    /** Dubbo's generic filter makes a proxy of a map. */
    @Test
    void anInterfaceWithoutAClassIsLeftToTheProvider() throws Exception {
        assertThat(encode("measure", "[{'area':1.50,'class':'economy'}]")).isTrue();
        List<?> call = genericCall("measure");
        assertThat((String[]) call.get(0)).containsExactly(HERE + "Measured");
        assertThat(((Object[]) call.get(1))[0]).isEqualTo(Map.of("area", new BigDecimal("1.50"), "class", "economy"));

        assertThat(encode("measure", "[{'class':'economy','of':{'class':'~Disc'}}]"))
                .isTrue();
        Map<?, ?> map = (Map<?, ?>) ((Object[]) genericCall("measure").get(1))[0];
        assertThat(map.get("class")).isEqualTo("economy");
        assertThat(map.get("of")).isInstanceOf(Disc.class);

        assertThat(encode("measure", "['text']")).isTrue();
        assertThatThrownBy(() -> encode("measure", "[{'a':{'class':'a.B'}}]"))
                .hasMessage(
                        "args[0].a: class \"a.B\" (expected: none, since only the provider knows this type: name its"
                                + " class files)");
    }

    @Test
    void aTextAsAKeyOfAnInterfaceIsLeftToTheProvider() throws Exception {
        assertThat(encode("sizes", "[{'A4':1}]")).isTrue();
        assertThat((Object[]) genericCall("sizes").get(1)).containsExactly(Map.of("A4", 1));
        assertThat(encode("sizes", "[[[{'class':'~Paper','name':'A4'},1]]]")).isFalse();
        assertThat(provider("sizes", descriptor(Map.class)).readObject(Map.class))
                .isEqualTo(Map.of(Paper.A4, 1));
    }

    @Test
    void theNextCallOfTheMethodIsNativeAgain() throws Exception {
        MethodName name = new MethodName(SERVICE, "measure", MethodName.UNKNOWN_TYPES, "", "");
        DubboRequest request = DubboRequest.prepare(name, Serialization.HESSIAN2, DRAWINGS);
        for (int i = 0; i < 2; i++) {
            for (String argument : List.of("[{\"a\":1}]", "[null]")) {
                ByteBuf in = Unpooled.copiedBuffer(argument, UTF_8);
                CallArguments call =
                        new CallArguments().json(in, 0, in.writerIndex()).timeLeftMs(5000);
                assertThat(request.encode(out.clear(), 7, false, call)).isEqualTo(argument.length() > 6);
            }
        }
        assertThat(request.isGeneric()).isFalse();
    }

    @Test
    void aSubclassThatOnlyTheProviderCanMakeIsCalledGenerically() throws Exception {
        assertThat(encode("drawAll", "[[{'class':'~Odd','name':'o','shorts':[1]},{'class':'~Disc','holes':1}]]"))
                .isTrue();
        Object[] arguments = (Object[]) genericCall("drawAll").get(1);
        List<?> shapes = (List<?>) arguments[0];
        assertThat(shapes.get(0)).isEqualTo(Map.of("class", HERE + "Odd", "name", "o", "shorts", List.of(1)));
        assertThat(shapes.get(1)).isInstanceOf(Disc.class);
    }

    @Test
    void aParameterOfATypeVariableHasValuesOfItsTypeUnderTheErasedDescriptor() throws Exception {
        assertThat(encode("save", "[5,{'class':'~Disc','holes':1},[{'class':'~Circle'}]]"))
                .isFalse();
        Hessian2Input provider = provider("save", "Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;");
        assertThat(provider.readObject(Object.class)).isEqualTo(5L);
        assertThat(provider.readObject(Object.class)).isExactlyInstanceOf(Disc.class);
        Object[] more = (Object[]) provider.readObject(Object[].class);
        assertThat(more).isInstanceOf(Shape[].class);
        assertThat(more[0]).isExactlyInstanceOf(Circle.class);
    }

    @Test
    void aFieldOfATypeVariableHasAValueOfItsType() throws Exception {
        assertThat(encode("put", "[{'value':{'class':'~Disc'},'values':[{'class':'~Circle'}]}]"))
                .isFalse();
        Box<?> box = (Box<?>) provider("put", descriptor(Box.class)).readObject(Box.class);
        assertThat(box.value).isExactlyInstanceOf(Disc.class);
        assertThat(box.values).isInstanceOf(Shape[].class);
    }

    @Test
    void aTypeVariableThatIsATypeWhichHessianDoesNotHaveIsLeftToTheProvider() throws Exception {
        assertThat(encode(Serialization.HESSIAN2, SHORTS, "count", "[5]")).isTrue();
        List<?> call = genericCall("count");
        assertThat((String[]) call.get(0)).containsExactly("java.lang.Object");
    }

    @Test
    void aMethodMayBeNamedByItsErasedTypesOrByThoseThatItsCallersSee() throws Exception {
        for (String named : List.of("Ljava/lang/Object;", "Ljava/lang/Long;")) {
            MethodName name = new MethodName(SERVICE, "count", named, "", "");
            ByteBuf in = Unpooled.copiedBuffer("[5]", UTF_8);
            DubboRequest.prepare(name, Serialization.HESSIAN2, DRAWINGS)
                    .encode(
                            out.clear(),
                            7,
                            false,
                            new CallArguments().json(in, 0, 3).timeLeftMs(5000));
            assertThat(provider("count", "Ljava/lang/Object;").readObject(Object.class))
                    .isEqualTo(5L);
        }
        MethodName other = new MethodName(SERVICE, "count", "Ljava/lang/String;", "", "");
        assertThatThrownBy(() -> DubboRequest.prepare(other, Serialization.HESSIAN2, DRAWINGS))
                .hasMessageContaining("has no method count(java.lang.String)");
    }

    /**
     * A provider that refuses a native call can be one that implements {@code GenericService}, or one that refuses a
     * class.
     */
    @Test
    void aCallThroughInvokeHasMapsThatNameTheirClasses() throws Exception {
        MethodName name = new MethodName(SERVICE, "keep", MethodName.UNKNOWN_TYPES, "", "");
        DubboRequest request = DubboRequest.prepare(name, Serialization.HESSIAN2, DRAWINGS);
        String argument =
                "[{'cover':{'class':'~Disc','holes':1},'frame':{'class':'~Paper','name':'A4'},'array':[null]}]";
        ByteBuf in = Unpooled.copiedBuffer(argument.replace("~", HERE).replace('\'', '"'), UTF_8);

        assertThat(request.throughInvoke()
                        .encode(
                                out,
                                7,
                                false,
                                new CallArguments()
                                        .json(in, 0, in.writerIndex())
                                        .timeLeftMs(5000)))
                .isTrue();

        assertThat((Object[]) genericCall("keep").get(1))
                .containsExactly(Map.of(
                        "class", HERE + "Drawing",
                        "cover", Map.of("class", HERE + "Disc", "holes", 1),
                        "frame", Map.of("class", HERE + "Paper", "name", "A4"),
                        "array", Collections.singletonList(null)));
    }

    /**
     * A provider that implements {@code GenericService} may not have the enum, and an ordinary one converts the name.
     */
    @Test
    void aCallThroughInvokeHasTheNamesOfConstantsWhereverTheyAre() throws Exception {
        for (String arguments : List.of(
                "['A4',{'A4':'LETTER'}]",
                "['A4',[['A4','LETTER']]]",
                "[{'name':'A4'},{'A4':{'name':'LETTER'}}]",
                "[{'name':'A4'},[[{'name':'A4'},{'name':'LETTER'}]]]")) {
            ByteBuf in = Unpooled.copiedBuffer(arguments.replace('\'', '"'), UTF_8);
            encodeThroughInvoke("trade", new CallArguments().json(in, 0, in.writerIndex()));
            assertThat((Object[]) genericCall("trade").get(1)).containsExactly("A4", Map.of("A4", "LETTER"));
        }
        ByteBuf form = Unpooled.buffer();
        for (String argument : List.of("A4", "{\"A4\":\"LETTER\"}")) {
            form.writeInt(argument.length()).writeCharSequence(argument, UTF_8);
        }
        encodeThroughInvoke("trade", new CallArguments().form(form, 0, form.writerIndex()));
        assertThat((Object[]) genericCall("trade").get(1)).containsExactly("A4", Map.of("A4", "LETTER"));
    }

    private void encodeThroughInvoke(String method, CallArguments arguments) throws Exception {
        MethodName name = new MethodName(SERVICE, method, MethodName.UNKNOWN_TYPES, "", "");
        DubboRequest request = DubboRequest.prepare(name, Serialization.HESSIAN2, DRAWINGS);
        assertThat(request.throughInvoke().encode(out.clear(), 7, false, arguments.timeLeftMs(5000)))
                .isTrue();
    }

    /** Its reader knows the class from declarations only. */
    @Test
    void fastjsonNamesSubclassesInGenericCallsOnly() throws Exception {
        assertThat(encode(Serialization.FASTJSON, DRAWINGS, "draw", "[{'class':'~Disc','holes':1}]"))
                .isTrue();
        assertThat(out.toString(UTF_8)).contains("{\"class\":\"" + HERE + "Disc\",\"holes\":1}", "\"$invoke\"");
        assertThat(encode(Serialization.FASTJSON, DRAWINGS, "draw", "[null]")).isFalse();
        assertThat(encode(Serialization.FASTJSON, SHORTS, "put", "[{'value':{'x':1}}]"))
                .isFalse();
    }

    /** hessian-lite makes records since 4.0, and only of objects: the definition is before the values. */
    @Test
    void aRecordIsAnObjectWhoseClassIsDefinedBeforeItsValues() throws Exception {
        assertThat(encode("dot", "[{'x':1,'around':{'class':'~Circle','radius':2}}]"))
                .isFalse();
        String name = HERE + "Dot";
        String frame = out.toString(ISO_8859_1);
        assertThat(frame)
                .contains("C0" + (char) name.length() + name + "\u0092\u0001x\u0006around" + "`\u0091M0"
                        + (char) (HERE + "Circle").length() + HERE + "Circle\u0006radius");
    }
}
