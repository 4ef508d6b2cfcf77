package io.dubbomesh.protocol.javadoc;

import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class JavaCommentsTest {
    private final Map<String, OfService> services = new TreeMap<>();
    private final Map<String, OfClass> classes = new TreeMap<>();

    private void read(String source) {
        JavaComments.read(source, services, classes);
    }

    @Test
    void anInterfaceHasTheTextsOfItsMethods() {
        read("""
                /* License. */
                package com.example;

                import java.util.List; // "

                /**
                 * Sells {@code tea}.
                 *
                 * @author nobody
                 */
                @Deprecated(since = "/** ) ; {")
                public interface Shop<T extends Map<String, List<T>>> extends Other {
                    /** Not a method; */
                    String NAME = "/** x */ \\" ; }" + '"' + '}', OTHER = f(new int[] {1, 2});

                    /**
                     * Places an order.
                     *
                     * @param order what is wanted,
                     *     and how much
                     * @param <X> a type
                     * @return its number
                     * @throws SoldOut never
                     */
                    @Tag({"a", "b"}) Map<String, List<Long>> order(@NotNull(message = ")") Order order, int... more) throws SoldOut;

                    /** A second one of the name. */
                    long order();

                    /** {@return the price} */
                    default long price() { if (x) { return 1; } /** Not { a member. */ return '{'; }

                    void nothing();

                    /** Is nested. */
                    class Order {
                        /** The item. */
                        private final String item = \"""
                            /** ; " }
                            \""";
                        /** Two. */ int[] amounts, others[];
                        int none;
                        static { int i = 0; }
                        /** Constructs. */
                        Order(String item) { this.item = item; }
                        /** Last. */
                        Map<String, Integer> last;
                    }

                    /** Behind it. */
                    void behind(Order order);
                }
                """);

        assertThat(services.keySet()).containsExactly("com.example.Shop");
        OfService shop = services.get("com.example.Shop");
        assertThat(shop.description()).isEqualTo("Sells `tea`.");
        assertThat(shop.methods().keySet()).containsExactly("behind", "order", "price");
        assertThat(shop.methods().get("order"))
                .isEqualTo(new OfMethod(
                        "Places an order.",
                        "its number",
                        Map.of("order", "what is wanted, and how much", "<X>", "a type")));
        assertThat(shop.methods().get("price")).isEqualTo(new OfMethod("Returns the price.", "the price", Map.of()));
        assertThat(classes)
                .containsExactly(Map.entry(
                        "com.example.Shop$Order",
                        new OfClass("Is nested.", Map.of("item", "The item.", "amounts", "Two.", "last", "Last."))));
    }

    @Test
    void aRecordHasTheTextsOfItsComponentsAndAnEnumItsOwn() {
        read("""
                package a;
                /** A line. @param x no tag */
                enum Color {
                    /** Red. */ RED("a") { /** x */ void m() {} },
                    /** Blue; */
                    BLUE;
                    /** A field. */
                    int code;
                }
                /**
                 * An item.
                 * @param name its name
                 */
                public record Item(@NotBlank(message = "{") String name, int quantity) implements Serializable {
                    /** Checks. */
                    public Item { check(name); }
                }
                /** An annotation. */ @interface Tag { /** Text. */ String value() default "x"; }
                record Empty() {}
                class recorder { record record; /** Of an odd name. */ String record2; }
                """);

        assertThat(classes)
                .containsEntry("a.Color", new OfClass("A line. @param x no tag", Map.of("code", "A field.")))
                .containsEntry("a.Item", new OfClass("An item.", Map.of("name", "its name")))
                .containsEntry("a.recorder", new OfClass(null, Map.of("record2", "Of an odd name.")))
                .hasSize(3);
    }

    /** The reader ends, and soon, with text that it does not understand. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/**",
                "/* x",
                "//",
                "\"",
                "'\\",
                "\"\"\"x",
                "class",
                "class A",
                "class A {",
                "}",
                "}}}} class A {}",
                "@",
                "@A(",
                "@interface",
                "interface A { void m(",
                "(((((",
                "/** x */",
                "enum A { B",
                "class A { int a = ",
                "=",
                "'='",
                "<",
                "package",
                "/**/",
                "interface A { /** x */ (int a); }"
            })
    @Timeout(5)
    void aSourceMayEndAnywhere(String source) {
        read(source);
        assertThat(services).isEmpty();
    }

    @Test
    @Timeout(20)
    void noSourceMakesItFail() throws Exception {
        String source = Files.readString(Path.of("src/main/java/io/dubbomesh/protocol/javadoc/JavaComments.java"));
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            StringBuilder broken = new StringBuilder(source.substring(random.nextInt(source.length())));
            for (int j = 0; j < 20; j++) {
                broken.setCharAt(random.nextInt(broken.length()), "{}()<>\"'/*@;=,\\\n".charAt(random.nextInt(16)));
            }
            read(broken.toString());
        }
        read("{".repeat(1 << 20));
        read("/** x */ interface A {".repeat(10_000));
    }
}
