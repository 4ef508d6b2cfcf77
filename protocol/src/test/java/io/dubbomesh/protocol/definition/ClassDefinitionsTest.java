package io.dubbomesh.protocol.definition;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        return ClassDefinitions.of(service.getName(), new ClassHierarchy(ClassDefinitionsTest::find));
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
    void methodsHaveTheTypesThatTheirCallersSee() throws Exception {
        assertThat(methods(Orders.class))
                .containsExactly(
                        "int add(int,int)",
                        "long add(long,long)",
                        "Page<Order> page(Page<? extends Person>,Order[],java.util.Set<Order>)",
                        "java.lang.Comparable max(java.util.List<java.lang.Comparable>,java.lang.Comparable[],java.lang.Comparable)",
                        "java.util.concurrent.CompletableFuture<java.util.Map<java.lang.String,java.util.List<Order>>>"
                                + " later(byte[],java.lang.String[])",
                        "void byDefault()",
                        "Order save(Order,java.util.List<Order>,Order[])",
                        "void shadowing(java.util.List<java.lang.Object>)");
    }

    private static MethodDefinition method(Class<?> service, String name) throws Exception {
        return describe(service).methods().stream()
                .filter(method -> method.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aParameterOfATypeVariableIsErasedAsTheCompilerDoesIt() throws Exception {
        assertThat(method(Orders.class, "save").erasedTypes())
                .containsExactly("java.lang.Object", "java.util.List", "java.lang.Object[]");
        assertThat(method(Orders.class, "max").erasedTypes())
                .containsExactly("java.util.List", "java.lang.Comparable[]", "java.lang.Comparable");
        assertThat(method(Orders.class, "add").erasedTypes()).containsExactly("int", "int");
    }

    interface Keyed<K extends Comparable<K> & Serializable, V extends Entity<?>> extends Store<V> {
        V find(K key);

        <S extends V> S replace(K key, S value);

        Map<K, List<V>> group(Map<K, ? extends V> values, K[] keys);
    }

    interface Swapped<V extends Order, W> extends Keyed<Long, V>, Comparable<W> {}

    interface Special extends Swapped<Order, Page<Person>> {
        @Override
        Order find(Long key);
    }

    @Test
    void typeVariablesAreFollowedThroughTheWholeHierarchy() throws Exception {
        assertThat(methods(Special.class))
                .containsExactly(
                        "Order find(java.lang.Long)",
                        "Order replace(java.lang.Long,Order)",
                        "java.util.Map<java.lang.Long,java.util.List<Order>> group("
                                + "java.util.Map<java.lang.Long,? extends Order>,java.lang.Long[])",
                        "Order save(Order,java.util.List<Order>,Order[])",
                        "void shadowing(java.util.List<java.lang.Object>)");
        assertThat(method(Special.class, "find").erasedTypes()).containsExactly("java.lang.Long");
        assertThat(method(Special.class, "replace").erasedTypes())
                .containsExactly("java.lang.Comparable", HERE + "Entity");
        assertThat(method(Special.class, "group").erasedTypes())
                .containsExactly("java.util.Map", "java.lang.Comparable[]");
        assertThat(fields(describe(Special.class), "~Person")).isNotNull();
    }

    /** Compares with the descriptors that reflection, and so Dubbo, finds. */
    @Test
    void everyMethodHasADescriptorThatReflectionFinds() throws Exception {
        for (Class<?> service : List.of(Orders.class, Special.class, Narrowed.class, Odd.class, Drawings.class)) {
            Set<String> reflected = new HashSet<>();
            for (java.lang.reflect.Method method : service.getMethods()) {
                reflected.add(method.getName()
                        + Arrays.stream(method.getParameterTypes())
                                .map(Class::getTypeName)
                                .toList());
            }
            for (MethodDefinition method : describe(service).methods()) {
                assertThat(reflected).contains(method.name() + method.erasedTypes());
            }
        }
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

    /** All classes of this test by name, as a jar lists them. */
    private static ClassHierarchy listed() {
        return new ClassHierarchy(new ClassDefinitions.ClassFiles() {
            @Override
            public byte[] find(String className) throws IOException {
                return ClassDefinitionsTest.find(className);
            }

            @Override
            public Collection<String> names() throws IOException {
                try (Stream<Path> files = Files.list(
                        Path.of(ClassDefinitionsTest.class.getResource("").getPath()))) {
                    return files.map(file -> file.getFileName().toString())
                            .filter(name -> name.startsWith("ClassDefinitionsTest"))
                            .map(name -> ClassDefinitionsTest.class.getPackageName()
                                    + '.'
                                    + name.substring(0, name.length() - ".class".length()))
                            .sorted()
                            .toList();
                }
            }
        });
    }

    sealed interface Drawable permits Dot, Line2, Marks, Figure {}

    record Dot(int x, int y) implements Drawable {}

    static final class Line2 implements Drawable {
        Dot from;
        Dot to;
    }

    enum Marks implements Drawable {
        CROSS,
        STAR {
            @Override
            public String toString() {
                return "*";
            }
        }
    }

    abstract static non-sealed class Figure implements Drawable {
        String name;
    }

    static class Box extends Figure {
        double side;
        String name;
    }

    static class TaggedBox extends Box {
        List<String> tags;
    }

    static class Unclear extends Figure {
        Object value = new Object() {
            @Override
            public String toString() {
                return "anonymous";
            }
        };
    }

    /** No client can name its class. */
    static final Figure UNNAMED = new Figure() {};

    /** Its fields are not all known, since those of its superclass are not. */
    static class Broken extends Thread implements Drawable2 {}

    interface Drawable2 {}

    static class Holder<T> {
        T value;
        T[] values;
        List<T> list;
    }

    static class IntHolder extends Holder<Integer> {
        int more;
    }

    static class DotHolder extends Holder<Dot> {}

    static class Wide<A, B> extends Holder<B> {
        A other;
    }

    interface Drawings {
        void draw(Drawable drawable, Figure figure, Box box, Drawable2 none);

        void hold(Holder<Dot> dots, Holder<?> any);
    }

    private static Set<String> subclasses(ServiceDefinition service, String type) {
        return service.types().get(type.replace("~", HERE)).subclasses().stream()
                .map(name -> name.replace(HERE, ""))
                .collect(Collectors.toSet());
    }

    @Test
    void theSubclassesOfAClassAreThoseOfTheClassFilesThatAValueCanBeOf() throws Exception {
        ServiceDefinition service = ClassDefinitions.of(Drawings.class.getName(), listed());

        assertThat(subclasses(service, "~Drawable"))
                .containsExactlyInAnyOrder("Dot", "Line2", "Marks", "Box", "TaggedBox", "Unclear");
        assertThat(subclasses(service, "~Figure")).containsExactlyInAnyOrder("Box", "TaggedBox", "Unclear");
        assertThat(subclasses(service, "~Box")).containsExactly("TaggedBox");
        assertThat(subclasses(service, "~Dot")).isEmpty();
        assertThat(service.types().get(HERE + "Drawable").kind()).isEqualTo(TypeDefinition.Kind.INTERFACE);
        assertThat(service.types().get(HERE + "Figure").kind()).isEqualTo(TypeDefinition.Kind.ABSTRACT_CLASS);
        assertThat(service.types().get(HERE + "Dot").kind()).isEqualTo(TypeDefinition.Kind.RECORD);
        assertThat(service.types().get(HERE + "Marks").constants()).containsExactly("CROSS", "STAR");
    }

    @Test
    void noMoreThanTwentyThousandClassFilesAreReadForSubclasses() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        for (int count : new int[] {20_000, 20_001}) {
            List<String> names =
                    IntStream.range(0, count).mapToObj(i -> "a.C" + i).toList();
            ClassHierarchy classes = new ClassHierarchy(new ClassDefinitions.ClassFiles() {
                @Override
                public byte[] find(String className) throws IOException {
                    reads.incrementAndGet();
                    return ClassDefinitionsTest.find(className);
                }

                @Override
                public Collection<String> names() {
                    return names;
                }
            });

            assertThat(ClassDefinitions.of(Drawings.class.getName(), classes).methods())
                    .hasSize(2);
            assertThat(classes.subtypes().areComplete()).isEqualTo(count == 20_000);
        }
        assertThat(reads.get()).isLessThan(41_000);
    }

    @Test
    void anInterfaceWithoutAKnownClassThatImplementsItIsNotKnown() throws Exception {
        ServiceDefinition service = ClassDefinitions.of(Drawings.class.getName(), listed());

        assertThat(service.types()).doesNotContainKeys(HERE + "Drawable2", HERE + "Broken");
    }

    @Test
    void aFieldHidesThatOfASuperclass() throws Exception {
        ServiceDefinition service = ClassDefinitions.of(Drawings.class.getName(), listed());

        assertThat(new ArrayList<>(fields(service, "~TaggedBox").keySet())).containsExactly("name", "side", "tags");
    }

    @Test
    void aSubclassHasTheTypeArgumentsThatFollowFromTheDeclaredType() throws Exception {
        ServiceDefinition service = ClassDefinitions.of(Drawings.class.getName(), listed());

        assertThat(subclasses(service, "~Holder<~Dot>"))
                .containsExactlyInAnyOrder("DotHolder", "Wide<? extends java.lang.Object,Dot>");
        assertThat(fields(service, "~Wide<? extends java.lang.Object,~Dot>")
                        .toString()
                        .replace(HERE, ""))
                .isEqualTo("{value=Dot, values=Dot[], list=java.util.List<Dot>, other=java.lang.Object}");
        assertThat(subclasses(service, "~Holder<?>"))
                .containsExactlyInAnyOrder("IntHolder", "DotHolder", "Wide<? extends java.lang.Object,?>");
    }

    @Test
    void aFieldOfATypeVariableIsMarked() throws Exception {
        ServiceDefinition service = ClassDefinitions.of(Drawings.class.getName(), listed());

        assertThat(service.types().get(HERE + "DotHolder").variableFields())
                .containsExactlyInAnyOrder("value", "values");
        assertThat(service.types().get(HERE + "IntHolder").variableFields())
                .containsExactlyInAnyOrder("value", "values");
        assertThat(service.types().get(HERE + "Dot").variableFields()).isEmpty();
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
                .containsExactlyInAnyOrder("Inner", "Line", "Names", "Bag<java.lang.String>");
        assertThat(service.types().get(HERE + "Names").container().supertype())
                .isEqualTo("java.util.ArrayList<java.lang.String>");
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
        assertThat(ClassDefinitions.of("a.B", new ClassHierarchy(ClassDefinitionsTest::find)))
                .isNull();
    }

    @Test
    void aMissingClassAndItsSubclassesAreNotKnown() throws Exception {
        for (String missing : List.of("Line", "Entity")) {
            ServiceDefinition service = ClassDefinitions.of(
                    Orders.class.getName(),
                    new ClassHierarchy(name -> name.equals(HERE + missing) ? null : find(name)));

            assertThat(service.methods()).hasSize(8);
            assertThat(service.types()).doesNotContainKey(HERE + missing);
            assertThat(service.types().containsKey(HERE + "Order")).isEqualTo(!missing.equals("Entity"));
        }
    }

    @Test
    void aServiceIsNotDescribedWithoutAllOfItsMethods() {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> ClassDefinitions.of(
                        Orders.class.getName(),
                        new ClassHierarchy(name -> name.equals(Store.class.getName()) ? null : find(name))))
                .withMessage("class " + HERE + "Orders: no class file of " + HERE + "Store");
    }

    @Test
    void aClassIsRefusedAsAnInterface() {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> describe(Line.class))
                .withMessage("class " + HERE + "Line: not an interface");
    }

    @Test
    void aClassFileOfAnotherNameIsRefused() {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> ClassDefinitions.of(
                        Orders.class.getName(),
                        new ClassHierarchy(name -> find(name.equals(HERE + "Line") ? "java.lang.Object" : name))))
                .withMessage("class " + HERE + "Line: its file is of another class");
    }

    /** {@code interface In<T> extends In-1<List<T>>, In-1<Set<T>>}, which no compiler writes: 2^n names. */
    private static byte[] doubling(String className) throws IOException {
        int level = Integer.parseInt(className.substring("a.I".length()));
        String parent = "a/I" + (level - 1);
        String of = level == 0 ? "" : 'L' + parent + "<Ljava/util/%s<TT;>;>;";
        String signature = "<T:Ljava/lang/Object;>Ljava/lang/Object;" + of.formatted("List") + of.formatted("Set");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(61);
        String[] texts = {className.replace('.', '/'), "java/lang/Object", parent, "Signature", signature};
        out.writeShort(9);
        for (String text : texts) {
            out.writeByte(1);
            out.writeUTF(text);
        }
        for (int name = 1; name <= 3; name++) {
            out.writeByte(7);
            out.writeShort(name);
        }
        int interfaceAndAbstract = 0x0600;
        for (int each : new int[] {interfaceAndAbstract, 6, 7}) {
            out.writeShort(each);
        }
        out.writeShort(level == 0 ? 0 : 1);
        if (level > 0) {
            out.writeShort(8);
        }
        // No fields and methods, and one attribute.
        for (int each : new int[] {0, 0, 1, 4}) {
            out.writeShort(each);
        }
        out.writeInt(Short.BYTES);
        out.writeShort(5);
        return bytes.toByteArray();
    }

    @Test
    @Timeout(20)
    void interfacesThatDoubleWithEachLevelAreRefused() {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> ClassDefinitions.of("a.I30", new ClassHierarchy(ClassDefinitionsTest::doubling)))
                .withMessageEndingWith(": more than 1000 superinterfaces");
    }

    @Test
    void aMalformedClassFileIsDescribed() {
        byte[] bytes = new byte[100];
        Arrays.fill(bytes, (byte) 1);

        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> ClassDefinitions.of("a.B", new ClassHierarchy(name -> bytes)))
                .withMessage("class a.B: malformed class file: no magic number");
    }
}
