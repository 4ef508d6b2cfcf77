package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.SmallStack;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.FieldFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.type.JavaType.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

class JavaTypesTest {
    private static final String HERE = JavaTypesTest.class.getName() + '$';

    /** A type keeps what is known of it, and values name classes: each name must stand for one type. */
    @Test
    void aClassOrEnumIsTheSameTypeHoweverOftenValuesNameIt() {
        JavaTypes types = new JavaTypes(Map.of(
                "a.Item", new TypeDefinition("a.Item", List.of(), Map.of("colour", "a.Colour")),
                "a.Colour", new TypeDefinition("a.Colour", List.of("RED"), Map.of())));

        for (String name : List.of("a.Item", "a.Colour")) {
            assertThat(types.definedClass(name)).as(name).isSameAs(types.definedClass(name));
        }
        assertThat(types.definedClass("a.Item").fields().get("colour")).isSameAs(types.definedClass("a.Colour"));
    }

    /** A report may have any names. */
    @Test
    void aFieldWithoutANameIsOneAsOthers() {
        Map<String, String> fields = new LinkedHashMap<>(Map.of("", "int"));
        fields.put("URL", "java.lang.String");
        JavaType type = new JavaTypes(Map.of("a.B", new TypeDefinition("a.B", List.of(), fields))).of("a.B");

        assertThat(type.indexOf("")).isZero();
        assertThat(type.indexOf("uRL")).isOne();
        assertThat(type.indexOf("url")).isNegative();
    }

    /** Looked for one by one, each among all, they took seven seconds. */
    @Test
    @Timeout(4)
    void theSpellingsOfManyFieldsAreFoundAtOnce() {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < 60_000; i++) {
            fields.put("xField" + i, "int");
        }
        JavaType type = new JavaTypes(Map.of("a.B", new TypeDefinition("a.B", List.of(), fields))).of("a.B");

        assertThat(type.indexOf("XField59999")).isEqualTo(59_999);
    }

    @Test
    void aLongChainOfClassesThatExtendCollectionsHasAnEnd() throws Exception {
        FieldFacts none = new FieldFacts(Map.of(), Set.of(), Map.of(), Map.of(), false);
        Map<String, TypeDefinition> chain = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            TypeDefinition.Container next =
                    new TypeDefinition.Container("java.util.ArrayList<a.C" + (i + 1) + '>', true);
            chain.put(
                    "a.C" + i,
                    new TypeDefinition(
                            "a.C" + i, TypeDefinition.Kind.CLASS, List.of(), Map.of(), none, Set.of(), false, next));
        }
        SmallStack.run(() -> {
            JavaType type = new JavaTypes(chain).of("a.C0");
            for (int i = 0; i < 99; i++) {
                assertThat(type.kind()).isEqualTo(Kind.LIST);
                type = type.element();
            }
            assertThat(type.element().kind()).isEqualTo(Kind.UNKNOWN);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            java.util.TreeMap<int[],java.lang.Long>                              | MAP      | int[] | java.lang.Long
            java.util.EnumMap<java.time.DayOfWeek,java.lang.Short>               | MAP      | java.time.DayOfWeek | java.lang.Short
            java.util.concurrent.ConcurrentMap<java.lang.String,java.lang.Short> | MAP      | java.lang.String | java.lang.Short
            java.util.NavigableMap                                               | MAP      | java.lang.Object | java.lang.Object
            java.util.Properties                                                 | MAP      | java.lang.String | java.lang.String
            com.google.common.collect.ImmutableMap<java.lang.String,java.lang.Long> | MAP   | java.lang.String | java.lang.Long
            com.google.common.collect.ImmutableSortedSet<java.lang.Long>         | LIST     | | java.lang.Long
            java.util.Queue<java.lang.Long>                                      | LIST     | | java.lang.Long
            java.util.EnumSet<java.time.DayOfWeek>                               | LIST     | | java.time.DayOfWeek
            java.util.Iterator<java.lang.Long>                                   | LIST     | | java.lang.Long
            java.util.Optional<java.util.List<java.lang.Long>>                   | OPTIONAL | | java.util.List<java.lang.Long>
            java.util.OptionalDouble                                             | OPTIONAL | | java.lang.Double
            java.util.concurrent.atomic.AtomicLong                               | HOLDER   | | long
            java.util.concurrent.atomic.AtomicReference<java.lang.Long>          | HOLDER   | | java.lang.Long
            """)
    void classesOfTheJdkAndOfGuavaHoldValuesOfTheirTypeArguments(String name, Kind kind, String key, String element) {
        JavaType type = new JavaTypes(Map.of()).of(name);

        assertThat(type.kind()).isEqualTo(kind);
        assertThat(type.key() == null ? null : type.key().name()).isEqualTo(key);
        assertThat(type.element().name()).isEqualTo(element);
    }

    interface Containers {
        void put(Attrs<Long> attrs, Nested nested, Names names, Fixed<Long> fixed, Own own, Ordered<String> ordered);
    }

    public static class Attrs<T> extends HashMap<String, Object> {
        private static final long serialVersionUID = 1L;
    }

    public static class Middle<A, B> extends LinkedHashMap<B, List<A>> {
        private static final long serialVersionUID = 1L;
    }

    public static class Nested extends Middle<Integer, Long> {
        private static final long serialVersionUID = 1L;
    }

    public static class Names extends TreeSet<String> {
        private static final long serialVersionUID = 1L;
    }

    /** No provider makes an empty one. */
    public abstract static class Fixed<E> extends AbstractList<E> {}

    public static class Own extends ArrayList<Own> {
        private static final long serialVersionUID = 1L;
    }

    /** With a field, it is no collection. */
    public static class Ordered<E> implements Iterable<E> {
        List<E> items;

        @Override
        public Iterator<E> iterator() {
            return items.iterator();
        }
    }

    private static JavaTypes known() throws Exception {
        ServiceDefinition service =
                ClassDefinitions.of(Containers.class.getName(), new ClassHierarchy(JavaTypesTest::find));
        return new JavaTypes(service.types());
    }

    private static byte[] find(String className) throws IOException {
        try (InputStream in = JavaTypesTest.class.getResourceAsStream('/' + className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Attrs<java.lang.Long>     | MAP    | java.lang.String | java.lang.Object | true
            Nested                    | MAP    | java.lang.Long | java.util.List<java.lang.Integer> | true
            Names                     | LIST   | | java.lang.String | true
            Fixed<java.lang.Long>     | LIST   | | java.lang.Long   | false
            Own                       | LIST   | | ~Own             | false
            Ordered<java.lang.String> | OBJECT | |                  | true
            """)
    void aClassThatExtendsACollectionOrAMapHoldsWhatItsSuperclassDoes(
            String name, Kind kind, String key, String element, boolean isNative) throws Exception {
        JavaTypes types = known();

        JavaType type = types.of(HERE + name);

        assertThat(type.kind()).isEqualTo(kind);
        assertThat(type.key() == null ? null : type.key().name()).isEqualTo(key);
        assertThat(type.element() == null ? null : type.element().name())
                .isEqualTo(element == null ? null : element.replace("~", HERE));
        assertThat(types.isNative(type)).isEqualTo(isNative);
    }

    @ParameterizedTest
    @CsvSource({
        "isDeleted, isDeleted",
        "deleted,   isDeleted",
        "isBlank,   isBlank",
        "blank,     ",
        "URL,       URL",
        "uRL,       URL",
        "url,       ",
        "aName,     aName",
        "AName,     aName",
        "Name,      ",
        "xA,        xA",
        "XA,        XA"
    })
    void aFieldIsMeantByItsNameAndByThatOfItsProperty(String spelling, String field) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("isDeleted", "boolean");
        // No getter is called so.
        fields.put("isBlank", "java.lang.String");
        fields.put("URL", "java.lang.String");
        fields.put("aName", "java.lang.String");
        fields.put("name", "java.lang.String");
        fields.put("xA", "int");
        fields.put("XA", "int");
        JavaType type = new JavaTypes(Map.of("a.B", new TypeDefinition("a.B", List.of(), fields))).of("a.B");

        assertThat(type.field(spelling)).isEqualTo(field);
        assertThat(type.indexOf(spelling)).isEqualTo(new ArrayList<>(fields.keySet()).indexOf(field));
    }
}
