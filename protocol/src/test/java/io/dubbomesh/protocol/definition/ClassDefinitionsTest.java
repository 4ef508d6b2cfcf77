package io.dubbomesh.protocol.definition;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ClassDefinitionsTest {
    private static final String HERE = ClassDefinitionsTest.class.getName() + '$';

    private static byte[] find(String className) throws IOException {
        try (InputStream in =
                ClassDefinitionsTest.class.getResourceAsStream('/' + className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static ServiceDefinition describe(Class<?> service) throws Exception {
        return ClassDefinitions.of(service.getName(), ClassDefinitionsTest::find);
    }

    /** With the classes of this test by their simple names. */
    private static List<String> methods(Class<?> service) throws Exception {
        return describe(service).methods().stream()
                .map(method -> (method.returnType() + ' ' + method.signature()).replace(HERE, ""))
                .toList();
    }

    private static Map<String, String> fields(ServiceDefinition service, String type) {
        TypeDefinition definition = service.types().get(type.replace("~", HERE));
        return definition == null ? null : definition.fields();
    }

    interface Orders extends Store<Order>, Comparable<String>, Serializable {
        int add(int a, int b);

        long add(long a, long b);

        Page<Order> page(Page<? extends Person> page, Order[] more, Set<Order> set);

        <T extends Comparable<T>> T max(List<T> items, T[] array, T one);

        CompletableFuture<Map<String, List<Order>>> later(byte[] data, String... rest);

        default void byDefault() {}

        static void notOffered() {}
    }

    interface Store<T> {
        T save(T value, List<T> more, T[] array);

        <T> void shadowing(List<T> any);
    }

    @Test
    void methodsHaveTheirGenericTypesButParametersKeepWhatTheCompilerMadeOfVariables() throws Exception {
        assertThat(methods(Orders.class))
                .containsExactly(
                        "int add(int,int)",
                        "long add(long,long)",
                        "Page<Order> page(Page<? extends Person>,Order[],java.util.Set<Order>)",
                        "java.lang.Comparable max(java.util.List<java.lang.Comparable>,java.lang.Comparable[],java.lang.Comparable)",
                        "java.util.concurrent.CompletableFuture<java.util.Map<java.lang.String,java.util.List<Order>>>"
                                + " later(byte[],java.lang.String[])",
                        "void byDefault()",
                        "Order save(java.lang.Object,java.util.List<Order>,java.lang.Object[])",
                        "void shadowing(java.util.List<java.lang.Object>)");
    }

    interface Narrowed extends Store<Order> {
        @Override
        Order save(Order value, List<Order> more, Order[] array);
    }

    @Test
    void aMethodThatNarrowsAnInheritedOneReplacesIt() throws Exception {
        assertThat(methods(Narrowed.class))
                .containsExactly(
                        "Order save(Order,java.util.List<Order>,Order[])",
                        "void shadowing(java.util.List<java.lang.Object>)");
    }

    static class Entity<I extends Number> implements Serializable {
        private static final long serialVersionUID = 1L;
        I id;
        Date created;
        transient int cached;
        static int all;
    }

    static class Order extends Entity<Long> {
        private static final long serialVersionUID = 1L;

        enum Kind {
            SMALL,
            LARGE {
                @Override
                public String toString() {
                    return "big";
                }
            };
            static final Kind DEFAULT = SMALL;
        }

        Kind kind;
        Map<String, List<Line>> lines;
        Line[][] grid;
        Order parent;
        BigDecimal price;
        Page<Page<Person>> pages;
        boolean flag;
    }

    static class Line {
        int count;
        String sku;
    }

    static class Page<T> {
        List<T> items;
        T first;
        T[] array;
        Map<? super T, ? extends T> map;
        int total;
    }

    record Person(String name, Order.Kind kind) {}

    @Test
    void aClassHasTheFieldsOfItsSuperclassesFirstAndNothingStaticOrTransient() throws Exception {
        ServiceDefinition service = describe(Orders.class);

        assertThat(new ArrayList<>(fields(service, "~Order").entrySet())
                        .toString()
                        .replace(HERE, ""))
                .isEqualTo("[id=java.lang.Long, created=java.util.Date, kind=Order$Kind,"
                        + " lines=java.util.Map<java.lang.String,java.util.List<Line>>, grid=Line[][], parent=Order,"
                        + " price=java.math.BigDecimal, pages=Page<Page<Person>>, flag=boolean]");
        assertThat(fields(service, "~Line")).isEqualTo(Map.of("count", "int", "sku", "java.lang.String"));
        assertThat(fields(service, "~Person"))
                .isEqualTo(Map.of("name", "java.lang.String", "kind", HERE + "Order$Kind"));
    }

    @Test
    void anEnumHasItsConstantsByName() throws Exception {
        assertThat(describe(Orders.class).types().get(HERE + "Order$Kind"))
                .isEqualTo(new TypeDefinition(HERE + "Order$Kind", List.of("SMALL", "LARGE"), Map.of()));
    }

    @Test
    void aGenericClassIsDefinedOnlyWithItsTypeArguments() throws Exception {
        ServiceDefinition service = describe(Orders.class);

        assertThat(service.types().keySet().stream()
                        .filter(name -> name.contains("Page"))
                        .map(name -> name.replace(HERE, "")))
                .containsExactlyInAnyOrder(
                        "Page<Order>", "Page<? extends Person>", "Page<Page<Person>>", "Page<Person>");
        assertThat(service.types().get(HERE + "Page<" + HERE + "Order>").name()).isEqualTo(HERE + "Page");
        assertThat(fields(service, "~Page<~Order>").toString().replace(HERE, ""))
                .isEqualTo("{items=java.util.List<Order>, first=Order, array=Order[],"
                        + " map=java.util.Map<? super Order,? extends Order>, total=int}");
        assertThat(fields(service, "~Page<? extends ~Person>").toString().replace(HERE, ""))
                .isEqualTo("{items=java.util.List<? extends Person>, first=Person, array=Person[],"
                        + " map=java.util.Map<? super Person,? extends Person>, total=int}");
    }

    interface Shape {}

    abstract static class Form {
        int a;
    }

    static class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
        int a;
    }

    static class Failure extends Exception {
        private static final long serialVersionUID = 1L;
        int a;
    }

    abstract static class Bag<T> implements java.util.Collection<T> {
        int a;
    }

    static class Grows<T> {
        Grows<List<T>> next;
        T value;
    }

    class Inner {
        int a;
    }

    interface Odd {
        void any(Shape shape, Form form, Names names, Failure failure, Bag<String> bag);

        @SuppressWarnings("rawtypes")
        void raw(Page page);

        void grows(Grows<String> grows);

        void inner(Inner inner);

        void ofTheJdk(Map.Entry<String, Line> entry);
    }

    @Test
    void classesThatTheirFieldsDoNotDescribeAreLeftOut() throws Exception {
        ServiceDefinition service = describe(Odd.class);

        assertThat(service.types().keySet().stream()
                        .filter(name -> !name.contains("Grows"))
                        .map(name -> name.replace(HERE, "")))
                .containsExactlyInAnyOrder("Inner", "Line");
        assertThat(fields(service, "~Inner")).isEqualTo(Map.of("a", "int"));
        assertThat(service.methods().get(4).parameterTypes())
                .containsExactly("java.util.Map$Entry<java.lang.String," + HERE + "Line>");
    }

    @Test
    void typeArgumentsThatGrowWithoutEndAreBounded() throws Exception {
        assertThat(describe(Odd.class).types().keySet().stream().filter(name -> name.contains("Grows")))
                .hasSizeBetween(2, 100);
    }

    @Test
    void aMissingInterfaceIsNotKnown() throws Exception {
        assertThat(ClassDefinitions.of("a.B", ClassDefinitionsTest::find)).isNull();
    }

    @Test
    void aMissingClassAndItsSubclassesAreNotKnown() throws Exception {
        for (String missing : List.of("Line", "Entity")) {
            ServiceDefinition service = ClassDefinitions.of(
                    Orders.class.getName(), name -> name.equals(HERE + missing) ? null : find(name));

            assertThat(service.methods()).hasSize(8);
            assertThat(service.types()).doesNotContainKey(HERE + missing);
            assertThat(service.types().containsKey(HERE + "Order")).isEqualTo(!missing.equals("Entity"));
        }
    }

    @Test
    void aServiceIsNotDescribedWithoutAllOfItsMethods() {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> ClassDefinitions.of(
                        Orders.class.getName(), name -> name.equals(Store.class.getName()) ? null : find(name)))
                .withMessage("class " + HERE + "Orders: no class file of " + HERE + "Store");
    }

    @Test
    void aClassIsRefusedAsAnInterface() {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> describe(Line.class))
                .withMessage("class " + HERE + "Line: not an interface");
    }

    @Test
    void aMalformedClassFileIsDescribed() {
        byte[] bytes = new byte[100];
        Arrays.fill(bytes, (byte) 1);

        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> ClassDefinitions.of("a.B", name -> bytes))
                .withMessage("class a.B: malformed class file: no magic number");
    }
}
